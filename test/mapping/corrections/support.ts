import { rewriteList, rewritePage, rewriteRecord, rewriteRows } from '../../../src/engine/answer.ts'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import { correct } from '../../../src/mapping/corrections/correct.ts'
import type { OperationCorrections } from '../../../src/mapping/corrections/corrections.ts'
import { parseCorrections } from '../../../src/mapping/corrections/parse-corrections.ts'
import {
  get,
  type Operation,
  operation,
  type ResponseMapping,
  record,
  wholeList,
} from '../../../src/mapping/operation.ts'
import { queryParameters, type RequestMapping } from '../../../src/mapping/request.ts'
import { type Rule, shape } from '../../../src/mapping/shape.ts'

/** Every row of a table of answers: what is shipped, what the file says, what v1 answers, what legacy clients must get. */
export const ALL_ROWS = { skip: 0, take: Number.POSITIVE_INFINITY }

/** An operation with this id `thing`. */
export const thing = (response: ResponseMapping, request: RequestMapping = queryParameters({})): Operation =>
  operation('thing', {
    ...{ says: 'An operation for tests.', legacy: get('/thing'), v1: get('/v1/things'), request, response },
    ...{ effect: 'read', authorization: 'token' },
  })

type Options = { readonly closed?: boolean; readonly v1Only?: Readonly<Record<string, string>> }
export const aRecord = (rules: Readonly<Record<string, Rule>> = {}, options: Options = {}): Operation =>
  thing(record(shape('Thing', rules, options)))
export const aList = (rules: Readonly<Record<string, Rule>> = {}, options: Options = {}): Operation =>
  thing(wholeList(shape('Row', rules, options), { page: 'page', perPage: 'perPage', mostPerPage: 200 }))

/** Applies corrections of `thing`, as MAPPING_FILE would say them. */
export function corrected(shipped: Operation, corrections: OperationCorrections): Operation {
  const file = parseCorrections(JSON.stringify({ operations: { thing: corrections } }))
  const [result] = correct([shipped], file)
  return result as Operation
}

/** What legacy clients get of v1's body: JSON text. */
export function answered(mapping: Operation, v1: unknown): string {
  const [compiled] = compileOperations([mapping])
  if (compiled === undefined) throw new Error('no operation')
  const json = Buffer.from(typeof v1 === 'string' ? v1 : JSON.stringify(v1))
  const { kind } = mapping.response
  if (kind === 'record') return rewriteRecord(compiled.answer, json).toString()
  if (kind === 'list') return rewriteList(compiled.answer, json).toString()
  if (kind === 'page' && compiled.page !== undefined) return rewritePage(compiled.page, json).toString()
  return `[${Buffer.from(rewriteRows(compiled.answer, json, ALL_ROWS).rows).toString()}]`
}

/** What legacy clients get of one row of a whole list. */
export const answeredRow = (mapping: Operation, row: unknown): unknown =>
  (
    JSON.parse(answered(mapping, { items: [row], meta: { page: 1, perPage: 1, total: 1, pageCount: 1 } })) as unknown[]
  )[0]

/** What legacy clients get of a record. */
export const answeredRecord = (mapping: Operation, data: unknown): unknown => JSON.parse(answered(mapping, { data }))

/** The mistakes that corrections have; empty: none. */
export function mistakes(shipped: Operation, corrections: OperationCorrections): readonly string[] {
  try {
    corrected(shipped, corrections)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}
