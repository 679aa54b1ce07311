import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convert, decimalConverter } from '../../src/mapping/converter.ts'

const { toLegacy, toV1 } = decimalConverter(2)

describe('a decimal that v1 counts in hundredths', () => {
  it.each([
    ['125.00', '12500'],
    ['12.50', '1250'],
    ['0.50', '50'],
    ['0.05', '5'],
    ['0.00', '0'],
    ['-0.05', '-5'],
    ['-125.00', '-12500'],
    ['1234567890123456789012345678901234567890.12', '123456789012345678901234567890123456789012'],
    ['125.005', '12500.5'],
    ['0.0000000000000000000000000000000000001', '0.00000000000000000000000000000000001'],
    ['"125.00"', '"12500"'],
    ['"-0.05"', '"-5"'],
  ])('%s in legacy is %s in v1', (legacy, v1) => {
    expect(toLegacy(v1)).toBe(legacy)
    expect(toV1(legacy)).toBe(v1)
  })

  it.each([
    ['12500.0', '125.00'],
    ['12500.50', '125.005'],
    ['1.25e4', '125.00'],
    ['1.25E+4', '125.00'],
    ['125e2', '125.00'],
    ['5e-1', '0.005'],
    ['-0', '0.00'],
    ['0e7', '0.00'],
    ['1e30', `1${'0'.repeat(28)}.00`],
  ])('%s of v1 is %s in legacy', (v1, legacy) => {
    expect(toLegacy(v1)).toBe(legacy)
  })

  it.each([
    ['125', '12500'],
    ['125.5', '12550'],
    ['125.000', '12500'],
    ['0.5', '50'],
    ['1.25e2', '12500'],
    ['5e-3', '0.5'],
    ['-0.00', '0'],
  ])('%s of legacy is %s in v1', (legacy, v1) => {
    expect(toV1(legacy)).toBe(v1)
  })

  it('grows by a few digits at most, whatever its exponent', () => {
    expect(toLegacy('1e999999999')).toBe('1e999999997')
    expect(toLegacy('-1.5E-400')).toBe('-1.5e-402')
    expect(toV1('1e999999999')).toBe('1e1000000001')
    expect(toV1(`1e${'9'.repeat(400)}`)).toBeUndefined()
  })

  it('of a million digits is converted quickly', () => {
    const started = performance.now()
    expect(toV1(`0.${'0'.repeat(1_000_000)}1`)).toHaveLength(1_000_001)
    expect(toV1(`1.${'0'.repeat(1_000_000)}1`)).toHaveLength(1_000_003)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it.each(['"soon"', '""', '"12,50"', '" 12.50"', '"+5"', '".5"', '"5."', '"1 000"', '"\\u0031"', 'true'])(
    'passes %s unchanged, which is not a number',
    (value) => {
      expect(convert(toLegacy, value)).toBeUndefined()
      expect(convert(toV1, value)).toBeUndefined()
    },
  )
})

describe('a decimal of any scale', () => {
  it('keeps its exact value both ways', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 18 }),
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        (scale, units) => {
          const converter = decimalConverter(scale)
          const legacy = converter.toLegacy(String(units)) ?? ''
          expect(legacy).toMatch(new RegExp(`^-?(0|[1-9]\\d*)\\.\\d{${scale}}$`))
          expect(BigInt(legacy.replace('.', ''))).toBe(units)
          expect(converter.toV1(legacy)).toBe(String(units))
        },
      ),
    )
  })

  it.each([0, -1, 1.5, 19, Number.NaN])('cannot have the scale %s', (scale) => {
    expect(() => decimalConverter(scale)).toThrow(`decimal(${scale}): the scale must be a whole number from 1 to 18`)
  })
})
