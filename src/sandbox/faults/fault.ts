import { z } from 'zod'
import { memberPath } from './member-path.ts'

/*
 * What can be ordered to go wrong. The service has none of it; docs/sandbox.md "Faults on demand" says what each fault does. Strict,
 * so that a slip of the pen is refused and not taken for a fault that does nothing.
 */

/** Instead of an answer as it should be. A call suffers one of these at most. */
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

/** Any value that JSON.parse gives, so that only its depth is in question: what walks it must come to an end. */
function jsonValue() {
  return z.unknown().refine((sent) => sent !== undefined && isShallow(sent, 100), 'Must be JSON of at most 100 levels')
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1))
}

/** Differences in an answer that else is as it should be. A call shows all of them. */
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

/** Which calls a fault is for: those of a path of the face, or of every path with `*`; so many of them, or all. */
const scope = z.object({
  path: z.string(),
  calls: z.union([z.int().min(1).max(1_000_000), z.literal('all')]).optional(),
})

export interface Scope {
  readonly path: string
  readonly calls: number | 'all'
}

/** What was sent is no fault that can be set: every mistake, by its path. */
export class FaultError extends Error {
  readonly errors: readonly { readonly path: string; readonly message: string }[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('This is no fault that can be set.')
    this.errors = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  }
}

/** A fault by itself, as the request header names it for its own call. Throws a FaultError. */
export function readFault(sent: object): Fault {
  const result = fault.safeParse(sent)
  if (!result.success) throw new FaultError(result.error.issues)
  return result.data
}

/**
 * The body of an order as its scope and its fault; `calls` is `all` for a difference, else 1, when it is not sent. The path
 * must be one of these or `*`. Throws a FaultError.
 */
export function readOrder(order: object, paths: readonly string[]): { scope: Scope; fault: Fault } {
  const message = `Must be * or one of: ${paths.join(', ')}`
  const { path, calls, ...rest }: Record<string, unknown> = { ...order }
  const sentScope = scope.extend({ path: z.enum(['*', ...paths], message) }).safeParse({ path, calls })
  const sentFault = fault.safeParse(rest)
  if (!sentScope.success || !sentFault.success) {
    throw new FaultError([...(sentScope.error?.issues ?? []), ...(sentFault.error?.issues ?? [])])
  }
  const allOrOnce = isDifference(sentFault.data) ? 'all' : 1
  return { scope: { path: sentScope.data.path, calls: sentScope.data.calls ?? allOrOnce }, fault: sentFault.data }
}
