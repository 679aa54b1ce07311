import { z } from 'zod'
import { inOurWords, withoutProto, withValue } from '../../common/mistakes.ts'
import { didYouMean } from '../../common/similar.ts'
import { doubledMembers, jsonMistake } from '../../engine/json/text-mistakes.ts'
import type { Side } from '../../exchange/exchange.ts'
import type { Subject } from '../evidence/comparable.ts'
import type { IgnoreRule } from '../evidence/expected/ignore-rule.ts'
import { BOUNDS } from '../evidence/tally/bounds.ts'
import type { Requirements } from '../evidence/tally/verdict.ts'
import { brownoutRule } from './brownout-rule.ts'
import { contradictions, type Surroundings } from './contradictions.ts'
import { inherit, type Said } from './operation-rollout.ts'
import { type Plan, plan } from './plan.ts'
import { ignoreRule, type LinesOf, type PlacesOf, rulesOfWaived, unknownMember, waiveRule } from './rule-schemas.ts'

/** How an operation is rolled out (docs/decisions/0044). */
export interface OperationRollout {
  readonly serve: Side
  /** The percentage of clients that v1 answers while `serve` is `legacy`. */
  readonly v1Percent: number
  /** Sides by client id. They override `serve` and `v1Percent`. */
  readonly clients: Readonly<Record<string, Side>>
  /** The clients that may choose the side themselves, call by call; `*`: all. */
  readonly mayChoose: readonly string[] | '*'
  /** The share of calls that are compared, 0 to 1. */
  readonly shadow: number
  /** Whether the legacy service is always asked twice. */
  readonly noise: boolean
  /** Whether both services are asked once more if their answers differ. */
  readonly confirm: boolean
  /** What becomes of writes that legacy has answered: they are checked, or sent to a copy of v1. Undefined: nothing. */
  readonly shadowWrites: 'translate-only' | 'copy' | undefined
  /** The match rate to prove, between 0 and 1. */
  readonly target: number
  /** What must also have been seen for `ready`. */
  readonly require: Requirements | undefined
  /** How it moves to v1 step by step; undefined: `v1Percent` decides. */
  readonly plan: Plan | undefined
}

/** Which side answers each operation, and what is compared. */
export interface Rollout extends Omit<z.output<ReturnType<typeof rolloutFile>>, '$schema' | 'operations'> {
  of(operation: string): OperationRollout
  /** Who answers where the file says nothing. */
  readonly serve: Side
  /** The rules by which answers are compared: those of `ignore`, and for each member that v1 need not get one that excuses its loss. */
  readonly rules: readonly IgnoreRule[]
  /** The entries of the file itself, by operation or `*`. */
  readonly said: Readonly<Record<string, Said>>
}

/** Thrown when a rollout cannot be used; each problem names its place. */
export class RolloutError extends Error {
  override readonly name = 'RolloutError'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}

const side = z.enum(['v1', 'legacy'])

const MAY_CHOOSE = 'must be clients, for instance ["demo-client"], or "*" for all'

const mayChoose = z.union(
  [
    z.literal('*'),
    z
      .array(
        z
          .string()
          .min(1)
          .refine((client) => client !== '*', MAY_CHOOSE),
      )
      .readonly(),
  ],
  MAY_CHOOSE,
)

const PERCENT = 'must be a percentage of clients, from 0 to 100'
const SHARE = 'must be a number from 0 to 1'
const INSIDE = 'must be a number above 0 and below 1, for instance 0.99'
const ABOVE = 'must be a number above 0'
const INPUTS = `must be a whole number from 1 to ${BOUNDS.inputs}`
const CLIENTS = 'must be a whole number of at least 1'

/** A number from 0 to 1. */
const share = z.number(SHARE).min(0, SHARE).max(1, SHARE)
/** A number between 0 and 1. */
const inside = z.number(INSIDE).gt(0, INSIDE).lt(1, INSIDE)
const above = z.number(ABOVE).gt(0, ABOVE)

const operation = z.strictObject({
  serve: side.optional(),
  v1Percent: z.number(PERCENT).min(0, PERCENT).max(100, PERCENT).optional(),
  clients: withoutProto('a client cannot have this name').pipe(z.record(z.string(), side)).optional(),
  /** Clients that may send `X-Gateway-Serve`. */
  mayChoose: mayChoose.optional(),
  shadow: share.optional(),
  noise: z.boolean().optional(),
  confirm: z.boolean().optional(),
  shadowWrites: z.enum(['translate-only', 'copy']).optional(),
  target: inside.optional(),
  require: z
    .strictObject({
      coverage: share.optional(),
      clients: z.int(CLIENTS).min(1, CLIENTS).optional(),
      inputs: z.int(INPUTS).min(1, INPUTS).max(BOUNDS.inputs, INPUTS).optional(),
      hours: above.optional(),
      slowdown: above.optional(),
    })
    .optional(),
  plan: plan.optional(),
})

const EVERYTHING = '*'

/** Accepts the id of an operation, or `*` for all. */
const named = (ids: readonly string[]) =>
  z.enum([...ids, EVERYTHING], { error: ({ input }) => noSuchOperation(ids, input) })

function noSuchOperation(ids: readonly string[], meant?: unknown): string {
  const all = `one of ${ids.join(', ')} or ${EVERYTHING}`
  return meant === undefined
    ? `is missing; it must be ${all}`
    : `no such operation; expected ${all}${didYouMean(String(meant), ids)}`
}

/** A span of time, `30d` or `12h`, in hours. */
const SPAN = 'must be days or hours, for instance "30d" or "12h"'
const span = z
  .string(SPAN)
  .regex(/^[1-9]\d{0,5}[dh]$/, SPAN)
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1))

const CALLS = 'must be a whole number of calls, at least 1'
const AT_ONCE = 'must be a whole number of calls, from 1 to 1000'
const TIMEOUT = 'must be a whole number of milliseconds, from 1 to 600000'
const A_SECOND = 'must be a number of writes, above 0 and up to 1000'

/** The schema of a rollout file. It fills in the defaults. @param linesOf the lines that `waive` and `when` may name. */
export const rolloutFile = (ids: readonly string[], linesOf: LinesOf) =>
  z
    .strictObject({
      /** For editors, which check the file while someone writes it. */
      $schema: z.string().optional(),
      operations: withoutProto(noSuchOperation(ids, '__proto__'))
        .pipe(z.partialRecord(named(ids), operation))
        .default({}),
      ignore: z
        .array(ignoreRule(named(ids), ids, linesOf))
        .readonly()
        .default([]),
      /** Lines of the mapping that need not be seen. */
      waive: z
        .array(waiveRule(named(ids), ids, linesOf))
        .readonly()
        .default([]),
      brownouts: z
        .array(brownoutRule(named(ids)))
        .readonly()
        .default([]),
      /** Limits of shadowing. `queue`: the most calls that wait to be compared. `copyWritesPerSecond`: those sent to the copy of v1. */
      limits: z
        .strictObject({
          queue: z.int(CALLS).min(1, CALLS).default(256),
          concurrency: z.int(AT_ONCE).min(1, AT_ONCE).max(1_000, AT_ONCE).default(8),
          timeoutMs: z.int(TIMEOUT).min(1, TIMEOUT).max(600_000, TIMEOUT).default(5_000),
          copyWritesPerSecond: z.number(A_SECOND).gt(0, A_SECOND).max(1_000, A_SECOND).default(2),
        })
        .prefault({}),
      /** The confidence with which a verdict must hold. */
      confidence: inside.default(0.95),
      /** The share of exchanges to be compared that may be left unjudged. */
      unjudged: share.default(0.01),
      /** An operation is no longer `ready` after this time without a comparison; hours. */
      fresh: span.optional(),
    })
    .readonly()

const DEFAULTS: Omit<OperationRollout, 'serve'> = {
  v1Percent: 0,
  clients: {},
  mayChoose: [],
  shadow: 0,
  noise: false,
  confirm: true,
  shadowWrites: undefined,
  target: 0.99,
  require: undefined,
  plan: undefined,
}

/** What a rollout file may name, and what it depends on. */
interface RolloutSetting extends Surroundings {
  readonly operations: readonly Subject[]
  /** The lines that `waive` may name; undefined: none. */
  readonly linesOf?: LinesOf
  /** The places in the answers of an operation; undefined: none are known. */
  readonly placesOf?: PlacesOf
}

/**
 * Parses the text of a rollout file. Without a file, use `{}`.
 * @throws RolloutError that lists every problem.
 */
export function parseRollout(text: string, setting: RolloutSetting): Rollout {
  const { operations, linesOf = () => [], placesOf = () => [] } = setting
  const written = text.replace(/^\uFEFF/, '')
  let json: unknown
  try {
    json = JSON.parse(written)
  } catch (error) {
    throw new RolloutError([jsonMistake(written) ?? 'not JSON'], { cause: error })
  }
  const ids = operations.map(({ id }) => id)
  const { data, error } = rolloutFile(ids, linesOf).safeParse(json, { error: inOurWords, reportInput: true })
  const problems = [
    ...doubledMembers(written).map((place) => `${place}: written more than once; keep one`),
    ...(error?.issues ?? []).flatMap((issue) => problemsOf(issue, ids)),
    ...contradictions(json, operations, setting),
    ...(data?.ignore ?? []).flatMap((rule, index) => unknownMember(rule, index, ids, placesOf)),
  ]
  if (data === undefined || problems.length > 0) throw new RolloutError(problems)
  return rolloutOf(data, setting)
}

/** Describes an issue with its place and the value; each unknown operation is a problem of its own. */
function problemsOf(issue: z.core.$ZodIssue, ids: readonly string[]): readonly string[] {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys' || place !== 'operations') {
    // The input of a check of several members is their object. The address of a gate may be secret.
    const isSecret = place.endsWith('.gate.url') && issue.input !== undefined
    const message = isSecret || issue.code === 'custom' ? issue.message : withValue(issue.message, issue.input)
    return [`${place || 'the file'}: ${message}`]
  }
  return issue.keys.map((key) => `${place}.${key}: ${noSuchOperation(ids, key)}`)
}

function rolloutOf(
  { $schema: _, operations, ...others }: z.output<ReturnType<typeof rolloutFile>>,
  { operations: subjects, serve, linesOf = () => [] }: RolloutSetting,
): Rollout {
  const ids = subjects.map(({ id }) => id)
  const said = operations as Readonly<Record<string, Said>>
  const given = (id: string): Said => (Object.hasOwn(said, id) ? (said[id] as Said) : {})
  const completed = new Map<string, OperationRollout>()
  return {
    of(id) {
      const known = completed.get(id)
      if (known !== undefined) return known
      const subject = subjects.find((each) => each.id === id)
      const complete = inherit(given(id), given(EVERYTHING), { ...DEFAULTS, serve }, subject)
      completed.set(id, complete)
      return complete
    },
    ...{ serve, said },
    rules: [...others.ignore, ...others.waive.flatMap((rule) => rulesOfWaived(rule, ids, linesOf))],
    ...others,
  }
}
