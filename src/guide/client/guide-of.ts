import { checklistOf } from './checklist.ts'
import type { ClientGuide, OperationGuide } from './client-guide.ts'
import { generalChanges } from './general-changes.ts'
import { type GuideFacts, UNKNOWN_V1, type Used } from './guide-facts.ts'
import { operationGuide } from './operation-guide.ts'
import type { UsedOperation } from './used-operation.ts'

/**
 * Writes what one client must change to call v1, based on what it really sent. The guide leaves out members, answers and errors that its
 * calls did not show. Undefined: the client used no operation that a mapping has.
 * @param usage what the client used, by operation, in any order.
 */
export function guideOf(usage: readonly UsedOperation[], facts: GuideFacts): ClientGuide | undefined {
  const all = knownOf(usage, facts)
  return putTogether(all, all.map(guideIn(facts)), facts, unmappedOf(usage, all))
}

/**
 * Like `guideOf`, but pauses before each operation, so that the guide of a client that uses many does not hold up others.
 * @param pause gives others their turn.
 */
export async function guideInSlices(
  usage: readonly UsedOperation[],
  facts: GuideFacts,
  pause: () => Promise<unknown>,
): Promise<ClientGuide | undefined> {
  const all = knownOf(usage, facts)
  const guides: OperationGuide[] = []
  for (const one of all) {
    await pause()
    guides.push(guideIn(facts)(one))
  }
  await pause()
  return putTogether(all, guides, facts, unmappedOf(usage, all))
}

/** Returns the operations that a mapping has, most used first. */
const knownOf = (usage: readonly UsedOperation[], { operations }: GuideFacts): readonly Used[] =>
  usage
    .flatMap((used): Used[] => {
      const operation = operations.find(({ mapping }) => mapping.id === used.operation)
      return operation === undefined ? [] : [{ operation, used }]
    })
    .sort((one, other) => other.used.calls - one.used.calls)

/** Returns how many calls belong to no operation that a mapping has. */
const unmappedOf = (usage: readonly UsedOperation[], all: readonly Used[]): number =>
  usage.filter((used) => !all.some((one) => one.used === used)).reduce((sum, { calls }) => sum + calls, 0)

const guideIn =
  (facts: GuideFacts) =>
  ({ operation, used }: Used): OperationGuide =>
    operationGuide(operation, used, { ...facts, v1: facts.v1 ?? UNKNOWN_V1 })

function putTogether(
  all: readonly Used[],
  operations: readonly OperationGuide[],
  facts: GuideFacts,
  unmapped: number,
): ClientGuide | undefined {
  if (all.length === 0) return undefined
  const sunset = facts.sunset?.toISOString() ?? null
  const v1 = withoutSlash(facts.v1 ?? UNKNOWN_V1)
  return {
    client: facts.client,
    since: all.map(({ used }) => used.firstAt).reduce((one, other) => (other < one ? other : one)),
    madeAt: facts.madeAt.toISOString(),
    sunset,
    v1: facts.v1 === undefined ? null : v1,
    general: generalChanges(all, operations, facts),
    operations,
    checklist: checklistOf(all, operations, { sunset, v1, all: facts.operations, unmapped }),
  }
}

const withoutSlash = (url: URL): string => url.href.replace(/\/+$/, '')
