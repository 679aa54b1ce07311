import { z } from 'zod'
import { inOurWords, withoutProto } from '../../common/mistakes.ts'
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

const operation = z.strictObject({
  serve: side.optional(),
  v1Percent: z.number().min(0).max(100).optional(),
  clients: withoutProto('a client cannot have this name').pipe(z.record(z.string(), side)).optional(),
  /** Clients that may send `X-Gateway-Serve`. */
  mayChoose: mayChoose.optional(),
  shadow: z.number().min(0).max(1).optional(),
  noise: z.boolean().optional(),
  confirm: z.boolean().optional(),
  shadowWrites: z.enum(['translate-only', 'copy']).optional(),
  target: z.number().gt(0).lt(1).optional(),
  require: z
    .strictObject({
      coverage: z.number().min(0).max(1).optional(),
      clients: z.int().min(1).optional(),
      inputs: z.int().min(1).max(BOUNDS.inputs).optional(),
      hours: z.number().gt(0).optional(),
      slowdown: z.number().gt(0).optional(),
    })
    .optional(),
  plan: plan.optional(),
})

const EVERYTHING = '*'

/** Accepts the id of an operation, or `*` for all. */
const named = (ids: readonly string[]) =>
  z.enum([...ids, EVERYTHING], { error: ({ input }) => noSuchOperation(ids, input) })

const noSuchOperation = (ids: readonly string[], meant: unknown = ''): string =>
  `no such operation; expected one of ${ids.join(', ')} or ${EVERYTHING}${didYouMean(String(meant), ids)}`

/** A span of time, `30d` or `12h`, in hours. */
const span = z
  .string()
  .regex(/^[1-9]\d{0,5}[dh]$/, 'must be days or hours, for instance "30d" or "12h"')
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1))

/** The schema of a rollout file. It fills in the defaults. @param linesOf the lines that `waive` and `when` may name. */
export const rolloutFile = (ids: readonly string[], linesOf: LinesOf) =>
  z
    .strictObject({
      /** For editors, which check the file while someone writes it. */
      $schema: z.string().optional(),
      operations: withoutProto(noSuchOperation(ids))
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
          queue: z.int().min(1).default(256),
          concurrency: z.int().min(1).max(1_000).default(8),
          timeoutMs: z.int().min(1).max(600_000).default(5_000),
          copyWritesPerSecond: z.number().gt(0).max(1_000).default(2),
        })
        .prefault({}),
      /** The confidence with which a verdict must hold. */
      confidence: z.number().gt(0).lt(1).default(0.95),
      /** The share of exchanges to be compared that may be left unjudged. */
      unjudged: z.number().min(0).max(1).default(0.01),
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
  const { data, error } = rolloutFile(ids, linesOf).safeParse(json, { error: inOurWords })
  const problems = [
    ...doubledMembers(written).map((place) => `${place}: written more than once; keep one`),
    ...(error?.issues ?? []).flatMap((issue) => problemsOf(issue, ids)),
    ...contradictions(json, operations, setting),
    ...(data?.ignore ?? []).flatMap((rule, index) => unknownMember(rule, index, ids, placesOf)),
  ]
  if (data === undefined || problems.length > 0) throw new RolloutError(problems)
  return rolloutOf(data, setting)
}

/** Describes an issue with its place; each unknown operation is a problem of its own. */
function problemsOf(issue: z.core.$ZodIssue, ids: readonly string[]): readonly string[] {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys' || place !== 'operations') return [`${place || 'the file'}: ${issue.message}`]
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
