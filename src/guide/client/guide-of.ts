import { checklistOf } from './checklist.ts'
import type { ClientGuide } from './client-guide.ts'
import { generalChanges } from './general-changes.ts'
import { type GuideFacts, UNKNOWN_V1, type Used } from './guide-facts.ts'
import { operationGuide } from './operation-guide.ts'
import type { UsedOperation } from './used-operation.ts'

/**
 * Writes what one client must change to call v1, from what it really sent. Nothing in it is about members, answers or errors that its calls
 * did not show. Undefined: it used no operation that a mapping has.
 * @param usage its use, by operation, in any order.
 */
export function guideOf(usage: readonly UsedOperation[], facts: GuideFacts): ClientGuide | undefined {
  const all = usage
    .flatMap((used): Used[] => {
      const operation = facts.operations.find(({ mapping }) => mapping.id === used.operation)
      return operation === undefined ? [] : [{ operation, used }]
    })
    .sort((one, other) => other.used.calls - one.used.calls)
  if (all.length === 0) return undefined
  const v1 = facts.v1 ?? UNKNOWN_V1
  const operations = all.map(({ operation, used }) => operationGuide(operation, used, { ...facts, v1 }))
  const sunset = facts.sunset?.toISOString() ?? null
  return {
    client: facts.client,
    since: all.map(({ used }) => used.firstAt).reduce((one, other) => (other < one ? other : one)),
    madeAt: facts.madeAt.toISOString(),
    sunset,
    v1: facts.v1 === undefined ? null : withoutSlash(facts.v1),
    general: generalChanges(all, operations, facts),
    operations,
    checklist: checklistOf(all, operations, { sunset, v1: withoutSlash(v1), all: facts.operations }),
  }
}

const withoutSlash = (url: URL): string => url.href.replace(/\/+$/, '')
