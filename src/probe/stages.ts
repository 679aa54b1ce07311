import type { Operation } from '../mapping/operation.ts'
import { scalarMembers } from './answer-members.ts'
import { FEW_ROWS } from './boundaries.ts'
import { type Choice, draftOf, filtersOf, inTurn, made, type Stage } from './choices.ts'
import type { Draft } from './draft.ts'
import { type Input, inputsOf, type Json } from './input.ts'

/** Each input alone: first with one value, then with others. */
export const alone: Stage = (operation, known) => {
  const filters = filtersOf(operation, known).map(({ choices }) =>
    choices.map((one) => draftOf(operation, known, [one])),
  )
  return { first: filters.flatMap(([one]) => one ?? []), more: inTurn(filters.map(([, ...others]) => others)) }
}

/** For each input, one value that it should not accept. */
export const wrong: Stage = (operation, known) => ({
  first: inputsOf(operation).map((input) => draftOf(operation, known, [made(input, wrongFor(input))])),
  more: [],
})

/** Each member to sort by, in both orders. */
export const sorts: Stage = (operation, known) => {
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
export const languages: Stage = (operation, known) => {
  const texts = filtersOf(operation, known).filter(({ input: { type } }) => type === undefined || type === 'string')
  return {
    first: (['en', 'tr'] as const).map((language) => ({ ...draftOf(operation, known, []), language })),
    more: texts.flatMap(({ choices }) =>
      choices.slice(0, 1).map((one) => ({ ...draftOf(operation, known, [one]), language: 'en' as const })),
    ),
  }
}

/** How many pairs to ask before more of anything else. */
const FIRST_PAIRS = 6

/** Each pair of inputs, with values of the same row. Every second pair is asked in English. */
export const pairs: Stage = (operation, known) => {
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
