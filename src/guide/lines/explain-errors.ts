import { KEPT_STATUSES } from '../../engine/kept-statuses.ts'
import type { ErrorRule, Operation } from '../../mapping/operation.ts'
import { assumed, documented, type ExplainedLine } from './explain-line.ts'

/** Explains what becomes of v1's errors: the codes that are special here, the table of statuses, the members of the body. */
export function explainErrors({ errors = {} }: Operation): readonly ExplainedLine[] {
  return [...Object.entries(errors).map(([code, rule]) => explainCode(code, rule)), ...STATUSES, ...MEMBERS]
}

function explainCode(code: string, { status, ownMessage, reason, basis }: ErrorRule): ExplainedLine {
  return {
    part: 'error',
    legacy: status === undefined ? null : String(status),
    v1: code,
    change: 'status',
    says: ownMessage === true ? 'with the message that legacy had in place of v1’s' : null,
    ...(basis === 'assumed' ? assumed(reason) : documented(reason)),
  }
}

function statusLine(legacy: number, v1: string | null, says: string | null, why: Why): ExplainedLine {
  return { part: 'error', legacy: String(legacy), v1, change: 'status', says, ...why }
}

type Why = Pick<ExplainedLine, 'basis' | 'reason'>

/** docs/contract.md 8.2 and 9; where that is silent, docs/decisions/0011. */
const STATUSES: readonly ExplainedLine[] = [
  statusLine(400, '422', 'with a violation for each error', documented()),
  statusLine(406, '400', 'with a code: a business rule', documented()),
  statusLine(
    400,
    '400',
    'without a code: with v1’s message, and a violation for each error that it names',
    assumed('a business rule has a code: what has none says that the request is wrong'),
  ),
  statusLine(500, '503', 'with the message of an unexpected error', documented()),
  ...KEPT_STATUSES.map((status) =>
    statusLine(status, String(status), null, assumed('the contract shows no other status for it in legacy')),
  ),
  statusLine(
    500,
    '5xx',
    'with the message of an unexpected error, also when v1 cannot be reached, is too slow, or answers what it does not promise; the header X-Gateway-Error says which',
    assumed('of failures the contract knows the 503 alone'),
  ),
  statusLine(
    400,
    null,
    'a body that is no JSON object, or a value that cannot be read: the gateway refuses it, and v1 is not asked',
    assumed('the contract does not show how legacy answers it'),
  ),
]

function member(legacy: string | null, v1: string, says: string | null, why: Why): ExplainedLine {
  return {
    part: 'error',
    legacy,
    v1,
    change: legacy === null ? 'added in v1' : legacy === v1 ? 'same' : 'renamed',
    says,
    ...why,
  }
}

const MEMBERS: readonly ExplainedLine[] = [
  member(
    'message',
    'message',
    'Turkish as v1 has it; English by its code, where Accept-Language asks for it',
    assumed('v1’s are always Turkish, those of validation aside; legacy translated them, and its texts are not shown'),
  ),
  member('violations[].propertyPath', 'errors[].path', 'the path of the legacy field', documented()),
  member('violations[].message', 'errors[].message', null, assumed('of errors[] the contract shows only path')),
  member('params', 'params', null, assumed('the contract shows it in v1; whether legacy had it is not shown')),
  member(null, 'code', 'answered in the header X-Gateway-Code', documented('programs go by it, not by the message')),
  member(null, 'success', 'false', documented('v1’s envelope; legacy has none')),
]
