import { describe, expect, it } from 'vitest'
import { checkConverter } from '../../src/engine/compile/check-converter.ts'
import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../../src/mapping/conversions.ts'
import { type Converter, enumConverter } from '../../src/mapping/converter.ts'

const all = { asBit, asDate, asEpoch, asNumber, asString, lower, upper }

it.each(Object.entries(all))('%s passes the check at start-up', (_, converter) => {
  expect(checkConverter(converter)).toEqual([])
})

/** What legacy makes of v1's value, and v1 of that; `same` if it passes unchanged. */
function ways(converter: Converter, v1: string): readonly [legacy: string, back: string] {
  const legacy = converter.toLegacy(v1) ?? v1
  return [legacy, converter.toV1(legacy) ?? legacy]
}

describe.each<[string, Converter, readonly (readonly [v1: string, legacy: string, back: string])[]]>([
  [
    'a number as text',
    asString,
    [
      ['12.50', '"12.50"', '12.50'],
      ['12345678901234567890', '"12345678901234567890"', '12345678901234567890'],
      ['-0', '"-0"', '-0'],
      ['1e400', '"1e400"', '1e400'],
      ['false', '"false"', 'false'],
      ['"007"', '"007"', '"007"'],
      ['"\\u00fc"', '"\\u00fc"', '"\\u00fc"'],
    ],
  ],
  [
    'a text as number',
    asNumber,
    [
      ['"12.50"', '12.50', '"12.50"'],
      [
        '"0.1000000000000000055511151231257827"',
        '0.1000000000000000055511151231257827',
        '"0.1000000000000000055511151231257827"',
      ],
      ['"\\u0031"', '1', '"1"'],
      ['"007"', '"007"', '"007"'],
      ['""', '""', '""'],
      ['" 1"', '" 1"', '" 1"'],
      ['"+1"', '"+1"', '"+1"'],
      ['true', 'true', 'true'],
    ],
  ],
  [
    'a boolean as number',
    asBit,
    [
      ['true', '1', 'true'],
      ['false', '0', 'false'],
      ['"true"', '"true"', '"true"'],
    ],
  ],
  [
    'seconds since 1970',
    asEpoch,
    [
      ['"2025-01-31T10:24:19.999Z"', '1738319059', '"2025-01-31T10:24:19.000Z"'],
      ['"1969-12-31T23:59:59Z"', '-1', '"1969-12-31T23:59:59.000Z"'],
      ['"2025-01-31T13:24:19+03:00"', '1738319059', '"2025-01-31T10:24:19.000Z"'],
      ['"2025-02-31T10:24:19.000Z"', '"2025-02-31T10:24:19.000Z"', '"2025-02-31T10:24:19.000Z"'],
      ['"2025-01-31"', '"2025-01-31"', '"2025-01-31"'],
      ['1738319059.5', '1738319059.5', '1738319059.5'],
    ],
  ],
  [
    'a calendar date',
    asDate,
    [
      ['"2025-01-31T23:59:59.999Z"', '"2025-01-31"', '"2025-01-31"'],
      ['"2025-01-31T02:00:00+03:00"', '"2025-01-30"', '"2025-01-30"'],
      ['"2025-02-30T00:00:00Z"', '"2025-02-30T00:00:00Z"', '"2025-02-30T00:00:00Z"'],
      ['"soon"', '"soon"', '"soon"'],
    ],
  ],
  [
    'capitals',
    upper,
    [
      ['"straße"', '"STRASSE"', '"STRASSE"'],
      ['"\\u0041B"', '"\\u0041B"', '"\\u0041B"'],
      ['1e2', '1e2', '1e2'],
    ],
  ],
  [
    'small letters',
    lower,
    [
      ['"ÄB"', '"äb"', '"äb"'],
      ['"a\\u0041"', '"aa"', '"aa"'],
      ['true', 'true', 'true'],
    ],
  ],
])('%s', (_, converter, cases) => {
  it.each(cases)('%s', (v1, legacy, back) => {
    expect(ways(converter, v1)).toEqual([legacy, back])
    expect(converter.toLegacy(back) ?? back).toBe(
      converter.oneWay === true ? legacy : (converter.toLegacy(back) ?? back),
    )
  })
})

describe('an enum of values that are no texts', () => {
  const state = enumConverter([
    [1, 'ACTIVE'],
    [0, 'PASSIVE'],
    ['?', false],
  ])

  it('converts both ways, and passes others', () => {
    expect(checkConverter(state)).toEqual([])
    expect(ways(state, '"ACTIVE"')).toEqual(['1', '"ACTIVE"'])
    expect(ways(state, 'false')).toEqual(['"?"', 'false'])
    expect(ways(state, '"NEW"')).toEqual(['"NEW"', '"NEW"'])
    expect(state.toV1('1.0')).toBeUndefined()
    expect(state.says).toBe('1 is v1’s ACTIVE, 0 is v1’s PASSIVE, ? is v1’s false; any other value passes unchanged')
  })

  it('describes the type that all legacy values have', () => {
    expect(state.legacy).toBeUndefined()
    expect(enumConverter([[1, 'A']]).legacy).toEqual({ type: 'int' })
    expect(enumConverter([['x', 1]]).legacy).toEqual({ type: 'string', values: ['x'] })
  })

  it('of a request may have several legacy names of one v1 value', () => {
    const twice = enumConverter({ open: 'PENDING', new: 'PENDING' })
    expect(checkConverter(twice)).toEqual([])
    expect([twice.toV1('"new"'), twice.toV1('"open"'), twice.toLegacy('"PENDING"')]).toEqual([
      '"PENDING"',
      '"PENDING"',
      '"open"',
    ])
  })
})
