import type { Operation } from '../mapping/operation.ts'
import type { Chosen } from './draft.ts'
import type { Input } from './input.ts'
import type { Seen, SeenMember, Value } from './read-seen.ts'

/** Looks up what may fill an input. */
export interface SeenValues {
  /**
   * Returns the values that were seen and fit an input. For every input, the values of the same row come first, so that together
   * they match that row. Searches by name, first the operation's own answers, then the others'. A text input without a member of
   * that name takes any text.
   */
  of(operation: Operation, input: Input): readonly Chosen[]
  /** Returns the first and the last day seen in the member that a date input refers to. */
  days(operation: Operation, input: Input): readonly Chosen[]
  /** Returns how many rows all pages of an operation have; undefined if unknown. */
  rows(operation: Operation): number | undefined
  hasContent(operation: Operation): boolean
  /** Returns a value for one of the inputs that narrows down a long list; undefined if the list is short, or no such value is known. */
  narrowing(operation: Operation, inputs: readonly Input[]): readonly [path: string, chosen: Chosen] | undefined
}

/** A list with more rows takes many pages of v1. */
const LONG = 2_000
/** Fewer rows show no order. */
const FEW = 3

/** A member with its name for people. */
type Found = readonly [from: string, member: SeenMember]

/** @param operations in the order in which they are searched. */
export function seenValues(operations: readonly Operation[], seen: ReadonlyMap<string, Seen>): SeenValues {
  const membersOf = ({ id }: Operation): readonly Found[] => [...(seen.get(id)?.members ?? [])]
  const named = (operation: Operation, input: Input, isElsewhere = true): Found | undefined => {
    const own = membersOf(operation)
    const above = input.path.split('.').slice(0, -1)
    return (
      own.find(([path]) => path === withoutIndices(input.path)) ??
      own.find(([path]) => isAbout(input, namesOf(path))) ??
      // `total.from` refers to `total`.
      own.find(([path]) => above.includes(path)) ??
      (isElsewhere ? elsewhere(operation, input) : undefined)
    )
  }
  const elsewhere = (operation: Operation, input: Input): Found | undefined => {
    for (const other of operations) {
      if (other.id === operation.id) continue
      const found = membersOf(other).find(([path]) => isAbout(input, namesElsewhere(other, path)))
      if (found !== undefined) return [`${other.id} ${found[0]}`, found[1]]
    }
    return undefined
  }
  const dated = (operation: Operation, input: Input): Found | undefined => {
    const all = membersOf(operation).filter(([, { days }]) => days !== undefined)
    return all.find(([path]) => input.path.split('.').some((name) => name.startsWith(lastOf(path)))) ?? all[0]
  }
  const texts = (operation: Operation): readonly Chosen[] =>
    membersOf(operation)
      .filter(([path, { values, days }]) => !path.includes('.') && days === undefined && typeof values[0] === 'string')
      .slice(0, TEXTS)
      .flatMap((found) => chosenOf(found, (value) => value).slice(0, 1))
  return {
    of(operation, input) {
      if (input.type === 'date') return chosenOf(dated(operation, input), dayOf)
      const found = named(operation, input)
      if (found === undefined && input.isFreeText) return texts(operation)
      const fitting = chosenOf(found, (value) => (fits(value, input.type) ? value : undefined))
      return input.type === 'bool' ? withBoth(fitting) : fitting
    },
    days(operation, input) {
      const [from, { days = [] }] = (input.type === 'date' ? dated(operation, input) : undefined) ?? [
        '',
        { values: [] },
      ]
      return days.map((value) => ({ value, from }))
    },
    rows: ({ id }) => seen.get(id)?.rows,
    hasContent: ({ id }) => seen.get(id)?.hasContent ?? false,
    narrowing(operation, inputs) {
      if ((seen.get(operation.id)?.size ?? 0) <= LONG) return undefined
      const parts = inputs.flatMap((input) => {
        const [from, { values, counts }] = named(operation, input, false) ?? ['', { values: [], counts: [] }]
        return values.flatMap((value, at) => {
          const count = counts[at] ?? 0
          return count < FEW || count > LONG || !fits(value, input.type)
            ? []
            : [{ path: input.path, value, from, count }]
        })
      })
      const [largest] = parts.sort((a, b) => b.count - a.count)
      return largest && [largest.path, { value: largest.value, from: largest.from }]
    },
  }
}

function chosenOf(found: Found | undefined, as: (value: Value) => Value | undefined): readonly Chosen[] {
  if (found === undefined) return []
  const [from, { values }] = found
  const usable = new Set(values.map(as).filter((value) => value !== undefined))
  return [...usable].map((value) => ({ value, from }))
}

/** How many members give a text for a search. */
const TEXTS = 3

const dayOf = (value: Value): Value => String(value).slice(0, 'YYYY-MM-DD'.length)

/** Adds the other value of a boolean: it is not a secret, and may match as well. */
const withBoth = (seen: readonly Chosen[]): readonly Chosen[] =>
  [...new Set([...seen.map(({ value }) => value), true, false])].map((value) => ({ value, from: undefined }))

function fits(value: Value, type: Input['type']): boolean {
  if (type === 'bool') return typeof value === 'boolean'
  if (type === 'int') return typeof value !== 'boolean' && Number.isInteger(Number(value))
  if (type === 'number') return typeof value === 'number'
  return type === undefined || type === 'string'
}

const isAbout = ({ names }: Input, others: readonly string[]): boolean => names.some((name) => others.includes(name))

/** What a request may call a member of a row: `statusId` is `status.id`. */
function namesOf(path: string): readonly string[] {
  const [last = '', above] = path.split('.').reverse()
  return above === undefined ? [last] : [joined(above, last), last]
}

/** What requests of other operations may call it: `countryId` is `id` in the rows of `/country/all`, and `country` is their `name`. */
function namesElsewhere({ legacy }: Operation, path: string): readonly string[] {
  if (path.includes('.')) return namesOf(path).slice(0, 1)
  const things = legacy.path.split('/').filter((part) => part !== '')
  return [path, ...things.map((thing) => joined(thing, path)), ...(path === 'name' ? things : [])]
}

const joined = (one: string, other: string): string => `${one}${other.charAt(0).toUpperCase()}${other.slice(1)}`

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

const withoutIndices = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '')
