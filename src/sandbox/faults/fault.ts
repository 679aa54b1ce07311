import { z } from 'zod'
import { memberPath } from './member-path.ts'

/*
 * The faults that can be set. The real service has nothing like them. docs/sandbox.md "Faults on demand" says what each
 * fault does. The schemas are strict, so that a typo is refused instead of being ignored.
 */

/** Faults that replace the usual answer. A call gets at most one of these. */
const disturbances = [
  z.strictObject({ kind: z.literal('slow'), ms: z.int().min(1).max(600_000) }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.int().min(0).max(86_400).optional(),
  }),
  z.strictObject({ kind: z.literal('cut'), in: z.enum(['start', 'headers', 'body']) }),
  z.strictObject({ kind: z.literal('malformed'), as: z.enum(['html', 'truncated', 'bare']) }),
] as const

/** Any JSON value of limited depth, so that recursive code can walk it. */
function jsonValue() {
  return z.unknown().refine((sent) => sent !== undefined && isShallow(sent, 100), 'Must be JSON of at most 100 levels')
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1))
}

/** Differences in an otherwise usual answer. A call gets all of them. */
const differences = [
  z.strictObject({ kind: z.literal('change'), at: memberPath(), to: jsonValue() }),
  z.strictObject({ kind: z.literal('remove'), at: memberPath() }),
] as const

const fault = z.discriminatedUnion('kind', [...disturbances, ...differences], {
  error: ({ code }) => (code === 'invalid_union' ? `Must be one of: ${kinds.join(', ')}` : undefined),
})

const kinds = [...disturbances, ...differences].map(({ shape }) => shape.kind.value)

export type Fault = z.output<typeof fault>
export type Disturbance = z.output<(typeof disturbances)[number]>
export type Difference = z.output<(typeof differences)[number]>

export function isDifference(fault: Fault): fault is Difference {
  return fault.kind === 'change' || fault.kind === 'remove'
}

/**
 * The calls that a fault applies to: calls to one path of the face, or to all paths with `*`; a number of them, or all.
 */
const scope = z.object({
  path: z.string(),
  calls: z.union([z.int().min(1).max(1_000_000), z.literal('all')]).optional(),
})

export interface Scope {
  readonly path: string
  readonly calls: number | 'all'
}

/** A fault is not valid. `errors` lists every mistake by its path. */
export class FaultError extends Error {
  readonly errors: readonly { readonly path: string; readonly message: string }[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('Not a valid fault.')
    this.errors = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  }
}

/** Reads a fault without a scope, as a request header names it for its own call. Throws a FaultError. */
export function readFault(sent: object): Fault {
  const result = fault.safeParse(sent)
  if (!result.success) throw new FaultError(result.error.issues)
  return result.data
}

/**
 * Reads a fault and its scope from a body. If `calls` is missing, it is `all` for a difference, otherwise 1. The path
 * must be one of `paths` or `*`. Throws a FaultError.
 */
export function readScopedFault(sent: object, paths: readonly string[]): { scope: Scope; fault: Fault } {
  const message = `Must be * or one of: ${paths.join(', ')}`
  const { path, calls, ...rest }: Record<string, unknown> = { ...sent }
  const sentScope = scope.extend({ path: z.enum(['*', ...paths], message) }).safeParse({ path, calls })
  const sentFault = fault.safeParse(rest)
  if (!sentScope.success || !sentFault.success) {
    throw new FaultError([...(sentScope.error?.issues ?? []), ...(sentFault.error?.issues ?? [])])
  }
  const allOrOnce = isDifference(sentFault.data) ? 'all' : 1
  return { scope: { path: sentScope.data.path, calls: sentScope.data.calls ?? allOrOnce }, fault: sentFault.data }
}
