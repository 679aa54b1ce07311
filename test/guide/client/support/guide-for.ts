import { operations } from '../../../../mappings/index.ts'
import { compileOperations } from '../../../../src/engine/compile/compile-operations.ts'
import type { Change, ClientGuide, GuideFacts, OperationGuide } from '../../../../src/guide/client/client-guide.ts'
import { guideOf } from '../../../../src/guide/client/client-guide.ts'
import type { UsedOperation } from '../../../../src/guide/client/used-operation.ts'

/** Makes a guide from what calls showed; v1 is at `https://v1.test`. */
export function guideFor(usage: readonly UsedOperation[], facts: Partial<GuideFacts> = {}): ClientGuide {
  const guide = guideOf(usage, {
    ...{ client: 'acme', madeAt: new Date('2026-11-23T10:00:00Z'), sunset: new Date('2027-06-30T00:00:00Z') },
    ...{ v1: new URL('https://v1.test'), legacy: 'https://legacy.test', operations: compileOperations(operations) },
    snippetsOf: ({ method, url }) => [{ language: 'curl', library: 'curl', code: `curl -X ${method} '${url}'` }],
    ...facts,
  })
  if (guide === undefined) throw new Error('there is no guide')
  return guide
}

/** Returns what a guide says of an operation. */
export function partOf(guide: ClientGuide, operation: string): OperationGuide {
  const part = guide.operations.find((one) => one.operation === operation)
  if (part === undefined) throw new Error(`${operation} is not in the guide`)
  return part
}

/** Writes changes as `legacy → v1: change`. */
export const inShort = (changes: readonly Change[]): readonly string[] =>
  changes.map(({ legacy, v1, change }) => `${legacy === '' ? '(body)' : legacy} → ${v1}: ${change}`)
