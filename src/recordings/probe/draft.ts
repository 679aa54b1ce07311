import type { Operation } from '../../mapping/operation.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'
import { type Input, inputsOf, type Json, startOf } from './input.ts'
import type { SeenValues } from './seen-values.ts'

/** A value for an input. */
export interface Chosen {
  /** Undefined to leave the member out. */
  readonly value: Json | undefined
  /** The member of an answer that held the value, which may then be personal and never appears in reports. Undefined if it is from no answer. */
  readonly from: string | undefined
}

/** A request to make: values of inputs, by path. All other inputs are as in `startOf`. */
export interface Draft {
  readonly operation: Operation
  readonly set: ReadonlyMap<string, Chosen>
  readonly language?: 'en' | 'tr'
  /** A body that replaces all of these. */
  readonly raw?: string
}

/** Makes the request of a draft, as if a recording held it in this line. */
export function requestOf({ operation, set, language, raw }: Draft, line: number): RecordedExchange {
  const { method, path } = operation.legacy
  const headers = language === undefined ? {} : { 'accept-language': language }
  if (operation.request.kind === 'query-parameters') {
    const query = new URLSearchParams(
      [...set].flatMap(([name, { value }]): [string, string][] =>
        value === undefined || value === null ? [] : [[name, String(value)]],
      ),
    ).toString()
    return { line, method, path: query === '' ? path : `${path}?${query}`, headers }
  }
  const body = raw ?? JSON.stringify([...set].reduce(withMember, startOf(operation)))
  return { line, method, path, headers: { ...headers, 'content-type': 'application/json' }, body: Buffer.from(body) }
}

/** Returns a body with another value at a path. Does not add missing items to lists. */
function withMember(body: Json, [path, { value }]: readonly [string, Chosen]): Json {
  return put(body, path.split('.'), value)
}

function put(into: Json, [name = '', ...rest]: readonly string[], value: Json | undefined): Json {
  if (Array.isArray(into)) {
    const items = into as readonly Json[]
    const inner = rest.length === 0 ? value : put(items[Number(name)] ?? {}, rest, value)
    return items.flatMap((item, at) => (at === Number(name) ? (inner === undefined ? [] : [inner]) : [item]))
  }
  const members = typeof into === 'object' && into !== null ? (into as Readonly<Record<string, Json>>) : {}
  const inner = rest.length === 0 ? value : put(members[name] ?? {}, rest, value)
  if (inner !== undefined) return { ...members, [name]: inner }
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))
}

/**
 * Says what a draft asks: the inputs that it sets, and their values. A value from an answer's member `name` is written as
 * `<name>`.
 */
export function sayDraft({ operation, set, language, raw }: Draft): string {
  const inputs = [...set].map(([path, { value, from }]) => {
    if (value === undefined) return `without ${path}`
    return `${path}=${from === undefined ? shortened(JSON.stringify(value)) : `<${from}>`}`
  })
  const body = raw === undefined ? inputs : [raw === '' ? 'no body' : `body ${raw}`]
  const nothing = operation.request.kind === 'body' ? 'the example of the mapping' : 'no parameters'
  return [...(body.length === 0 ? [nothing] : body), ...(language === undefined ? [] : [`in ${language}`])].join(', ')
}

const MOST_SHOWN = 40

const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

/** The knowledge from which requests are planned. */
export interface Known {
  readonly seen: SeenValues
  /** Returns the values with which an operation showed content, otherwise the values that it needs. */
  baseOf(operation: Operation): Draft['set']
}

/** The questions to ask of an operation: first the most telling questions, then more of the same kind, which the budget may not allow. */
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
interface Filter {
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
