import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../../src/control-plane/evidence/diff/decimal.ts'
import { canonicalText, readBody } from '../../../src/control-plane/evidence/diff/json-value.ts'

const read = (text: string) => readBody(Buffer.from(text))
/** The canonical text of a number, alone and among others. */
const textsOf = (number: string): readonly string[] =>
  [number, `[${number}]`, `{"text":"12345678901234567890","n":\n-1,"m": ${number} }`].map((text) => {
    const { json } = read(text)
    expect(json, text).not.toBe(undefined)
    return canonicalText(json ?? null)
  })
const sameNumber = (a: string, b: string): boolean => {
  const [alone, ...within] = textsOf(a).map((text, at) => text === textsOf(b)[at])
  expect(within, `${a} and ${b}, alone and among others`).toEqual(within.map(() => alone))
  return alone === true
}

const ones = '1'.repeat(400)

describe('numbers are equal when their decimal values are', () => {
  it.each([
    ['12.30', '12.3'],
    ['1e2', '100'],
    ['1E+2', '100.0'],
    ['-0', '0'],
    ['-0.0e5', '0'],
    ['0e999999999', '0'],
    ['0.10', '1e-1'],
    ['1.50e-3', '0.0015'],
    ['9007199254740993', '9007199254740993.0'],
    ['9007199254740993', '9.007199254740993E15'],
    [ones, `${ones}.000`],
    [`${ones}000`, `${ones}e3`],
    ['1e400', '10e399'],
    ['1e999999999', '0.1e1000000000'],
    ['-1e-999999999', '-10e-1000000000'],
    ['1e99999999999999999999999', '10e99999999999999999999998'],
    ['5e-324', '0.5e-323'],
    ['1000000000000000000000', '1e21'],
    ['123456789012345', '123456789012345.0000000000000'],
  ])('%s is %s', (a, b) => {
    expect(sameNumber(a, b)).toBe(true)
  })

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.1000000000000000055511151231257827'],
    [ones, `${ones.slice(0, -1)}2`],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
    ['1e-400', '0'],
    ['1e-400', '2e-400'],
    ['1e999999999', '1e999999998'],
    ['12.3', '123'],
    ['100', '1000'],
    ['1', '-1'],
    ['1e21', '1e-21'],
    ['123456789012345', '123456789012346'],
    ['5e-324', '4e-324'],
  ])('%s is not %s', (a, b) => {
    expect(sameNumber(a, b)).toBe(false)
  })

  it('regardless of the digits and the place of the point', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{0,39}$/)
    fc.assert(
      fc.property(digits, fc.integer({ min: -400, max: 400 }), fc.nat(39), fc.nat(5), (all, scale, cut, zeros) => {
        const at = cut % all.length
        const elsewhere =
          at === 0 ? `0.${all}${'0'.repeat(zeros)}e` : `${all.slice(0, at)}.${all.slice(at)}${'0'.repeat(zeros)}e`
        expect(sameNumber(`${all}e${scale}`, `${elsewhere}${scale + all.length - at}`)).toBe(true)
        expect(sameNumber(`${all}1e${scale}`, `${all}2e${scale}`)).toBe(false)
      }),
    )
  })

  it('and a double stands only for a number that it holds exactly', () => {
    expect(read('[1.5,100,0.30,123456789012345]').json).toEqual([1.5, 100, 0.3, 123456789012345])
    expect(read('[1.5,9007199254740993]').json).toEqual([1.5, new ExactNumber('9007199254740993e0')])
    expect(read('[1e400,-1.50e-400]').json).toEqual([
      new ExactNumber('1e400', 'decimal'),
      new ExactNumber('-15e-401', 'decimal'),
    ])
  })
})

describe('a body', () => {
  it('may have members with any name', () => {
    const { json } = read('{"__proto__":{"a":1},"constructor":1e1,"":2,"toString":null}')
    expect(Object.keys(json as object)).toEqual(['__proto__', 'constructor', '', 'toString'])
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
    expect(canonicalText(json ?? null)).toBe('{"":2,"__proto__":{"a":1},"constructor":10,"toString":null}')
  })

  it.each(['', ' ', '{', 'OK', '<html>', '{"a":01}', '[1,]', '\ufeff{}', 'NaN', '"\u0001"'])(
    'that is %j is not JSON',
    (text) => {
      expect(read(text)).toEqual({ unread: 'not JSON' })
    },
  )

  it('that is not UTF-8 is not JSON', () => {
    expect(readBody(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ unread: 'not JSON' })
    expect(readBody(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual({ unread: 'not JSON' })
  })

  it('that is nested too deep is not read, regardless of its content', () => {
    const nested = (depth: number, inside: string): string => `${'[{"a":'.repeat(depth)}${inside}${'}]'.repeat(depth)}`
    for (const inside of ['1', '1e400', '"]}]}"']) {
      expect(read(nested(250, inside)).unread).toBe(undefined)
      expect(read(nested(251, inside))).toEqual({ unread: 'too deep' })
      expect(read(nested(100_000, inside))).toEqual({ unread: 'too deep' })
    }
  })

  it('is as deep as its brackets nest: those within strings or side by side do not count', () => {
    expect(read(JSON.stringify({ text: `\\"${'[{'.repeat(1000)}` })).unread).toBe(undefined)
    expect(read(`[${'[],{},'.repeat(1000)}0]`).unread).toBe(undefined)
  })
})
