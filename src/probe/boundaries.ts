import type { Operation } from '../mapping/operation.ts'
import { type Choice, draftOf, filtersOf, inTurn, type Known, made, type Questions } from './choices.ts'
import type { Draft } from './draft.ts'
import { type Input, inputsOf, type Json } from './input.ts'

/** First, last and past the last page; few, many and most rows; first and last day; least and most; empty, null and absent. */
export function boundaries(operation: Operation, known: Known): Questions {
  const inputs = inputsOf(operation)
  const asked = (choices: readonly Choice[]): Draft => draftOf(operation, known, choices)
  const empty = (value: Json | undefined): readonly Choice[] => inputs.map((input) => made(input, value))
  const isInner = (path: string): boolean => operation.request.kind === 'body' && path.includes('.')
  const days = inputs.flatMap((input) => daysOf(operation, input, known))
  const bounds = filtersOf(operation, known).flatMap(({ input }) =>
    [input.low, input.high].flatMap((bound) => (bound === undefined ? [] : [made(input, bound)])),
  )
  return {
    first: [
      ...inTurn([pagesOf(inputs, operation, known).map(asked), [...days, ...bounds].map((choice) => asked([choice]))]),
      // All inputs at once; `more` asks for each alone.
      ...['', null].map((value) => asked(empty(value).filter(([path]) => !isInner(path)))),
      ...rawBodiesOf(operation),
    ],
    more: EMPTY.flatMap((value) => empty(value).map((choice) => asked([choice]))),
  }
}

/** Undefined leaves the member out of the body. */
const EMPTY: readonly (Json | undefined)[] = [undefined, null, '']

/** Pages of this size split almost any list into many pages. */
export const FEW_ROWS = 2

function pagesOf(inputs: readonly Input[], operation: Operation, { seen }: Known): readonly (readonly Choice[])[] {
  const { request } = operation
  const stitching = 'stitching' in request ? request.stitching : undefined
  const [page, rows] = (['page', 'rows'] as const).map((role) => inputs.find((input) => input.role === role))
  const count = seen.rows(operation)
  const most = stitching?.paging.mostPerPage
  const counts = [...(most === undefined ? [] : [most + 1, most]), 1, ...(rows?.high === undefined ? [] : [rows.high])]
  const ofRows = rows === undefined ? [] : counts.map((number) => [made(rows, number)])
  if (page === undefined) return ofRows
  const last =
    count === undefined || stitching === undefined ? 1 : Math.max(1, Math.ceil(count / stitching.defaultPerPage))
  const ofPages = [2, last, last + 1, 1].map((number) => [made(page, number)])
  const small = rows === undefined ? [] : [[made(page, 2), made(rows, FEW_ROWS)]]
  const lastRow = rows === undefined || count === undefined ? [] : [[made(page, Math.max(1, count)), made(rows, 1)]]
  return [...inTurn([ofPages, ofRows]), ...small, ...lastRow]
}

/** The first and the last day that were seen. */
function daysOf(operation: Operation, input: Input, { seen }: Known): readonly Choice[] {
  return seen.days(operation, input).map((chosen): Choice => [input.path, chosen])
}

/** Bodies that are not objects, where the mapping accepts a request without a body. */
function rawBodiesOf(operation: Operation): readonly Draft[] {
  const isLenient = operation.request.kind === 'body-parameters' && operation.request.emptyBody === 'an empty object'
  return isLenient ? ['', '[]'].map((raw) => ({ operation, set: new Map(), raw })) : []
}
