import type { Seen } from '../../exchange/seen.ts'
import type { Operation } from '../../mapping/operation.ts'
import { type ExplainedLine, explain } from '../lines/explain.ts'
import type { Change } from './client-guide.ts'
import { asChange } from './request-changes.ts'
import { countOf, hasSucceeded, shows } from './used-operation.ts'

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
        return isGot(legacy, seen) ? [asChange(line, { says: envelopeInWords(line, lines, seen) })] : []
      case 'renamed':
      case 'converted':
        return shows(seen.answered, legacy) ? [asChange(line, { calls: countOf(seen.answered, legacy) })] : []
      case 'filled in':
        return shows(seen.answered, legacy) ? [filledIn(line, seen)] : []
      default:
        return []
    }
  })
  const current = countOf(seen.statuses, NOT_MODIFIED)
  return current === 0 ? ofMembers : [{ ...NO_ENTITY_TAGS, calls: current }, ...ofMembers]
}

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

/** Returns the members that answers had and v1 no longer returns. */
export function answerLosses(mapping: Operation, { answered }: Seen): readonly Change[] {
  return explain(mapping)
    .filter(({ part, change }) => part === 'answer' && change === 'lost')
    .filter(({ legacy }) => legacy !== null && shows(answered, legacy))
    .map((line) => asChange(line, { change: 'not answered', says: null, calls: countOf(answered, line.legacy ?? '') }))
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

const filledIn = (line: ExplainedLine, { answered }: Seen): Change =>
  asChange(line, {
    change: 'not in v1’s answer',
    says: `get it where the gateway gets it: ${line.says}`,
    calls: countOf(answered, line.legacy ?? ''),
  })
