import { z } from 'zod'
import type { Side } from '../../exchange/exchange.ts'

/** How an operation is rolled out (docs/decisions/0044). */
export interface OperationRollout {
  readonly serve: Side
  /** With `serve` legacy: the share of clients, in percent, whom v1 answers. */
  readonly v1Percent: number
  /** By client id; beats both of the above. */
  readonly clients: Readonly<Record<string, Side>>
  /** The share of calls that are compared, 0 to 1. */
  readonly shadow: number
  /** Whether the legacy service is asked twice, to tell its own noise from a difference. */
  readonly noise: boolean
  readonly shadowWrites: 'translate-only' | undefined
  /** The match rate to be proven, between 0 and 1. */
  readonly target: number
}

/** A difference that does not count. */
export interface IgnoreRule {
  /** An operation's id, or `*`. */
  readonly operation: string
  /** A legacy path, indices as `[]`; everything beneath it is meant too. */
  readonly path: string
  readonly why: string
}

/** Bounds of the comparison beside the calls. */
export interface Limits {
  /** Calls that wait to be compared, at most. */
  readonly queue: number
  readonly concurrency: number
  readonly timeoutMs: number
}

/** Who answers which operation, and what is compared. */
export interface Rollout {
  of(operation: string): OperationRollout
  readonly ignore: readonly IgnoreRule[]
  readonly limits: Limits
}

/** A rollout that cannot be used; each problem names its place. */
export class RolloutError extends Error {
  override readonly name = 'RolloutError'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}

/** Refuses a member `__proto__`, with this message: zod leaves it out of a record without a word. */
function withoutProto(message: string) {
  return z.unknown().check(({ value, issues }) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return
    issues.push({ code: 'custom', path: ['__proto__'], message, input: value })
  })
}

const side = z.enum(['v1', 'legacy'])

const operation = z.strictObject({
  serve: side.optional(),
  v1Percent: z.number().min(0).max(100).optional(),
  clients: withoutProto('no client can be named so').pipe(z.record(z.string(), side)).optional(),
  shadow: z.number().min(0).max(1).optional(),
  noise: z.boolean().optional(),
  shadowWrites: z.literal('translate-only').optional(),
  target: z.number().gt(0).lt(1).optional(),
})

const EVERYTHING = '*'

/** Where an operation is named: one that there is, or all of them. */
const named = (known: readonly string[]) => z.enum([...known, EVERYTHING], { error: noSuchOperation(known) })

const noSuchOperation = (known: readonly string[]): string =>
  `no such operation; there are ${known.join(', ')} and ${EVERYTHING}`

const file = (known: readonly string[]) =>
  z.strictObject({
    operations: withoutProto(noSuchOperation(known))
      .pipe(z.partialRecord(named(known), operation))
      .default({}),
    ignore: z
      .array(z.strictObject({ operation: named(known), path: z.string(), why: z.string().trim().min(1) }))
      .default([]),
    limits: z
      .strictObject({
        queue: z.int().min(1).default(256),
        concurrency: z.int().min(1).max(1_000).default(8),
        timeoutMs: z.int().min(1).max(600_000).default(5_000),
      })
      .prefault({}),
  })

const DEFAULTS: OperationRollout = {
  serve: 'v1',
  v1Percent: 0,
  clients: {},
  shadow: 0,
  noise: false,
  shadowWrites: undefined,
  target: 0.99,
}

/** What holds without a file: v1 answers everything, and nothing is compared. */
export const NO_ROLLOUT: Rollout = rolloutOf(file([]).parse({}))

/**
 * Reads the text of a rollout file.
 * @param known the operations that there are.
 * @param hasLegacy whether there is a legacy service that could answer, or be compared with.
 * @throws RolloutError with everything that is wrong with it.
 */
export function parseRollout(text: string, known: readonly string[], hasLegacy: boolean): Rollout {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new RolloutError([`not JSON: ${error instanceof Error ? error.message : String(error)}`], { cause: error })
  }
  const { data, error } = file(known).safeParse(json)
  if (data === undefined) {
    throw new RolloutError(error.issues.flatMap((issue) => problemsOf(issue, known)))
  }
  const wantLegacy = hasLegacy ? [] : Object.entries(data.operations).filter(([, given]) => given && takesLegacy(given))
  if (wantLegacy.length > 0) {
    const why = 'takes a legacy service, and LEGACY_BASE_URL is not set'
    throw new RolloutError(wantLegacy.map(([id]) => `operations.${id}: ${why}`))
  }
  return rolloutOf(data)
}

/** What is wrong, with its place; of several unknown names each is one. */
function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): readonly string[] {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys' || place !== 'operations') return [`${place || 'the file'}: ${issue.message}`]
  return issue.keys.map((key) => `${place}.${key}: ${noSuchOperation(known)}`)
}

const takesLegacy = ({ serve, shadow = 0, clients = {} }: z.output<typeof operation>): boolean =>
  serve === 'legacy' || shadow > 0 || Object.values(clients).includes('legacy')

/** What an operation leaves out comes from `*`. */
function rolloutOf({ operations, ignore, limits }: z.output<ReturnType<typeof file>>): Rollout {
  const given = (id: string): Partial<OperationRollout> =>
    Object.hasOwn(operations, id) ? (operations[id] as Partial<OperationRollout>) : {}
  const made = new Map<string, OperationRollout>()
  return {
    of(id) {
      const known = made.get(id) ?? { ...DEFAULTS, ...given(EVERYTHING), ...given(id) }
      made.set(id, known)
      return known
    },
    ignore,
    limits,
  }
}
