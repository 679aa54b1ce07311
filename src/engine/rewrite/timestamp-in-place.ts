import { type Piece, pieceOf } from '../../mapping/piece.ts'
import type { Direction } from './plan.ts'

/*
 * A second way to what `timestampConverter` does, over the bytes of the JSON text. Most timestamps have one length: it is looked
 * at before the value has been walked, and but for its last bytes the value stays in the run that is copied. Measured (v1's pages
 * of invoices, two timestamps a row, to legacy): by the converter alone 25 rows take 2.9 times as long, and 200 rows 3.4 times.
 */

/** What replaces a value: its first `keep` bytes as they stand, then `text`. */
export interface Replacement extends Piece {
  readonly keep: number
}

export interface TimestampInPlace {
  /**
   * What replaces the value in `json[start, end)`, if that is one timestamp, whole; undefined leaves it alone. `view` is over
   * the same bytes. Never throws.
   */
  readonly convert: (json: Uint8Array, start: number, end: number, view: DataView) => Replacement | undefined
  /** How many bytes a timestamp takes, most often. */
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

/** A date and time to its seconds, every digit a 0, in words of four bytes. */
const [YEAR, MONTH, DAY, HOUR, SECOND] = wordsOf('"0000-00-00T00:00:00')
/** What a byte may be away from that until its highest bit is set by adding this: a digit by 9, another byte not at all. */
const [YEAR_ROOM, MONTH_ROOM, DAY_ROOM, HOUR_ROOM, SECOND_ROOM] = wordsOf('"0000-00-00T00:00:00', (byte) =>
  isDigit(byte) ? 0x76 : 0x7f,
)
const HIGHEST_BITS = 0x80808080

function wordsOf(text: string, as = (byte: number): number => byte): readonly [number, number, number, number, number] {
  const view = new DataView(new TextEncoder().encode(text).map(as).buffer)
  const word = (index: number): number => view.getInt32(index * 4, true)
  return [word(0), word(1), word(2), word(3), word(4)]
}

/** Whether a JSON string starts with a date and time that a calendar could show. */
function startsWithSeconds(view: DataView, start: number, end: number): boolean {
  if (end - start <= legacyEnd.keep) return false
  // In each byte of these: how far it is from what is expected there: its digit, and 0 between digits.
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

/** The number of two digits, the first of them in the lowest byte. */
const twoDigits = (word: number): number => (word & 0xff) * 10 + ((word >> 8) & 0xff)
