import { oncePer } from '../../mapping/once-per.ts'
import type { Operation } from '../../mapping/operation.ts'
import { explainAnswer } from './explain-answer.ts'
import { explainErrors } from './explain-errors.ts'
import { explainHeaders } from './explain-headers.ts'
import type { ExplainedLine } from './explain-line.ts'
import { explainRequest } from './explain-request.ts'

export type { ExplainedLine } from './explain-line.ts'

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
    ...explainErrors(operation),
  ]
})
