import type { Seen } from '../../exchange/seen.ts'
import type { Operation } from '../../mapping/operation.ts'
import { type ExplainedLine, explain } from '../lines/explain.ts'
import type { OperationGuide } from './client-guide.ts'
import { asChange } from './request-changes.ts'
import { errorsIn } from './used-operation.ts'

type ErrorChange = OperationGuide['errors'][number]

/** v1's statuses for a business rule, validation and unavailability: docs/contract.md 9. */
const BUSINESS_RULE = '400'
const VALIDATION = '422'
const VALIDATION_FAILED = 'VALIDATION_FAILED'
/** The codes that the contract names for a status, used where no code of v1 was noted. */
const CODES: Readonly<Record<string, string>> = { [VALIDATION]: VALIDATION_FAILED, 503: 'DEPENDENCY_UNAVAILABLE' }

/** Returns the errors that a client got, most frequent first, with what each is at v1; then the members that they were about. */
export function errorChanges(mapping: Operation, seen: Seen): readonly ErrorChange[] {
  const lines = explain(mapping)
  const statuses = joined(errorsIn(seen).flatMap(([status, calls]) => errorChange(lines, status, calls)))
  const members = Object.entries(seen.violations).map(([legacy, calls]) => violationChange(lines, legacy, calls))
  return [...statuses.toSorted(mostFirst), ...members.toSorted(mostFirst)]
}

const mostFirst = (one: ErrorChange, other: ErrorChange): number => other.calls - one.calls

/** Adds up errors that are the same to the client: an answer of the legacy interface has no code. */
function joined(errors: readonly ErrorChange[]): readonly ErrorChange[] {
  const found = new Map<string, ErrorChange>()
  for (const error of errors) {
    const key = `${error.legacy} ${error.v1}`
    found.set(key, { ...error, calls: error.calls + (found.get(key)?.calls ?? 0) })
  }
  return [...found.values()]
}

function errorChange(lines: readonly ExplainedLine[], key: string, calls: number): readonly ErrorChange[] {
  const [status = '', code] = key.split(' ')
  const statuses = lines.filter(({ part, change }) => part === 'error' && change === 'status')
  const ofCode = statuses.find(({ v1 }) => v1 === code)
  // The table of statuses begins with what the contract says of each.
  const line = ofCode ?? statuses.find(({ legacy, v1 }) => legacy === status && /^\d+$/.test(v1 ?? ''))
  if (line === undefined) return []
  const v1 = ofCode === undefined ? (line.v1 ?? '') : BUSINESS_RULE
  const named = code ?? CODES[v1]
  const change = v1 === status ? 'same status' : 'status'
  return [
    {
      ...asChange(line, {
        legacy: status,
        v1: named === undefined ? v1 : `${v1} ${named}`,
        change,
        says: saysOf(v1, code),
      }),
      calls,
    },
  ]
}

const saysOf = (v1: string, code: string | undefined): string => {
  if (v1 === VALIDATION) return 'errors[] names the members, with only the first error of each'
  if (v1 === BUSINESS_RULE)
    return code === undefined ? 'with a code: go by it, not by the message' : 'go by the code, not by the message'
  return 'go by the status and the code'
}

function violationChange(lines: readonly ExplainedLine[], legacy: string, calls: number): ErrorChange {
  const line = lines.find((one) => one.part === 'request' && one.legacy === legacy && one.v1 !== null)
  const path = lines.find(({ part, v1 }) => part === 'error' && v1 === 'errors[].path')
  return {
    legacy: `violations[].propertyPath: ${legacy}`,
    v1: `errors[].path${line?.v1 == null ? '' : `: ${line.v1.replace(/^\?|[{}]/g, '')}`}`,
    change: 'violation',
    says: null,
    basis: path?.basis ?? 'documented',
    reason: path?.reason ?? null,
    calls,
  }
}
