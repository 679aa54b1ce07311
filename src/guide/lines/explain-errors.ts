import { KEPT_STATUSES } from '../../engine/read-v1-error.ts'
import type { ErrorRule, Operation } from '../../mapping/operation.ts'
import { assumed, type Because, documented, type ExplainedLine, explainedLine } from './explained-line.ts'

/** Explains the errors of v1 for which a mapping has a rule of its own. */
export const ownErrorLines = ({ v1, errors = {} }: Operation): readonly ExplainedLine[] =>
  v1 === undefined ? [] : Object.entries(errors).map(([code, rule]) => explainCode(code, rule))

/** Explains what holds for the errors of all operations: the table of statuses, and the members of the body. */
export const generalErrorLines = (operations: readonly Operation[]): readonly ExplainedLine[] =>
  operations.some(({ v1 }) => v1 !== undefined) ? [...STATUSES, ...MEMBERS] : []

interface Refused {
  readonly status: number
  readonly says: string
}

export const TOO_LARGE: Refused = { status: 413, says: 'the body is larger than the gateway accepts' }

/** Bodies that the gateway refuses without asking v1. */
export const REFUSED_BODIES: readonly Refused[] = [
  TOO_LARGE,
  { status: 415, says: 'the body has a Content-Encoding other than gzip and deflate' },
]

/** Paths and methods that the gateway refuses. */
export const REFUSED_PATHS: readonly Refused[] = [
  { status: 404, says: 'the path is unknown, and no legacy service is configured' },
  { status: 405, says: 'the path does not allow the method; the header Allow names those that it does' },
]

/** Operations that the gateway cannot serve. */
export const NOT_SERVED: readonly Refused[] = [
  { status: 501, says: 'v1 has no equivalent, and no legacy service is configured' },
]

function explainCode(code: string, { status, ownMessage, reason, basis }: ErrorRule): ExplainedLine {
  const says = ownMessage === true ? 'with legacy’s message instead of v1’s' : null
  return statusLine(status ?? null, code, says, basis === 'assumed' ? assumed(reason) : documented(reason))
}

const statusLine = (legacy: number | null, v1: string | null, says: string | null, because: Because): ExplainedLine =>
  explainedLine('error', [legacy === null ? null : String(legacy), v1], 'status', says, because)

/** The general table of statuses: docs/contract.md 8.2 and 9; where that is silent, docs/decisions/0011. */
const STATUSES: readonly ExplainedLine[] = [
  statusLine(400, '422', 'with a violation for each error', documented()),
  statusLine(406, '400', 'with a code: a business rule', documented()),
  statusLine(
    400,
    '400',
    'without a code: with v1’s message, and a violation for each error that v1 lists',
    assumed('business rule errors have a code; without one, the request itself is wrong'),
  ),
  statusLine(500, '503', 'with the unexpected-error message', documented()),
  ...KEPT_STATUSES.map((status) =>
    statusLine(status, String(status), null, assumed('the contract shows no other legacy status for it')),
  ),
  statusLine(
    500,
    '5xx',
    'with the unexpected-error message; also if v1 is unreachable, is too slow, or does not answer as the contract promises. The header X-Gateway-Error names the failure',
    assumed('the contract shows only the 503'),
  ),
  statusLine(
    400,
    null,
    'a body that is not a JSON object, or an invalid value: the gateway refuses the call and does not ask v1',
    assumed('the contract does not show legacy’s answer'),
  ),
]

function member(legacy: string | null, v1: string, says: string | null, because: Because): ExplainedLine {
  const change = legacy === null ? 'added in v1' : legacy === v1 ? 'same' : 'renamed'
  return explainedLine('error', [legacy, v1], change, says, because)
}

const MEMBERS: readonly ExplainedLine[] = [
  member(
    'message',
    'message',
    'in Turkish, v1’s own text; in English, if Accept-Language selects it, a text by v1’s code',
    assumed(
      'v1’s messages are always Turkish, except those of validation; legacy translated them, but the contract does not show its texts',
    ),
  ),
  member('violations[].propertyPath', 'errors[].path', 'the path of the legacy field', documented()),
  member('violations[].message', 'errors[].message', null, assumed('the contract shows only path in errors[]')),
  member('params', 'params', null, assumed('the contract shows it in v1, but not whether legacy had it')),
  member(null, 'code', 'answered in the header X-Gateway-Code', documented('integrations use it, not the message')),
  member(null, 'success', 'false', documented('v1’s envelope; legacy has none')),
]
