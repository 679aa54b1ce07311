import { type FailureKind, UpstreamError } from '../upstream/upstream-error.ts'
import type { Disagreement } from './read-pages.ts'

export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may still be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** What all lists together may take, with their content codings. */
  readonly maxBytes?: number
  /** How v1 failed, by what a sweep threw; undefined where it answered. */
  readonly failureOf?: (error: unknown) => FailureKind | 'internal' | undefined
  /** Whether v1 said no to the caller's token: what was kept for it is dropped. */
  readonly isRefusal?: (error: unknown) => boolean
  /** The operation that a list is counted under, by its key. */
  readonly operationOf?: (key: string) => string
  /** The operations that are counted from the start, so that the first event of each is an increase. */
  readonly operations?: readonly string[]
  /** Told of every reading ahead that failed, of which no caller is. */
  readonly onRefreshFailed?: (operation: string, error: unknown) => void
  /** Told of the first list of an operation whose rows are not as many as v1's own count of them. */
  readonly onCountsDisagree?: (operation: string, disagreement: Disagreement) => void
  /** A clock in ms that only goes forward. */
  readonly now?: () => number
}

/** What is done where nothing else is said. */
export const REFERENCE_DEFAULTS = {
  maxBytes: 256 * 1024 * 1024,
  failureOf: (error: unknown) => (error instanceof UpstreamError ? error.kind : undefined),
  isRefusal: () => false,
  operationOf: (key: string) => key,
  operations: [],
  onRefreshFailed: () => undefined,
  onCountsDisagree: () => undefined,
  now: () => performance.now(),
} satisfies Partial<ReferenceOptions>

/** v1 is down, as against: it answered, and what it says cannot be used. */
export const OUTAGES: ReadonlySet<string> = new Set<FailureKind>([
  'unreachable',
  'timeout',
  'unavailable',
  'overloaded',
])
