import { oncePer } from '../../mapping/once-per.ts'
import type { Operation } from '../../mapping/operation.ts'
import { explainAnswer } from './explain-answer.ts'
import { explainErrors } from './explain-errors.ts'
import { explainHeaders } from './explain-headers.ts'
import type { ExplainedLine } from './explain-line.ts'
import { explainRequest } from './explain-request.ts'

export type { ExplainedLine } from './explain-line.ts'

/**
 * Explains every line of a mapping, in the order in which it states them, and what the engine does without being told.
 * Empty where v1 has no equivalent.
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
