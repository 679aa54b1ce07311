import { isObject, type JsonValue, readBody } from '../compare/diff/json-value.ts'
import { stratumOf } from '../compare/strata.ts'
import type { ResponseMapping } from '../mapping/operation.ts'

export type Value = string | number | boolean

/** What a member of an operation's rows has held. Personal data: kept in memory only. */
export interface SeenMember {
  /** Distinct values; the first is from the first row that has one. */
  readonly values: readonly Value[]
  /** How many rows have each value. */
  readonly counts: readonly number[]
  /** For timestamps and dates: the first and the last day, `YYYY-MM-DD`. */
  readonly days: readonly [first: string, last: string] | undefined
}

/** What one answer of the control shows. */
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
