import type { Conversion, Converter } from './converter.ts'

/*
 * Converters for values that the two sides write in different types or forms. Each works on JSON text, so digits stay exact, and
 * leaves any value unchanged that it does not know.
 */

/** A JSON number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Returns the content of a JSON string; undefined for any other value. */
const contentOf = (text: string): string | undefined =>
  text.startsWith('"') ? (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)) : undefined

const quoted: Conversion = (text) => (text.startsWith('"') ? undefined : `"${text}"`)

/**
 * Converts v1's number or boolean to legacy's text with the same digits. Legacy's text that is neither passes unchanged.
 *
 * @example
 * area: converted(asString)   // v1's {"area":12.50} becomes {"area":"12.50"}, and true becomes "true"
 */
export const asString: Converter = {
  says: 'legacy writes a number or boolean as text',
  samples: [
    { legacy: '"12.50"', v1: '12.50' },
    { legacy: '"true"', v1: 'true' },
  ],
  legacy: { type: 'string' },
  toLegacy: quoted,
  toV1: (text) => {
    const content = contentOf(text)
    if (content === undefined) return undefined
    return content === 'true' || content === 'false' || NUMBER.test(content) ? content : undefined
  },
}

/**
 * Converts v1's text that is a JSON number to legacy's number with the same digits. Any other text passes unchanged, such as `007`.
 *
 * @example
 * area: converted(asNumber)   // v1's {"area":"12.50"} becomes {"area":12.50}
 */
export const asNumber: Converter = {
  says: 'v1 writes the number as text',
  samples: [
    { legacy: '12.50', v1: '"12.50"' },
    { legacy: '12345678901234567890', v1: '"12345678901234567890"' },
  ],
  legacy: { type: 'number' },
  toLegacy: (text) => {
    const content = contentOf(text)
    return content !== undefined && NUMBER.test(content) ? content : undefined
  },
  toV1: (text) => (NUMBER.test(text) ? `"${text}"` : undefined),
}

/**
 * Converts v1's boolean to legacy's 1 or 0.
 *
 * @example
 * isOpen: converted(asBit)   // v1's {"isOpen":true} becomes {"isOpen":1}
 */
export const asBit: Converter = {
  says: 'legacy writes 1 for true and 0 for false',
  samples: [
    { legacy: '1', v1: 'true' },
    { legacy: '0', v1: 'false' },
  ],
  legacy: { type: 'int' },
  toLegacy: (text) => (text === 'true' ? '1' : text === 'false' ? '0' : undefined),
  toV1: (text) => (text === '1' ? 'true' : text === '0' ? 'false' : undefined),
}

const TIMESTAMP = /^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)"$/

/** Returns the whole seconds since 1970 of a timestamp in JSON text; undefined if it is none, or its day does not exist. */
function secondsOf(text: string): number | undefined {
  const [, local = '', zone = ''] = TIMESTAMP.exec(text) ?? []
  const milliseconds = Date.parse(`${local}${zone}`)
  // Date.parse takes February 31 for March 3.
  if (Number.isNaN(milliseconds) || !new Date(Date.parse(`${local}Z`)).toISOString().startsWith(local)) return undefined
  return milliseconds / 1000
}

/** Writes seconds since 1970 as v1's timestamp, without quotes; undefined if the year does not have four digits. */
function timestampOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1000)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined
}

/**
 * Converts v1's timestamp to its calendar date in UTC. A date has no time, so it cannot be undone: to v1, the date passes
 * unchanged.
 *
 * @example
 * day: converted(asDate, 'createdAt')   // v1's {"createdAt":"2025-01-31T10:24:19.000Z"} becomes {"day":"2025-01-31"}
 */
export const asDate: Converter = {
  says: 'legacy writes only the calendar date, in UTC',
  samples: [
    { legacy: '"2025-01-31"', v1: '"2025-01-31T10:24:19.000Z"' },
    { legacy: '"2025-01-30"', v1: '"2025-01-31T01:24:19+03:00"' },
  ],
  legacy: { type: 'string', format: 'date' },
  oneWay: true,
  loses: 'the time of day',
  toLegacy: (text) => {
    const seconds = secondsOf(text)
    const written = seconds === undefined ? undefined : timestampOf(seconds)
    return written === undefined ? undefined : `"${written.slice(0, 10)}"`
  },
  toV1: () => undefined,
}

/**
 * Converts v1's timestamp to legacy's whole seconds since 1970. Milliseconds are lost.
 *
 * @example
 * madeAt: converted(asEpoch)   // v1's {"madeAt":"2025-01-31T10:24:19.000Z"} becomes {"madeAt":1738319059}
 */
export const asEpoch: Converter = {
  says: 'legacy writes whole seconds since 1970, v1 a timestamp',
  loses: 'milliseconds',
  samples: [
    { legacy: '1738319059', v1: '"2025-01-31T10:24:19.000Z"' },
    { legacy: '0', v1: '"1970-01-01T00:00:00.000Z"' },
  ],
  legacy: { type: 'int' },
  toLegacy: (text) => {
    const seconds = secondsOf(text)
    return seconds === undefined ? undefined : String(seconds)
  },
  toV1: (text) => {
    const written = /^(?:0|-?[1-9]\d{0,11})$/.test(text) ? timestampOf(Number(text)) : undefined
    return written === undefined ? undefined : `"${written}"`
  },
}

/** Changes the letters of a text. A text that stays the same keeps its bytes. */
const lettersBy =
  (change: (text: string) => string): Conversion =>
  (text) => {
    const content = contentOf(text)
    const changed = content === undefined ? undefined : change(content)
    return changed === undefined || changed === content ? undefined : JSON.stringify(changed)
  }

/**
 * Converts v1's text to capitals. It cannot be undone: to v1, the text passes unchanged.
 *
 * @example
 * code: converted(upper)   // v1's {"code":"tr"} becomes {"code":"TR"}
 */
export const upper: Converter = {
  says: 'legacy writes the text in capitals',
  samples: [{ legacy: '"TR"', v1: '"tr"' }],
  legacy: { type: 'string' },
  oneWay: true,
  loses: 'which letters were capitals',
  toLegacy: lettersBy((text) => text.toUpperCase()),
  toV1: () => undefined,
}

/**
 * Converts v1's text to small letters. It cannot be undone: to v1, the text passes unchanged.
 *
 * @example
 * code: converted(lower)   // v1's {"code":"TR"} becomes {"code":"tr"}
 */
export const lower: Converter = {
  says: 'legacy writes the text in small letters',
  samples: [{ legacy: '"tr"', v1: '"TR"' }],
  legacy: { type: 'string' },
  oneWay: true,
  loses: 'which letters were capitals',
  toLegacy: lettersBy((text) => text.toLowerCase()),
  toV1: () => undefined,
}
