import { isObject, type JsonValue, readBody } from '../../control-plane/evidence/diff/json-value.ts'
import { stratumOf } from '../../control-plane/evidence/observation.ts'
import type { Operation, ResponseMapping } from '../../mapping/operation.ts'
import type { Chosen } from './draft.ts'
import { type Input, lastOf } from './input.ts'

type Value = string | number | boolean

/** The values that a member of an operation's rows has held. Personal data: kept in memory only. */
interface SeenMember {
  /** Distinct values; the first is from the first row that has one. */
  readonly values: readonly Value[]
  /** How many rows have each value. */
  readonly counts: readonly number[]
  /** For timestamps and dates: the first and the last day, `YYYY-MM-DD`. */
  readonly days: readonly [first: string, last: string] | undefined
}

/** The values that one answer of the control shows. */
export interface Seen {
  /** A success with content. */
  readonly hasContent: boolean
  /** By path in a row, with dots and without lists. */
  readonly members: ReadonlyMap<string, SeenMember>
  /** How many rows all pages have; undefined if the answer is not a page. */
  readonly rows: number | undefined
  /** How many rows this answer has. */
  readonly size: number
}

const NOTHING: Seen = { hasContent: false, members: new Map(), rows: undefined, size: 0 }

/** Bounds on what is kept of an answer. */
const MOST_ROWS = 5_000
const MOST_MEMBERS = 200
const MOST_VALUES = 3
const LONGEST = 200
const DEEPEST = 6

/** Reads what an answer of the control shows; the body of an error shows nothing. */
export function readSeen(
  response: ResponseMapping,
  answer: { readonly status: number; readonly body: Uint8Array },
): Seen {
  if (answer.status < 200 || answer.status > 299) return NOTHING
  const root = readBody(answer.body).json
  if (root === undefined) return { ...NOTHING, hasContent: answer.body.length === 0 }
  const hasContent = stratumOf({ status: answer.status, json: root }, response) === 'content'
  const rows = rowsOf(response, root)
  const members = new Map<string, { values: Value[]; counts: number[]; days: [string, string] | undefined }>()
  const note = (path: string, value: Value): void => {
    if (path.length > LONGEST) return
    const member = members.get(path) ?? { values: [], counts: [], days: undefined }
    if (members.size < MOST_MEMBERS) members.set(path, member)
    const day = typeof value === 'string' ? DAY.exec(value)?.[0] : undefined
    if (day !== undefined) {
      const [first, last] = member.days ?? [day, day]
      member.days = [day < first ? day : first, day > last ? day : last]
    }
    const at = member.values.indexOf(value)
    if (at !== -1) member.counts[at] = (member.counts[at] ?? 0) + 1
    else if (member.values.length < MOST_VALUES) {
      member.values.push(value)
      member.counts.push(1)
    }
  }
  // The last row comes second, so that a sorted list shows both ends.
  const [first, ...others] = rows.slice(0, MOST_ROWS)
  const last = others.pop()
  for (const row of [first, last, ...others]) if (row !== undefined) walk('', row, DEEPEST, note)
  return { hasContent, members, rows: countOf(response, root), size: rows.length }
}

const DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/

function walk(path: string, value: JsonValue, depth: number, note: (path: string, value: Value) => void): void {
  if (depth === 0) return
  if (Array.isArray(value)) {
    const [item] = value as readonly JsonValue[]
    if (item !== undefined) walk(path, item, depth - 1, note)
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      walk(path === '' ? name : `${path}.${name}`, member, depth - 1, note)
    }
  } else if (isUsable(value)) note(path, value)
}

/** Whether a value can be sent: a longer text is not a filter, and a larger number would lose digits. */
function isUsable(value: JsonValue): value is Value {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value === 'boolean'
}

function rowsOf(response: ResponseMapping, root: JsonValue): readonly JsonValue[] {
  const at = response.kind === 'page' ? memberOf(root, response.rows.at) : root
  return Array.isArray(at) ? (at as readonly JsonValue[]) : [at]
}

/** The count of all rows: the legacy member that v1's `meta.total` becomes (docs/contract.md 2.4). */
function countOf(response: ResponseMapping, root: JsonValue): number | undefined {
  if (response.kind !== 'page') return undefined
  const { at, shape } = response.meta
  const total = Object.entries(shape.rules).find(
    ([name, rule]) => rule.kind === 'field' && (rule.v1 ?? name) === 'total',
  )
  const count = total === undefined ? null : memberOf(memberOf(root, at), total[0])
  return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined
}

const memberOf = (value: JsonValue, name: string): JsonValue => (isObject(value) ? (value[name] ?? null) : null)

/** A list with more rows takes many pages of v1. */
const LONG = 2_000
/** Fewer rows show no order. */
const FEW = 3

/** A member with its name for people. */
type Found = readonly [from: string, member: SeenMember]

/** The values that may fill inputs. */
export class SeenValues {
  readonly #operations: readonly Operation[]
  readonly #seen: ReadonlyMap<string, Seen>

  /** @param operations in the order in which they are searched. */
  constructor(operations: readonly Operation[], seen: ReadonlyMap<string, Seen>) {
    this.#operations = operations
    this.#seen = seen
  }

  /**
   * Returns the values that were seen and fit an input. For every input, the values of the same row come first, so that together
   * they match that row. Searches by name, first the operation's own answers, then the others'. A text input without a member of
   * that name takes any text.
   */
  of(operation: Operation, input: Input): readonly Chosen[] {
    if (input.type === 'date') return chosenOf(this.#dated(operation, input), dayOf)
    const member = this.#named(operation, input) ?? this.#elsewhere(operation, input)
    if (member === undefined && input.isFreeText) return this.#texts(operation)
    const fitting = chosenOf(member, (value) => (fits(value, input.type) ? value : undefined))
    return input.type === 'bool' ? withBoth(fitting) : fitting
  }

  /** Returns the first and the last day seen in the member that a date input refers to. */
  days(operation: Operation, input: Input): readonly Chosen[] {
    const dated = input.type === 'date' ? this.#dated(operation, input) : undefined
    if (dated === undefined) return []
    const [from, { days = [] }] = dated
    return days.map((value) => ({ value, from }))
  }

  /** Returns how many rows all pages of an operation have; undefined if unknown. */
  rows({ id }: Operation): number | undefined {
    return this.#seen.get(id)?.rows
  }

  hasContent({ id }: Operation): boolean {
    return this.#seen.get(id)?.hasContent ?? false
  }

  /** Returns a value for one of the inputs that narrows down a long list; undefined if the list is short, or no such value is known. */
  narrowing(operation: Operation, inputs: readonly Input[]): readonly [path: string, chosen: Chosen] | undefined {
    if ((this.#seen.get(operation.id)?.size ?? 0) <= LONG) return undefined
    const parts = inputs.flatMap((input) => {
      const [from, { values, counts }] = this.#named(operation, input) ?? ['', { values: [], counts: [] }]
      return values.flatMap((value, at) => {
        const count = counts[at] ?? 0
        return count < FEW || count > LONG || !fits(value, input.type) ? [] : [{ path: input.path, value, from, count }]
      })
    })
    const [largest] = parts.sort((a, b) => b.count - a.count)
    return largest && [largest.path, { value: largest.value, from: largest.from }]
  }

  #membersOf({ id }: Operation): readonly Found[] {
    return [...(this.#seen.get(id)?.members ?? [])]
  }

  #named(operation: Operation, input: Input): Found | undefined {
    const members = this.#membersOf(operation)
    const above = input.path.split('.').slice(0, -1)
    return (
      members.find(([path]) => path === withoutIndices(input.path)) ??
      members.find(([path]) => isAbout(input, namesOf(path))) ??
      // `total.from` refers to `total`.
      members.find(([path]) => above.includes(path))
    )
  }

  #elsewhere(operation: Operation, input: Input): Found | undefined {
    for (const other of this.#operations) {
      if (other.id === operation.id) continue
      const entry = this.#membersOf(other).find(([path]) => isAbout(input, namesElsewhere(other, path)))
      if (entry !== undefined) return [`${other.id} ${entry[0]}`, entry[1]]
    }
    return undefined
  }

  #dated(operation: Operation, input: Input): Found | undefined {
    const all = this.#membersOf(operation).filter(([, { days }]) => days !== undefined)
    return all.find(([path]) => input.path.split('.').some((name) => name.startsWith(lastOf(path)))) ?? all[0]
  }

  #texts(operation: Operation): readonly Chosen[] {
    return this.#membersOf(operation)
      .filter(([path, { values, days }]) => !path.includes('.') && days === undefined && typeof values[0] === 'string')
      .slice(0, TEXTS)
      .flatMap((entry) => chosenOf(entry, (value) => value).slice(0, 1))
  }
}

function chosenOf(found: Found | undefined, as: (value: Value) => Value | undefined): readonly Chosen[] {
  if (found === undefined) return []
  const [from, { values }] = found
  const usable = new Set(values.map(as).filter((value) => value !== undefined))
  return [...usable].map((value) => ({ value, from }))
}

/** The number of members that give a text for a search. */
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

/** Returns the names that a request may use for a member of a row: `statusId` is `status.id`. */
function namesOf(path: string): readonly string[] {
  const [last = '', above] = path.split('.').reverse()
  return above === undefined ? [last] : [joined(above, last), last]
}

/** Returns the names that requests of other operations may use for it: `countryId` is `id` in the rows of `/country/all`, and `country` is their `name`. */
function namesElsewhere({ legacy }: Operation, path: string): readonly string[] {
  if (path.includes('.')) return namesOf(path).slice(0, 1)
  const things = legacy.path.split('/').filter((part) => part !== '')
  return [path, ...things.map((thing) => joined(thing, path)), ...(path === 'name' ? things : [])]
}

const joined = (one: string, other: string): string => `${one}${other.charAt(0).toUpperCase()}${other.slice(1)}`

const withoutIndices = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '')
