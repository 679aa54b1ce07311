import type { Seen } from '../../control-plane/usage/usage.ts'
import { timestampConverter } from '../../mapping/converter.ts'
import type { Operation } from '../../mapping/operation.ts'
import { explain } from '../lines/explain.ts'
import type { ExplainedLine } from '../lines/explained-line.ts'
import type { Change, OperationGuide } from './client-guide.ts'
import { asChange } from './request-changes.ts'
import { countOf, errorsIn, hasSucceeded, shows } from './used-operation.ts'

/** Returns what changes in successful answers: the status and envelope that a client got, and the members that had a value. */
export function answerChanges(mapping: Operation, seen: Seen): readonly Change[] {
  if (!hasSucceeded(seen)) return []
  const lines = explain(mapping).filter(({ part }) => part === 'answer')
  const ofMembers = lines.flatMap((line): Change[] => {
    const { legacy, change } = line
    if (legacy === null) return []
    switch (change) {
      case 'status':
        return statusChange(mapping, line, seen)
      case 'envelope':
        return isGot(legacy, seen)
          ? [asChange(line, { says: envelopeInWords(line, lines, seen), topic: 'answers' })]
          : []
      case 'renamed':
      case 'converted':
        return shows(seen.answered, legacy) ? [memberChange(line, countOf(seen.answered, legacy))] : []
      case 'filled in':
        return shows(seen.answered, legacy) ? [filledIn(line, seen)] : []
      default:
        return []
    }
  })
  const current = countOf(seen.statuses, NOT_MODIFIED)
  return current === 0 ? ofMembers : [{ ...NO_ENTITY_TAGS, calls: current }, ...ofMembers]
}

const memberChange = (line: ExplainedLine, calls: number): Change =>
  asChange(line, { calls, ...(line.says === timestampConverter.says && { topic: 'timestamps' }) })

const NOT_MODIFIED = '304'
const NO_ENTITY_TAGS: Change = {
  ...{ legacy: NOT_MODIFIED, v1: '200', change: 'status', says: 'expect the whole list, regardless of If-None-Match' },
  ...{ basis: 'assumed', reason: 'the contract shows no entity tags at v1' },
}

/** Whether a client got something in this part of an answer. Not known where no line lists the contents of the part. */
function isGot(part: string, { answered }: Seen): boolean {
  const names = Object.keys(answered)
  return (
    part === '' ||
    names.length === 0 ||
    names.some((name) => name === part || (/^[.[]/.test(name.slice(part.length)) && name.startsWith(part)))
  )
}

/** The change of a member that v1 no longer returns. */
export const NOT_ANSWERED = 'not answered'

/** Returns the members that answers had and v1 no longer returns. */
export function answerLosses(mapping: Operation, { answered }: Seen): readonly Change[] {
  return explain(mapping)
    .filter(({ part, change }) => part === 'answer' && change === 'lost')
    .filter(({ legacy }) => legacy !== null && shows(answered, legacy))
    .map((line) => asChange(line, { change: NOT_ANSWERED, says: null, calls: countOf(answered, line.legacy ?? '') }))
}

/** A status that the contract does not show may be the same. */
function statusChange({ response }: Operation, line: ExplainedLine, { statuses }: Seen): Change[] {
  const { legacy, v1 } = line
  if (legacy === null || !shows(statuses, legacy) || v1 === null || !/^\d+$/.test(v1)) return []
  const says = response.kind === 'no-content' ? 'with a body: success and message' : null
  return [asChange(line, { says, calls: countOf(statuses, legacy) })]
}

/** Shows the envelope with a member that the client got. */
function envelopeInWords({ legacy, v1 }: ExplainedLine, lines: readonly ExplainedLine[], { answered }: Seen): string {
  const inside = lines.find(
    (line) =>
      line.change === 'same' &&
      line.legacy !== null &&
      shows(answered, line.legacy) &&
      line.v1 !== null &&
      new RegExp(`^${v1}(\\[\\])?\\.`).test(line.v1),
  )
  const what = legacy === '' ? 'what was the whole body' : `what was in ${legacy}`
  return `${what} is in ${v1}${inside === undefined ? '' : `; ${inside.legacy} is ${inside.v1}`}`
}

/** The change of a member that the gateway gets elsewhere than in v1's answer. */
export const FILLED_IN = 'not in v1’s answer'

const filledIn = (line: ExplainedLine, { answered }: Seen): Change =>
  asChange(line, {
    change: FILLED_IN,
    says: `get it where the gateway gets it: ${line.says}`,
    calls: countOf(answered, line.legacy ?? ''),
  })

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
  const byKey = new Map<string, ErrorChange>()
  for (const error of errors) {
    const key = `${error.legacy} ${error.v1}`
    byKey.set(key, { ...error, calls: error.calls + (byKey.get(key)?.calls ?? 0) })
  }
  return [...byKey.values()]
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
        topic: 'errors',
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
    topic: 'errors',
    calls,
  }
}
