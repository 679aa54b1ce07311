import type { Operation } from '../mapping/operation.ts'
import type { Chosen, Draft } from './draft.ts'
import { type Input, inputsOf, type Json } from './input.ts'
import type { SeenValues } from './seen-values.ts'

/** What is known when requests are planned. */
export interface Known {
  readonly seen: SeenValues
  /** Returns the values with which an operation showed content, otherwise the values that it needs. */
  baseOf(operation: Operation): Draft['set']
}

/** What to ask of an operation: first the most telling questions, then more of the same kind, which the budget may not allow. */
export interface Questions {
  readonly first: readonly Draft[]
  readonly more: readonly Draft[]
}

/** One kind of questions. */
export type Stage = (operation: Operation, known: Known) => Questions

/** A value for the input at a path. */
export type Choice = readonly [path: string, chosen: Chosen]

/** Chooses a value that did not come from a service's answer. */
export const made = ({ path }: Input, value: Json | undefined): Choice => [path, { value, from: undefined }]

/** Makes a draft from the values that showed content, and these choices. It asks for only a part of a long list, unless a choice already does. */
export function draftOf(operation: Operation, { seen, baseOf }: Known, choices: readonly Choice[]): Draft {
  const filters = inputsOf(operation).filter(({ role }) => role === 'value')
  const isNarrow = choices.some(([path]) => filters.some((input) => input.path === path))
  const part = isNarrow ? undefined : seen.narrowing(operation, filters)
  return { operation, set: new Map([...baseOf(operation), ...(part === undefined ? [] : [part]), ...choices]) }
}

/** An input with the values to try, the most telling first: those that were seen, then those that the mapping names. */
export interface Filter {
  readonly input: Input
  readonly choices: readonly Choice[]
}

/** Returns the inputs that take values, if at least one value is known. */
export function filtersOf(operation: Operation, { seen }: Pick<Known, 'seen'>): readonly Filter[] {
  return inputsOf(operation).flatMap((input) => {
    if (input.role !== 'value') return []
    const values = seen.of(operation, input)
    const known = input.known.filter((value) => !values.some((other) => String(other.value) === String(value)))
    const choices = [
      ...values.map((chosen): Choice => [input.path, chosen]),
      ...known.map((value) => made(input, value)),
    ]
    return choices.length === 0 ? [] : [{ input, choices }]
  })
}

/** Returns the values without which an operation cannot be called, as the mapping names them. */
export function neededBy(operation: Operation): Draft['set'] {
  const needed = inputsOf(operation).filter(({ isNeeded }) => isNeeded)
  return new Map(needed.map((input) => made(input, input.known[0] ?? input.low ?? 1)))
}

/** Returns the first of each list, then the second of each, and so on. */
export function inTurn<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}
