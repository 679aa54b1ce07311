import { z } from 'zod'
import type { Side } from '../../exchange/exchange.ts'
import { equalBrownouts } from './brownout-rule.ts'
import { canBeReady, neverCompared, type Subject } from './operation-rollout.ts'

/** The parts of the configuration outside the file that it depends on. */
export interface Surroundings {
  /** Whether a legacy service is configured, to answer calls or to be compared with. */
  readonly hasLegacy: boolean
  /** Whether `STATE_DB` names a store that survives restarts. */
  readonly isKept: boolean
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
  })
  .catch({ serve: undefined, v1Percent: undefined, shadow: 0, clients: {}, plan: undefined })

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
  const ofOperations = Object.entries(given).flatMap(([id, own]) => {
    const subject = subjectOf.get(id)
    const problems = [
      ...missing(own, there),
      ...sides(own, given[ALL], there.serve, id === ALL ? ownSides(given, subjects) : undefined),
      ...(subject === undefined ? [] : impossible(own, subject)),
    ]
    return problems.map(([member, why]) => `operations.${[id, ...member].join('.')}: ${why}`)
  })
  return [...ofOperations, ...equalBrownouts(json)]
}

type Problem = readonly [member: readonly string[], why: string]

function missing(own: Given, { hasLegacy, isKept }: Surroundings): readonly Problem[] {
  const problems: Problem[] = []
  const needsLegacy =
    own.serve === 'legacy' || own.shadow > 0 || own.plan !== undefined || Object.values(own.clients).includes('legacy')
  if (!hasLegacy && needsLegacy) problems.push([[], 'needs a legacy service, but LEGACY_BASE_URL is not set'])
  if (!isKept && own.plan !== undefined) {
    const why =
      'a plan must be remembered across restarts, but STATE_DB keeps nothing; name a file or a PostgreSQL database'
    problems.push([['plan'], why])
  }
  return problems
}

/** Returns for each operation whether it has its own `serve`. */
const ownSides = (given: Readonly<Record<string, Given>>, subjects: readonly Subject[]): readonly boolean[] =>
  subjects.map(({ id }) => Object.hasOwn(given, id) && given[id]?.serve !== undefined)

/** @param areOwn only for `*`: whether each operation has its own `serve`, so that `*` needs none. */
function sides(
  own: Given,
  all: Given | undefined,
  otherwise: Side,
  areOwn: readonly boolean[] | undefined,
): readonly Problem[] {
  const problems: Problem[] = []
  const isV1 = (own.serve ?? all?.serve ?? otherwise) === 'v1'
  const why =
    own.serve === 'v1'
      ? 'serve is "v1"'
      : all?.serve === 'v1'
        ? 'serve of * is "v1"'
        : 'serve is "v1" by default (SERVE)'
  for (const member of ['v1Percent', 'plan'] as const) {
    if (!isV1 || own[member] === undefined || areOwn?.every(Boolean) === true) continue
    problems.push([
      [member],
      `has no effect: ${why}, so v1 answers all clients; add "serve": "legacy", with which the legacy service answers all other clients, or remove ${member}`,
    ])
  }
  if (own.plan !== undefined && own.v1Percent !== undefined) {
    problems.push([['v1Percent'], 'the plan says which percentage of clients v1 answers; remove v1Percent or the plan'])
  }
  return problems
}

function impossible(own: Given, subject: Subject): readonly Problem[] {
  const problems: Problem[] = []
  if (subject.v1 === undefined) {
    if (own.serve === 'v1')
      problems.push([['serve'], 'v1 has no equivalent of it; the legacy service answers it: remove serve'])
    if (own.plan !== undefined) problems.push([['plan'], 'v1 has no equivalent of it; remove the plan'])
  } else if (own.plan !== undefined && !canBeReady(subject) && !saysWithoutVerdict(own.plan)) {
    const why = `${neverCompared(subject)} is never compared, so its verdict is never "ready"; say why it may be cut over anyway: "withoutVerdict": "…"`
    problems.push([['plan'], why])
  }
  return problems
}

const saysWithoutVerdict = (plan: unknown): boolean =>
  typeof plan === 'object' && plan !== null && 'withoutVerdict' in plan
