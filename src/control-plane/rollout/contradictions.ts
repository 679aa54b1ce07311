import { z } from 'zod'
import type { Side } from '../../exchange/exchange.ts'
import { canBeReady, ONLY_WITH_A_COPY, type Subject } from '../evidence/comparable.ts'
import { equalBrownouts } from './brownout-rule.ts'

/** The parts of the configuration outside the file that it depends on. */
export interface Surroundings {
  /** Whether a legacy service is configured, to answer calls or to be compared with. */
  readonly hasLegacy: boolean
  /** Whether there is a copy of v1 for writes. */
  readonly hasCopy: boolean
  /** Whether `STATE_DB` names a store that survives restarts. */
  readonly isKept: boolean
  /** Whether `WEBHOOK_SECRET` is set, which signs what gates are asked. */
  readonly canSign: boolean
  /** Who answers where the file says nothing (`SERVE`). */
  readonly serve: Side
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const said = z
  .object({
    serve: z.enum(['v1', 'legacy']).optional().catch(undefined),
    v1Percent: z.unknown().optional(),
    shadow: z.number().catch(0),
    clients: z.custom<Readonly<Record<string, unknown>>>(isObject).catch({}),
    plan: z.unknown().optional(),
    shadowWrites: z.unknown().optional(),
    mayChoose: z.unknown().optional(),
  })
  .catch({
    ...{ serve: undefined, v1Percent: undefined, shadow: 0, clients: {}, plan: undefined, shadowWrites: undefined },
    mayChoose: undefined,
  })

/** Reads only the members that contradictions are about, regardless of what else is wrong with an operation. */
const file = z.object({ operations: z.record(z.string(), said).catch({}) }).catch({ operations: {} })

type Given = z.output<typeof said>

const ALL = '*'

/**
 * Returns the members that contradict each other or the surroundings, though each may be valid by itself. All are reported at
 * once, together with members that are invalid by themselves.
 * @param json the file, which may be invalid in any way.
 */
export function contradictions(json: unknown, subjects: readonly Subject[], there: Surroundings): readonly string[] {
  const given = file.parse(json).operations
  const subjectOf = new Map(subjects.map((subject) => [subject.id, subject]))
  const ofOperations = Object.entries(given).flatMap(([id, entry]) => {
    const subject = subjectOf.get(id)
    const needsNoSide = id === ALL && subjects.every((each) => ownSide(given, each) !== undefined)
    const problems = [
      ...missing(entry, there),
      ...(needsNoSide ? [] : withoutEffect(entry, given[ALL], there.serve)),
      ...(entry.plan !== undefined && entry.v1Percent !== undefined ? [PLAN_AND_PERCENT] : []),
      ...(subject === undefined ? [] : impossible(entry, subject, given[ALL])),
    ]
    return problems.map(([member, why]) => `operations.${[id, ...member].join('.')}: ${why}`)
  })
  return [...ofOperations, ...equalBrownouts(json)]
}

/** The path of a member within an operation's entry, and what is wrong with it. */
type Problem = readonly [member: readonly string[], why: string]

const PLAN_AND_PERCENT: Problem = [
  ['v1Percent'],
  'the plan says which percentage of clients v1 answers; remove v1Percent or the plan',
]

/** An empty list takes the choice of * back. */
const letsChoose = (mayChoose: unknown): boolean =>
  mayChoose !== undefined && !(Array.isArray(mayChoose) && mayChoose.length === 0)

function* missing(
  { serve, shadow, plan, clients, shadowWrites, mayChoose }: Given,
  { hasLegacy, hasCopy, isKept, canSign }: Surroundings,
): Iterable<Problem> {
  const needsLegacy =
    serve === 'legacy' ||
    shadow > 0 ||
    plan !== undefined ||
    letsChoose(mayChoose) ||
    Object.values(clients).includes('legacy')
  if (!hasLegacy && needsLegacy) yield [[], 'needs a legacy service, but LEGACY_BASE_URL is not set']
  if (!hasCopy && shadowWrites === 'copy') {
    yield [['shadowWrites'], 'needs a copy of v1, but V1_COPY_BASE_URL is not set']
  }
  if (!isKept && plan !== undefined) {
    const why =
      'a plan must be remembered across restarts, but STATE_DB keeps nothing; name a file or a PostgreSQL database'
    yield [['plan'], why]
  }
  if (!canSign && says(plan, 'gate')) {
    const why = 'needs WEBHOOK_SECRET, which signs what the gate is asked; make one with: openssl rand -hex 32'
    yield [['plan', 'gate'], why]
  }
}

const ownSide = (given: Readonly<Record<string, Given>>, { id }: Subject): Side | undefined =>
  Object.hasOwn(given, id) ? given[id]?.serve : undefined

/** Finds what has no effect because v1 answers all clients. */
function* withoutEffect(entry: Given, all: Given | undefined, otherwise: Side): Iterable<Problem> {
  if ((entry.serve ?? all?.serve ?? otherwise) !== 'v1') return
  const byAll = all?.serve === 'v1' ? 'serve of * is "v1"' : 'serve is "v1" by default (SERVE)'
  const because = entry.serve === 'v1' ? 'serve is "v1"' : byAll
  for (const member of ['v1Percent', 'plan'] as const) {
    if (entry[member] === undefined) continue
    const why = `has no effect: ${because}, so v1 answers all clients; add "serve": "legacy", with which the legacy service answers all other clients, or remove ${member}`
    yield [[member], why]
  }
}

function* impossible(
  { serve, plan, shadowWrites, mayChoose }: Given,
  subject: Subject,
  all: Given | undefined,
): Iterable<Problem> {
  const isCopied = (shadowWrites ?? all?.shadowWrites) === 'copy'
  if (subject.v1 === undefined) {
    if (serve === 'v1') yield [['serve'], 'v1 has no equivalent of it; the legacy service answers it: remove serve']
    if (plan !== undefined) yield [['plan'], 'v1 has no equivalent of it; remove the plan']
    if (letsChoose(mayChoose))
      yield [['mayChoose'], 'v1 has no equivalent of it, so there is no choice; remove mayChoose']
  } else if (plan !== undefined && !canBeReady(subject, isCopied) && !says(plan, 'withoutVerdict')) {
    const why = `${ONLY_WITH_A_COPY}; without one its verdict is never "ready": say why it may be cut over anyway: "withoutVerdict": "…"`
    yield [['plan'], why]
  }
}

const says = (plan: unknown, member: 'withoutVerdict' | 'gate'): boolean =>
  typeof plan === 'object' && plan !== null && member in plan
