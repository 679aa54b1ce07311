/** What replaces a value: its first `keep` bytes as they stand, then `text`. */
export interface Replacement {
  readonly keep: number
  readonly text: Uint8Array
}

/** Looks at the JSON value in `json[start, end)` and says what replaces it; undefined leaves it alone. Never throws. */
export type Conversion = (json: Uint8Array, start: number, end: number) => Replacement | undefined

/** A value that is written differently on the two sides. Both directions are needed: a shape is read both ways. */
export interface Converter {
  readonly name: string
  /** One sentence for people: what changes on the way from v1 to legacy. */
  readonly says: string
  readonly toLegacy: Conversion
  readonly toV1: Conversion
}

const ascii = new TextEncoder()
const legacyEnd: Replacement = { keep: 20, text: ascii.encode('+00:00"') }
const v1End: Replacement = { keep: 20, text: ascii.encode('.000Z"') }

/** General change 4 of the contract: `…T10:24:19.000Z` (v1) is `…T10:24:19+00:00` (legacy). */
export const timestampConverter: Converter = {
  name: 'timestamp',
  says: 'v1 writes milliseconds and Z, legacy +00:00 and no milliseconds',
  toLegacy: (json, start, end) => {
    if (!startsWithSeconds(json, start, end)) return undefined
    let at = start + legacyEnd.keep
    if (json[at] === POINT) {
      const fraction = at + 1
      do at++
      while (KINDS[json[at] as number] === DIGIT)
      if (at === fraction) return undefined
    }
    return json[at] === Z && at + 2 === end ? legacyEnd : undefined
  },
  toV1: (json, start, end) => {
    if (!startsWithSeconds(json, start, end) || end !== start + legacyEnd.keep + legacyEnd.text.length) return undefined
    return legacyEnd.text.every((byte, i) => json[start + legacyEnd.keep + i] === byte) ? v1End : undefined
  },
}

const POINT = 0x2e
const Z = 0x5a
const DIGIT = 1
/** Bytes by what they are in a timestamp: digits are all alike, any other byte is itself. */
const KINDS = new Uint8Array(256).map((_, byte) => (byte >= 0x30 && byte <= 0x39 ? DIGIT : byte))
const SECONDS = ascii.encode('"0000-00-00T00:00:00').map((byte) => KINDS[byte] as number)

/** Whether a JSON string starts with a date and time that a calendar could show. */
function startsWithSeconds(json: Uint8Array, start: number, end: number): boolean {
  if (end - start <= SECONDS.length) return false
  for (let i = 0; i < SECONDS.length; i++) if (KINDS[json[start + i] as number] !== SECONDS[i]) return false
  const month = twoDigits(json, start + 6)
  const day = twoDigits(json, start + 9)
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 31 &&
    twoDigits(json, start + 12) <= 23 &&
    twoDigits(json, start + 15) <= 59 &&
    twoDigits(json, start + 18) <= 60
  )
}

const twoDigits = (json: Uint8Array, at: number): number =>
  ((json[at] as number) - 0x30) * 10 + (json[at + 1] as number) - 0x30
