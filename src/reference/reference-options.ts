import { type FailureKind, UpstreamError } from '../upstream/upstream-error.ts'
import type { Disagreement } from './read-pages.ts'

/** How reference lists are cached. */
export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** The most memory for all lists with their content codings. */
  readonly maxBytes?: number
  /** Returns how v1 failed, given the error of a sweep. Undefined if v1 answered. */
  readonly failureOf?: (error: unknown) => FailureKind | 'internal' | undefined
  /** Whether v1 refused the client's token. Then the list cached for it is dropped. */
  readonly isRefusal?: (error: unknown) => boolean
  /** Returns the operation to count a list under, given its key. */
  readonly operationOf?: (key: string) => string
  /** The operations with counters from the start, so that the first event of each is an increase. */
  readonly operations?: readonly string[]
  /** Called when a background refresh fails. No caller sees that failure. */
  readonly onRefreshFailed?: (operation: string, error: unknown) => void
  /** Called for the first list of an operation whose number of rows differs from v1's own count. */
  readonly onCountsDisagree?: (operation: string, disagreement: Disagreement) => void
  /** A clock in ms that only goes forward. */
  readonly now?: () => number
}

/** The defaults of the optional members. */
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

/** Failures that mean v1 is down, not that it sent an unusable answer. */
export const OUTAGES: ReadonlySet<string> = new Set<FailureKind>([
  'unreachable',
  'timeout',
  'unavailable',
  'overloaded',
])
