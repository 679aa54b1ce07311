import { type Converter, convert } from './converter.ts'
import type { Type } from './type.ts'

export { calendarDate } from './calendar-date.ts'

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
  /** The values that there are; what becomes of others is in the reader's sentence. */
  readonly values?: readonly string[]
  /** How a number is written, a `format` of OpenAPI's registry. */
  readonly format?: string
}

/** Turns a legacy value into the text of a v1 parameter. Null and empty values never reach it: they are not sent. */
export interface Reader {
  readonly says: string
  readonly accepts: Accepted
  readonly read: (value: Scalar) => Reading
  /** The converter that it goes by, where there is one. */
  readonly by?: Converter
}

/** As it is written in a URL. Longer texts are more than v1 knows what to do with, and soon more than a server takes. */
const MAX_ENCODED_TEXT = 2_000

/**
 * Any text, number or boolean, as it was written; v1 judges it.
 *
 * @example
 * search: query(text),          // {"search":"PO 1"} is ?search=PO%201
 * id: query(text)               // {"id":57} is ?id=57
 */
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

/**
 * The same, of what the contract says is of this type: it is described, and not checked.
 *
 * @example
 * sortOrder: query(written('string')),
 * isPayment: query(written('bool'), 'isPaid')
 */
export const written = (type: Type): Reader => ({ ...text, accepts: { type } })

/** How a whole number may be written: JSON has no other name for 50.0 than 50. */
const WRITTEN: Readonly<Partial<Record<Scalar['type'], RegExp>>> = {
  number: /^\d{1,16}(\.0+)?$/,
  string: /^\d{1,16}$/,
}

/**
 * A whole number from `low` to `high`, or its decimal string. Anything else is a 400 at the legacy member.
 *
 * @example
 * page: query(integer(1, 2_147_483_647)),
 * perPage: query(integer(1, 200))     // 0, 1.5 and "a" are refused, 50 and "50" are ?perPage=50
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
 * An id in a path: a positive whole number with at most 19 digits, or its decimal string. Nothing else gets into a path.
 *
 * @example
 * id: segment(positiveId),                  // {"id":17} is /imports/17/complete
 * importId: segment(positiveId, 'id')       // and so is {"importId":"17"}
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
 * One of a list of values, compared as written; anything else is left out. `renamed` maps legacy values to v1's.
 *
 * @example
 * sortBy: query(oneOf(['name', 'code'])),
 * sortBy: query(oneOf(['name'], { sellingRateTry: 'sellingTry' }))  // "sellingRateTry" is ?sortBy=sellingTry
 */
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

/**
 * What a converter makes of the value: an enum's name in v1, a decimal in v1's units. What it does not know is sent as written,
 * and v1 judges it. In a query, where every value is text, `12.50` is a number all the same.
 *
 * @example
 * query(convertedBy(enumConverter({ open: 'PENDING', paid: 'SETTLED' })), 'state')   // "open" is ?state=PENDING
 * query(convertedBy(decimalConverter(2)), 'leastTotal')                             // 12.50 is ?leastTotal=1250
 */
export function convertedBy(by: Converter): Reader {
  return {
    says: by.says,
    accepts: { type: undefined, ...by.legacy },
    by,
    read: (value) => {
      const asWritten = text.read(value)
      if (!('send' in asWritten)) return asWritten
      const made =
        convert(by.toV1, value.type === 'string' ? JSON.stringify(value.text) : value.text) ??
        (BARE.test(value.text) ? convert(by.toV1, value.text) : undefined)
      if (made === undefined) return asWritten
      return { send: made.startsWith('"') ? (JSON.parse(made) as string) : made }
    },
  }
}

/** A text that in JSON could be a number or a boolean. */
const BARE = /^(-?\d[\d.eE+-]*|true|false)$/
