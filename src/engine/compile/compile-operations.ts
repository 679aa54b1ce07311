import { oncePer } from '../../mapping/once-per.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { RequestMapping } from '../../mapping/request.ts'
import { type PagePlan, pagePlan } from '../answer.ts'
import { errorPathTranslator, type SentValue, sentValueOf } from '../error-path.ts'
import type { ValuePlan } from '../rewrite/rewrite-plan.ts'
import { type LegacyInput, requestTranslator, type Translation } from '../translate-request.ts'
import { checkForm } from './check-form.ts'
import { checkOperations } from './check-operations.ts'
import { valuePlan } from './compile.ts'

/** Mistakes in mappings, found at start-up. Each names its file and field. */
export class MappingError extends Error {
  override readonly name = 'MappingError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The mappings have mistakes:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** A mapping and everything compiled from it before the first call. */
export interface CompiledOperation {
  readonly mapping: Operation
  translateRequest(input: LegacyInput): Translation
  /** How v1's record or row becomes the legacy one. A copy if v1 answers neither. */
  readonly answer: ValuePlan
  /** How a page of v1 becomes the legacy one. Undefined if v1 answers no page. */
  readonly page: PagePlan | undefined
  /** Translates v1's `errors[].path` into the path of the legacy field. */
  legacyErrorPath(v1Path: string): string
  /** Returns the legacy form of a value that a v1 error names. Undefined if both sides write all values alike. */
  readonly sentValue: SentValue | undefined
}

/**
 * Checks and compiles mappings.
 * @throws MappingError with the mistakes of all of them.
 */
export const compileOperations = oncePer((operations: readonly Operation[]): readonly CompiledOperation[] => {
  const misformed = checkForm(operations)
  const problems = misformed.length > 0 ? misformed : checkOperations(operations)
  if (problems.length > 0) throw new MappingError(problems)
  return operations.map(compileOperation)
})

/** Compiles a mapping that was checked, once. */
const compileOperation = oncePer((mapping: Operation): CompiledOperation => {
  const answer = answerPlan(mapping)
  return {
    mapping,
    translateRequest: requestTranslator(mapping),
    answer,
    page: pagePlanOf(mapping, answer),
    legacyErrorPath: errorPathTranslator(mapping),
    sentValue: sentValueOf(mapping),
  }
})

function answerPlan({ response }: Operation): ValuePlan {
  switch (response.kind) {
    case 'record':
    case 'whole-list':
      return valuePlan({ kind: 'object', shape: response.shape }, 'toLegacy')
    case 'page':
      return valuePlan({ kind: 'object', shape: response.rows.shape }, 'toLegacy')
    case 'list':
      return valuePlan({ kind: 'list', shape: response.shape }, 'toLegacy')
    case 'no-content':
    case 'pass-through':
      return { kind: 'copy' }
  }
}

function pagePlanOf({ response }: Operation, row: ValuePlan): PagePlan | undefined {
  if (response.kind !== 'page') return undefined
  const { rows, meta } = response
  return pagePlan(rows.at, row, meta.at, valuePlan({ kind: 'object', shape: meta.shape }, 'toLegacy'))
}

/** Whether the mapping reads the body of a request. */
export const readsBody = ({ kind }: RequestMapping): boolean => kind !== 'query-parameters'
