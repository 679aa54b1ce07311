import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Direction } from '../../src/engine/rewrite/rewrite-plan.ts'
import { timestampInPlace } from '../../src/engine/rewrite/timestamp-in-place.ts'
import { convert, timestampConverter } from '../../src/mapping/converter.ts'

/** The converted value. Both ways to convert must give the same. */
function converted(direction: Direction, value: string): string {
  const made = convert(timestampConverter[direction], value) ?? value
  expect(inPlace(direction, value)).toBe(made)
  return made
}

/** Converts as the engine does, between other bytes. */
function inPlace(direction: Direction, value: string): string {
  const json = Buffer.from(`[${value}Z"]`)
  const end = 1 + Buffer.byteLength(value)
  const view = new DataView(json.buffer, json.byteOffset, json.byteLength)
  const replacement = timestampInPlace[direction].convert(json, 1, end, view)
  if (replacement === undefined) return value
  return `${json.subarray(1, 1 + replacement.keep)}${Buffer.from(replacement.text)}`
}
const toLegacy = (text: string): string => converted('toLegacy', text)
const toV1 = (text: string): string => converted('toV1', text)

describe('a v1 timestamp', () => {
  it.each([
    ['2025-01-01T10:24:19.000Z', '2025-01-01T10:24:19+00:00'],
    ['2025-01-01T10:24:19.987Z', '2025-01-01T10:24:19+00:00'],
    ['2025-01-01T10:24:19Z', '2025-01-01T10:24:19+00:00'],
    ['2025-01-01T10:24:19.1Z', '2025-01-01T10:24:19+00:00'],
    ['2025-01-01T10:24:19.123456789Z', '2025-01-01T10:24:19+00:00'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00+00:00'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59+00:00'],
    ['2016-12-31T23:59:60.000Z', '2016-12-31T23:59:60+00:00'],
  ])('%s is %s in legacy', (v1, legacy) => {
    expect(toLegacy(`"${v1}"`)).toBe(`"${legacy}"`)
  })
})

describe('a legacy timestamp', () => {
  it('has milliseconds and a Z in v1', () => {
    expect(toV1('"2025-01-01T10:24:19+00:00"')).toBe('"2025-01-01T10:24:19.000Z"')
  })

  it('is returned from v1 unchanged', () => {
    expect(toLegacy(toV1('"2024-02-29T23:59:59+00:00"'))).toBe('"2024-02-29T23:59:59+00:00"')
  })
})

const lookalikes = [
  ...[
    '2025-13-01T10:24:19',
    '2025-00-01T10:24:19',
    '2025-01-32T10:24:19',
    '2025-01-00T10:24:19',
    '2025-01-01T24:00:00',
  ],
  ...['2025-01-01T10:60:19', '2025-01-01T10:24:61', '2025-01-01 10:24:19', '2025-01-01t10:24:19', '25-01-01T10:24:19'],
  ...[
    '2025/01/01T10:24:19',
    '2025-1-1T10:24:19',
    '2025-01-01T10.24.19',
    '20250101T102419',
    '2025-01-01T10:24',
    '2025-01-01',
  ],
  ...['+2025-01-01T10:24:19', ' 2025-01-01T10:24:19', 'on 2025-01-01T10:24:19', '\\u0032025-01-01T10:24:19', 'x', ''],
]

describe('what only looks like a timestamp is left alone', () => {
  it.each(lookalikes)('"%s", whatever follows it', (start) => {
    for (const end of ['.000Z', 'Z', '.5Z', '']) expect(toLegacy(`"${start}${end}"`)).toBe(`"${start}${end}"`)
    expect(toV1(`"${start}+00:00"`)).toBe(`"${start}+00:00"`)
  })

  it.each([
    '',
    '.',
    '.Z',
    '.00aZ',
    ',000Z',
    '.000z',
    '.000',
    '.000 Z',
    '.000Z ',
    'ZZ',
    'Z.000',
    '+00:00',
    '.000+00:00',
    '-00:00',
    '\\u005a',
  ])('a v1 value that ends with "%s"', (end) => {
    expect(toLegacy(`"2025-01-01T10:24:19${end}"`)).toBe(`"2025-01-01T10:24:19${end}"`)
  })

  it.each([
    '',
    'Z',
    '.000Z',
    '+0000',
    '+00',
    '+03:00',
    '-00:00',
    '.000+00:00',
    '+00:00 ',
    '+00:000',
    '+00:01',
    ' +00:00',
  ])('a legacy value that ends with "%s"', (end) => {
    expect(toV1(`"2025-01-01T10:24:19${end}"`)).toBe(`"2025-01-01T10:24:19${end}"`)
  })

  it.each(['null', 'true', '0', '20250101102419.000', '1735727059000', '{}', '[]', '["2025-01-01T10:24:19.000Z"]'])(
    'the value %s',
    (value) => {
      expect(toLegacy(value)).toBe(value)
      expect(toV1(value)).toBe(value)
    },
  )
})

describe('the engine’s shortcut for the converter', () => {
  const timestamps = fc.constantFrom(
    ...['"2025-01-31T10:24:19.000Z"', '"2025-01-31T10:24:19+00:00"', '"2025-12-01T23:59:60.1Z"'],
  )
  const parts = fc.constantFrom(...['', '-', '01', '31', 'T', ':', '60', '.', '000', '9', 'Z', '+00:00', '"', 'é', ' '])
  const edits = fc.array(fc.tuple(fc.nat(26), fc.nat(2), parts), { maxLength: 2 })
  const nearly = fc
    .tuple(timestamps, edits)
    .map(([timestamp, all]) =>
      all.reduce<string>(
        (text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed),
        timestamp,
      ),
    )

  it('gives the same for everything that looks like a timestamp', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        toLegacy(text)
        toV1(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
