import type { Type } from './type.ts'

/** A legacy value on its way into a v1 query or path: its JSON type and its text, a number's digits as the client wrote them. */
export interface Scalar {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'
  readonly text: string
}

/** What becomes of it: sent as text, left out, or refused with a message (a key of `mappings/messages`). */
export type Reading =
  | { readonly send: string }
  | { readonly leaveOut: true }
  | { readonly refuse: string; readonly with?: Readonly<Record<string, string>> }

/** What a value is meant to be, for descriptions. A number, or a boolean, may always come as its text. */
export interface Accepted {
  /** Undefined: the contract does not show it. */
  readonly type: Type | 'date' | undefined
  /** Of a whole number, both of them included. */
  readonly low?: number
  readonly high?: number
  /** The only values that are sent. */
  readonly values?: readonly string[]
}

/** Turns a legacy value into the text of a v1 parameter. Null and empty values never reach it: they are not sent. */
export interface Reader {
  readonly says: string
  readonly accepts: Accepted
  readonly read: (value: Scalar) => Reading
}

/** As it is written in a URL. Longer texts are more than v1 knows what to do with, and soon more than a server takes. */
const MAX_ENCODED_TEXT = 2_000

/** Any text, number or boolean, as it was written; v1 judges it. */
export const text: Reader = {
  says: 'as written',
  accepts: { type: undefined },
  read: (value) => {
    if (value.type === 'object' || value.type === 'array') return { refuse: 'not-a-scalar' }
    return isTooLong(value.text) ? { refuse: 'too-long' } : { send: value.text }
  },
}

/** Most texts are too short to be too long however they are encoded: a character takes nine at most. */
const isTooLong = (written: string): boolean =>
  written.length * 9 > MAX_ENCODED_TEXT && encodeURIComponent(written.toWellFormed()).length > MAX_ENCODED_TEXT

/** The same, of what the contract says is of this type. */
export const written = (type: Type): Reader => ({ ...text, accepts: { type } })

/** How a whole number may be written: JSON has no other name for 50.0 than 50. */
const WRITTEN: Readonly<Partial<Record<Scalar['type'], RegExp>>> = {
  number: /^\d{1,16}(\.0+)?$/,
  string: /^\d{1,16}$/,
}

/** A whole number from `low` to `high`, or its decimal string. */
export function integer(low: number, high: number): Reader {
  return {
    says: `a whole number from ${low} to ${high}`,
    accepts: { type: 'int', low, high },
    read: (value) => {
      const number = WRITTEN[value.type]?.test(value.text) === true ? Number(value.text) : Number.NaN
      return number >= low && number <= high
        ? { send: String(number) }
        : { refuse: 'not-an-integer', with: { low: String(low), high: String(high) } }
    },
  }
}

/** An id in a path: a positive whole number with at most 19 digits, or its decimal string. Nothing else gets into a path. */
export const positiveId: Reader = {
  says: 'a positive whole number, or its decimal string',
  accepts: { type: 'int', low: 1 },
  read: (value) =>
    (value.type === 'number' || value.type === 'string') && /^[1-9][0-9]{0,18}$/.test(value.text)
      ? { send: value.text }
      : { refuse: 'not-an-id' },
}

/** One of a list of values, compared as written; anything else is left out. `renamed` maps legacy values to v1's. */
export function oneOf(values: readonly string[], renamed: Readonly<Record<string, string>> = {}): Reader {
  const names = new Map([...values.map((value) => [value, value] as const), ...Object.entries(renamed)])
  return {
    says: `one of ${[...names.keys()].join(', ')}; anything else is not sent`,
    accepts: { type: 'string', values: [...names.keys()] },
    read: (value) => {
      const sent = names.get(value.text)
      return sent === undefined ? { leaveOut: true } : { send: sent }
    },
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** An ISO 8601 date and time, extended or basic, a space allowed for the T; without an offset it is read as UTC. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2}|\d{8})[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/** `YYYY-MM-DD`, or any ISO 8601 timestamp: its calendar date in UTC. */
export const calendarDate: Reader = {
  says: 'a date YYYY-MM-DD or an ISO 8601 timestamp, of which the calendar date in UTC is sent',
  accepts: { type: 'date' },
  read: (value) => {
    const date = value.type === 'string' ? utcDate(value.text) : undefined
    return date === undefined ? { refuse: 'not-a-date' } : { send: date }
  },
}

function utcDate(written: string): string | undefined {
  if (DATE.test(written)) return isCalendarDate(written) ? written : undefined
  const parts = DATE_TIME.exec(written)
  if (parts === null) return undefined
  const [, day = '', hour = '', minute = '00', second = '00', zone = 'Z'] = parts
  const date = day.length === 8 ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  if (!isCalendarDate(date)) return undefined
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const instant = new Date(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}${offset}`)
  if (Number.isNaN(instant.getTime())) return undefined
  const utc = instant.toISOString()
  // A year before 0 or after 9999 has another form, and no such date is in a query.
  return DATE.test(utc.slice(0, 10)) ? utc.slice(0, 10) : undefined
}

function isCalendarDate(date: string): boolean {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8))
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month] ?? 0))
}

/** Of each month; there is none before the first. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
