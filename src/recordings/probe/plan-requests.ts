import { answerParts } from '../../guide/lines/answer-parts.ts'
import type { Operation } from '../../mapping/operation.ts'
import {
  type Choice,
  type Draft,
  draftOf,
  filtersOf,
  inTurn,
  type Known,
  made,
  neededBy,
  type Questions,
  type Stage,
} from './draft.ts'
import { type Input, inputsOf, type Json } from './input.ts'
import type { SeenValues } from './seen-values.ts'

/** Returns the legacy names of the single-value members in an operation's rows: what the rows may be sorted by. */
function scalarMembers({ response }: Operation): readonly string[] {
  const rules = Object.entries(answerParts(response)[0]?.shape.rules ?? {})
  return rules.flatMap(([path, rule]) => {
    const isNested = rule.kind === 'field' && (rule.value.kind === 'object' || rule.value.kind === 'list')
    return isNested || path.includes('.') ? [] : [path]
  })
}

/** Each input alone: first with one value, then with others. */
const alone: Stage = (operation, known) => {
  const filters = filtersOf(operation, known).map(({ choices }) =>
    choices.map((one) => draftOf(operation, known, [one])),
  )
  return { first: filters.flatMap(([one]) => one ?? []), more: inTurn(filters.map(([, ...others]) => others)) }
}

/** For each input, one value that it should not accept. */
const wrong: Stage = (operation, known) => ({
  first: inputsOf(operation).map((input) => draftOf(operation, known, [made(input, wrongFor(input))])),
  more: [],
})

/** Each member to sort by, in both orders. */
const sorts: Stage = (operation, known) => {
  const inputs = inputsOf(operation)
  const direction = inputs.find(({ role }) => role === 'direction')
  const orders = direction === undefined ? [] : ['asc', 'desc'].map((order) => made(direction, order))
  const keys = inputs
    .filter(({ role }) => role === 'sort')
    .flatMap((input) => sortedBy(operation, input).map((value) => made(input, value)))
  const ofKey = (key: Choice): readonly Draft[] =>
    (orders.length === 0 ? [[key]] : orders.map((order) => [key, order])).map((one) => draftOf(operation, known, one))
  const [first, ...others] = keys
  const alone = first === undefined ? [] : ofKey(first)
  return {
    first: alone,
    more: [...others.flatMap(ofKey), ...orders.map((order) => draftOf(operation, known, [order]))],
  }
}

/** Returns the values to sort by: those that the mapping names and, if it allows any text, every member of the answer. */
const sortedBy = (operation: Operation, { isFreeText, known }: Input): readonly Json[] =>
  isFreeText ? [...new Set([...known, ...scalarMembers(operation)])] : known

/** Both languages: what shows values, then each text that was seen. */
const languages: Stage = (operation, known) => {
  const texts = filtersOf(operation, known).filter(({ input: { type } }) => type === undefined || type === 'string')
  return {
    first: (['en', 'tr'] as const).map((language) => ({ ...draftOf(operation, known, []), language })),
    more: texts.flatMap(({ choices }) =>
      choices.slice(0, 1).map((one) => ({ ...draftOf(operation, known, [one]), language: 'en' as const })),
    ),
  }
}

/** The number of pairs to ask before more of anything else. */
const FIRST_PAIRS = 6

/** Each pair of inputs, with values of the same row. Every second pair is asked in English. */
const pairs: Stage = (operation, known) => {
  const choices = [
    ...filtersOf(operation, known).flatMap((filter) => filter.choices.slice(0, 1)),
    ...inputsOf(operation).flatMap((input) => (input.role === 'rows' ? [made(input, FEW_ROWS)] : [])),
  ]
  const all = inTurn(choices.map((one, at) => choices.slice(at + 1).map((other) => [one, other]))).map(
    (both, at): Draft => ({ ...draftOf(operation, known, both), ...(at % 2 === 0 ? {} : { language: 'en' }) }),
  )
  return { first: all.slice(0, FIRST_PAIRS), more: all.slice(FIRST_PAIRS) }
}

/** Longer than any filter that a service accepts. */
const TOO_LONG = 'x'.repeat(300)

function wrongFor({ type, role, low, isFreeText }: Input): Json {
  if (role === 'sort' || role === 'direction') return 'no-such-order'
  if (low !== undefined) return low - 1
  if (isFreeText) return TOO_LONG
  return type === 'array' || type === 'object' ? 'no-list' : 'no-such-value'
}

/** First, last and past the last page; few, many and most rows; first and last day; least and most; empty, null and absent. */
function boundaries(operation: Operation, known: Known): Questions {
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
const FEW_ROWS = 2

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

/** The order of the stages: first the most telling questions of each, then more. A small budget leaves out the last. */
const FIRST: readonly Stage[] = [alone, boundaries, wrong, sorts, languages, pairs]
const MORE: readonly Stage[] = [alone, sorts, languages, wrong, pairs, boundaries]

/** Plans requests that show values: each operation with only what it needs. */
export const planFirst = (operations: readonly Operation[]): readonly Draft[] =>
  operations.map((operation) => ({ operation, set: neededBy(operation) }))

/** Plans further requests for operations that showed nothing: with their example, and with values that others showed. */
export const planAgain = (operations: readonly Operation[], seen: SeenValues): readonly Draft[] =>
  inTurn(operations.filter((operation) => !seen.hasContent(operation)).map((operation) => triesOf(operation, seen)))

/**
 * Plans everything else, stage by stage, taking operations in turn within each, so that even a small budget asks questions of every
 * kind. The same knowledge gives the same plan.
 */
export function planRest(operations: readonly Operation[], known: Known): readonly Draft[] {
  const asked = (stages: readonly Stage[], when: keyof Questions): readonly Draft[] =>
    stages.flatMap((stage) => inTurn(operations.map((operation) => stage(operation, known)[when])))
  return [...asked(FIRST, 'first'), ...asked(MORE, 'more')]
}

/** The number of values of each input to try in order to get any content. */
const TRIES = 3

function triesOf(operation: Operation, seen: SeenValues): readonly Draft[] {
  const needed = neededBy(operation)
  const filters = filtersOf(operation, { seen })
  const isBody = operation.request.kind === 'body'
  // A body starts as its example.
  const example = isBody
    ? []
    : filters.flatMap(({ choices }) => choices.filter(([, { from }]) => from === undefined).slice(0, 1))
  const isBegun = (path: string): boolean => isBody || needed.has(path)
  const tries = Array.from({ length: TRIES }, (_, at) =>
    filters.flatMap(({ input, choices }): readonly Choice[] => {
      const one = choices.filter(([, { from }]) => from !== undefined)[at]
      return one === undefined || !isBegun(input.path) ? [] : [one]
    }),
  )
  return [example, ...tries]
    .filter((choices) => choices.length > 0)
    .map((choices) => ({ operation, set: new Map([...needed, ...choices]) }))
}
