import type { Type } from './converter.ts'
import { type Converter, convert } from './converter.ts'

export { calendarDate, isZone } from './calendar-date.ts'

/** A legacy value bound for a v1 query or path: its JSON type and its text. A number keeps the client's digits. */
export interface Scalar {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'
  readonly text: string
}

/** The result of reading a value: send this text, leave it out, or refuse it with a message (a key of `mappings/messages`). */
export type Reading =
  | { readonly send: string }
  | { readonly leaveOut: true }
  | { readonly refuse: string; readonly with?: Readonly<Record<string, string>> }

/** The accepted values, for descriptions. A number or a boolean may always be sent as a string. */
export interface Accepted {
  /** Undefined if the contract does not show it. */
  readonly type: Type | 'date' | undefined
  /** The range of a whole number, inclusive. */
  readonly low?: number
  readonly high?: number
  /** The known values. `says` tells what happens to others. */
  readonly values?: readonly string[]
  /** How a number is written: a `format` from OpenAPI's registry. */
  readonly format?: string
}

/** Reads a legacy value into the text of a v1 parameter. It never receives null or empty values, which are not sent. */
export interface Reader {
  readonly says: string
  readonly accepts: Accepted
  readonly read: (value: Scalar) => Reading
  /** The converter that it uses, if any. */
  readonly by?: Converter
  /** The time zone whose calendar it uses; unset: UTC, or it reads no dates. */
  readonly zone?: string
  /** v1's values by legacy value, if it knows a list of them. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** The longest text, as encoded in a URL. v1 has no use for longer ones, and servers limit the length of a URL. */
const MAX_ENCODED_TEXT = 2_000

/**
 * Reads any text, number or boolean, and sends it as written. v1 judges it.
 *
 * @example
 * search: query(text),          // {"search":"PO 1"} becomes ?search=PO%201
 * id: query(text)               // {"id":57} becomes ?id=57
 */
export const text: Reader = {
  says: 'as written',
  accepts: { type: undefined },
  read: (value) => {
    if (value.type === 'object' || value.type === 'array') return { refuse: 'not-a-scalar' }
    return isTooLong(value.text) ? { refuse: 'too-long' } : { send: value.text }
  },
}

/** Skips the encoding for most texts: a character takes at most nine when encoded, so a short text cannot be too long. */
const isTooLong = (written: string): boolean =>
  written.length * 9 > MAX_ENCODED_TEXT && encodeURIComponent(written.toWellFormed()).length > MAX_ENCODED_TEXT

/**
 * Reads as `text` does, and describes the type that the contract shows. The type is not checked.
 *
 * @example
 * sortOrder: query(written('string')),
 * isPayment: query(written('bool'), 'isPaid')
 */
export const written = (type: Type): Reader => ({ ...text, accepts: { type } })

/** How a whole number may be written. In JSON, 50.0 is the same number as 50. */
const WRITTEN: Readonly<Partial<Record<Scalar['type'], RegExp>>> = {
  number: /^\d{1,16}(\.0+)?$/,
  string: /^\d{1,16}$/,
}

/**
 * Reads a whole number from `low` to `high`, or its decimal string. Refuses anything else: 400 at the legacy member.
 *
 * @example
 * page: query(integer(1, 2_147_483_647)),
 * perPage: query(integer(1, 200))     // 50 and "50" become ?perPage=50; 0, 1.5 and "a" are refused
 */
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

/**
 * Reads an id for a path: a positive whole number of at most 19 digits, or its decimal string. No other reader may fill a
 * path.
 *
 * @example
 * id: segment(positiveId),                  // {"id":17} becomes /imports/17/complete
 * importId: segment(positiveId, 'id')       // {"importId":"17"} too
 */
export const positiveId: Reader = {
  says: 'a positive whole number, or its decimal string',
  accepts: { type: 'int', low: 1 },
  read: (value) =>
    (value.type === 'number' || value.type === 'string') && /^[1-9][0-9]{0,18}$/.test(value.text)
      ? { send: value.text }
      : { refuse: 'not-an-id' },
}

/**
 * Reads one of a list of values, compared as written, and leaves out anything else. `renamed` maps legacy values to v1's.
 *
 * @example
 * sortBy: query(oneOf(['name', 'code'])),                           // "name" becomes ?sortBy=name, "size" is not sent
 * sortBy: query(oneOf(['name'], { sellingRateTry: 'sellingTry' }))  // "sellingRateTry" becomes ?sortBy=sellingTry
 */
export function oneOf(values: readonly string[], renamed: Readonly<Record<string, string>> = {}): Reader {
  const names = new Map([...values.map((value) => [value, value] as const), ...Object.entries(renamed)])
  return {
    says: `one of ${[...names.keys()].join(', ')}; anything else is not sent`,
    accepts: { type: 'string', values: [...names.keys()] },
    renamed,
    read: (value) => {
      const sent = names.get(value.text)
      return sent === undefined ? { leaveOut: true } : { send: sent }
    },
  }
}

/**
 * Reads a value with a converter, such as an enum or a decimal. A value that the converter does not know is sent as written, and
 * v1 judges it. In a query, where every value is text, `12.50` still counts as a number.
 *
 * @example
 * query(convertedBy(enumConverter({ open: 'PENDING', paid: 'SETTLED' })), 'state')   // "open" becomes ?state=PENDING
 * query(convertedBy(decimalConverter(2)), 'leastTotal')                             // 12.50 becomes ?leastTotal=1250
 */
export function convertedBy(by: Converter): Reader {
  return {
    says: by.says,
    accepts: { type: undefined, ...by.legacy },
    by,
    read: (value) => {
      const asWritten = text.read(value)
      if (!('send' in asWritten)) return asWritten
      const converted =
        convert(by.toV1, value.type === 'string' ? JSON.stringify(value.text) : value.text) ??
        (BARE.test(value.text) ? convert(by.toV1, value.text) : undefined)
      if (converted === undefined) return asWritten
      return { send: converted.startsWith('"') ? (JSON.parse(converted) as string) : converted }
    },
  }
}

/** A text that could be a JSON number or boolean. */
const BARE = /^(-?\d[\d.eE+-]*|true|false)$/
