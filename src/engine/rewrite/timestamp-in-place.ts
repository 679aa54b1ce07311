import type { Direction } from './rewrite-plan.ts'
import { type Piece, pieceOf } from './run-writer.ts'

/*
 * Does what `timestampConverter` does, but on the bytes of the JSON text. Most timestamps have the same length, so this
 * tries that length before it walks the value, and leaves all but the last bytes of the value in the run that is
 * copied. Measured on v1's pages of invoices, two timestamps per row, to legacy: with the converter alone, 25 rows take
 * 2.9 times as long, 200 rows 3.4 times.
 */

/** Replaces a value: keeps its first `keep` bytes, then writes `text`. */
export interface Replacement extends Piece {
  readonly keep: number
}

export interface TimestampInPlace {
  /**
   * Returns the replacement of the value in `json[start, end)` if it is exactly one timestamp; undefined leaves it unchanged.
   * `view` covers the same bytes. Never throws.
   */
  readonly convert: (json: Uint8Array, start: number, end: number, view: DataView) => Replacement | undefined
  /** The usual length of a timestamp, in bytes. */
  readonly usualLength: number
}

const legacyEnd: Replacement = { keep: 20, ...pieceOf('+00:00"') }
const v1End: Replacement = { keep: 20, ...pieceOf('.000Z"') }

export const timestampInPlace: Readonly<Record<Direction, TimestampInPlace>> = {
  toLegacy: {
    usualLength: '"0000-00-00T00:00:00.000Z"'.length,
    convert: (json, start, end, view) => {
      if (!startsWithSeconds(view, start, end)) return undefined
      let at = start + legacyEnd.keep
      if (json[at] === POINT) {
        const fraction = at + 1
        do at++
        while (at < end && isDigit(json[at] as number))
        if (at === fraction) return undefined
      }
      return at + 2 === end && json[at] === Z && json[at + 1] === QUOTE ? legacyEnd : undefined
    },
  },
  toV1: {
    usualLength: '"0000-00-00T00:00:00+00:00"'.length,
    convert: (json, start, end, view) => {
      if (end - start !== legacyEnd.keep + legacyEnd.text.length || !startsWithSeconds(view, start, end))
        return undefined
      return legacyEnd.text.every((byte, i) => json[start + legacyEnd.keep + i] === byte) ? v1End : undefined
    },
  },
}

const QUOTE = 0x22
const POINT = 0x2e
const Z = 0x5a
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** A date and time up to the seconds, every digit a 0, in four-byte words. */
const [YEAR, MONTH, DAY, HOUR, SECOND] = wordsOf('"0000-00-00T00:00:00')
/**
 * Added to a byte's difference from that, sets its highest bit if the difference is too large: over 9 for a digit, else
 * over 0.
 */
const [YEAR_ROOM, MONTH_ROOM, DAY_ROOM, HOUR_ROOM, SECOND_ROOM] = wordsOf('"0000-00-00T00:00:00', (byte) =>
  isDigit(byte) ? 0x76 : 0x7f,
)
const HIGHEST_BITS = 0x80808080

function wordsOf(text: string, as = (byte: number): number => byte): readonly [number, number, number, number, number] {
  const view = new DataView(new TextEncoder().encode(text).map(as).buffer)
  const word = (index: number): number => view.getInt32(index * 4, true)
  return [word(0), word(1), word(2), word(3), word(4)]
}

/** Whether a JSON string starts with a date and time, each part within its range. Byte by byte, a page of invoices takes 7 to 10 % longer. */
function startsWithSeconds(view: DataView, start: number, end: number): boolean {
  if (end - start <= legacyEnd.keep) return false
  // Each byte holds its difference from the expected byte: the digit itself, or 0 between digits.
  const year = view.getInt32(start, true) ^ YEAR
  const month = view.getInt32(start + 4, true) ^ MONTH
  const day = view.getInt32(start + 8, true) ^ DAY
  const hour = view.getInt32(start + 12, true) ^ HOUR
  const second = view.getInt32(start + 16, true) ^ SECOND
  const far =
    year | (year + YEAR_ROOM) | month | (month + MONTH_ROOM) | day | (day + DAY_ROOM) | hour | (hour + HOUR_ROOM)
  if (((far | second | (second + SECOND_ROOM)) & HIGHEST_BITS) !== 0) return false
  const monthOfYear = twoDigits(month >> 16)
  const dayOfMonth = twoDigits(day >> 8)
  return (
    monthOfYear >= 1 &&
    monthOfYear <= 12 &&
    dayOfMonth >= 1 &&
    dayOfMonth <= 31 &&
    twoDigits(hour) <= 23 &&
    (hour >> 24) * 10 + (second & 0xff) <= 59 &&
    twoDigits(second >> 16) <= 60
  )
}

/** Returns the number that two digits form. The first is in the lowest byte. */
const twoDigits = (word: number): number => (word & 0xff) * 10 + ((word >> 8) & 0xff)
