import { oncePer } from '../../mapping/once-per.ts'
import type { Operation } from '../../mapping/operation.ts'
import { answerParts } from './answer-parts.ts'
import { generalErrorLines, ownErrorLines } from './explain-errors.ts'
import { explainRequest } from './explain-request.ts'
import { explainShape, placeOf } from './explain-shape.ts'
import { assumed, documented, type ExplainedLine, explainedLine } from './explained-line.ts'

/**
 * Explains every line of a mapping, in the mapping's order, and what the gateway does for every operation. Empty if v1 has no
 * equivalent.
 */
export const explain = oncePer((operation: Operation): readonly ExplainedLine[] => {
  if (operation.v1 === undefined) return []
  return [
    ...explainRequest(operation),
    ...explainHeaders(operation),
    ...explainAnswer(operation),
    ...ownErrorLines(operation),
    ...generalErrorLines([operation]),
  ]
})

/** Explains how v1's success is translated: its status, its envelope, its members. */
function explainAnswer(operation: Operation): readonly ExplainedLine[] {
  return [...explainStatus(operation), ...explainEnvelope(operation), ...explainMembers(operation)]
}

function explainStatus({ response }: Operation): readonly ExplainedLine[] {
  if (response.kind === 'pass-through') return []
  const legacy = String(response.status)
  const v1Status = 'v1Status' in response ? response.v1Status : undefined
  if (v1Status === response.status) return []
  return v1Status === undefined
    ? [explainedLine('answer', [legacy, '2xx'], 'status', null, assumed('the contract does not show v1’s status'))]
    : [explainedLine('answer', [legacy, String(v1Status)], 'status', null, documented())]
}

/** Explains v1's envelope (docs/contract.md 8.1): {success, message, data}, or `items` and `meta`. */
function explainEnvelope({ response }: Operation): readonly ExplainedLine[] {
  if (response.kind === 'pass-through') return []
  return [
    ...answerParts(response).map(({ legacy, v1 }) =>
      explainedLine('answer', [legacy, v1], 'envelope', null, documented()),
    ),
    ...(response.kind === 'whole-list'
      ? [added('meta', 'counts rows and pages', 'legacy does not paginate here')]
      : []),
    added('success', 'true', 'v1’s envelope; legacy has none'),
    added('message', 'always Turkish', 'v1’s envelope; legacy has none'),
  ]
}

const added = (v1: string, says: string, reason: string): ExplainedLine =>
  explainedLine('answer', [null, v1], 'added in v1', says, documented(reason))

const explainMembers = ({ response }: Operation): readonly ExplainedLine[] =>
  answerParts(response).flatMap(({ legacy, v1, shape, isList }) =>
    explainShape(shape, 'answer', isList ? placeOf(`${legacy}[]`, `${v1}[]`) : placeOf(legacy, v1)),
  )

/** Explains the headers of the v1 call: docs/contract.md 2.3 and 3. */
function explainHeaders({ authorization, v1 }: Operation): readonly ExplainedLine[] {
  return [
    authorization === 'token'
      ? header('Authorization', 'same', 'Bearer and a v1 token, which v1’s login returns in data.token')
      : header('Authorization', 'left out', 'v1 needs no token here'),
    header('Accept-Language', 'same', 'a value that starts with en selects English, anything else Turkish'),
    ...(v1?.method === 'POST' ? [header('Content-Type', 'converted', 'always application/json')] : []),
  ]
}

const header = (name: string, change: 'same' | 'converted' | 'left out', says: string): ExplainedLine =>
  explainedLine('header', [name, change === 'left out' ? null : name], change, says, documented())
