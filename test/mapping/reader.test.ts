import { describe, expect, it } from 'vitest'
import { decimalConverter, enumConverter } from '../../src/mapping/converter.ts'
import { convertedBy, integer, oneOf, positiveId, type Reader, type Scalar, text } from '../../src/mapping/reader.ts'

/** The JSON value that a reader gets. */
function scalar(json: string): Scalar {
  const value: unknown = JSON.parse(json)
  if (typeof value === 'string') return { type: 'string', text: value }
  if (typeof value === 'number') return { type: 'number', text: json }
  if (typeof value === 'boolean') return { type: 'boolean', text: json }
  return { type: Array.isArray(value) ? 'array' : value === null ? 'null' : 'object', text: json }
}
const read = (reader: Reader, json: string) => reader.read(scalar(json))

describe('a text', () => {
  it.each([
    ['"a b"', 'a b'],
    ['12345678901234567890', '12345678901234567890'],
    ['1E+2', '1E+2'],
    ['100.00', '100.00'],
    ['true', 'true'],
    ['"\\ud83d"', '\ud83d'],
  ])('%s is sent as written', (json, sent) => {
    expect(read(text, json)).toEqual({ send: sent })
  })

  it('is sent up to a length that fits in a URL', () => {
    // Counted as written in a URL: %C3%A9 for one é.
    expect(read(text, JSON.stringify('é'.repeat(333)))).toEqual({ send: 'é'.repeat(333) })
    expect(read(text, JSON.stringify('é'.repeat(334)))).toEqual({ refuse: 'too-long' })
    expect(read(text, '1'.repeat(2_000))).toEqual({ send: '1'.repeat(2_000) })
    expect(read(text, '1'.repeat(2_001))).toEqual({ refuse: 'too-long' })
  })

  it.each(['{"a":1}', '[1]'])('is not %s', (json) => {
    expect(read(text, json)).toEqual({ refuse: 'not-a-scalar' })
  })
})

describe('a whole number', () => {
  const reader = integer(1, 5_000)

  it.each([
    ['1', '1'],
    ['5000', '5000'],
    ['"25"', '25'],
    ['50.0', '50'],
    ['"007"', '7'],
  ])('%s is sent as %s', (json, sent) => {
    expect(read(reader, json)).toEqual({ send: sent })
  })

  it.each([
    ...[
      '0',
      '5001',
      '-1',
      '1.5',
      '1.5',
      '"1.0"',
      '1e2',
      '"1.5"',
      '" 1"',
      '"1 "',
      '"+1"',
      '"x"',
      '"0x10"',
      '"1_0"',
      '"٣"',
      'true',
      '[1]',
      '{"a":1}',
    ],
    ...['"1,2"', '"NaN"', '12345678901234567890', '"1\\n"'],
  ])('is not %s', (json) => {
    expect(read(reader, json)).toEqual({ refuse: 'not-an-integer', with: { low: '1', high: '5000' } })
  })
})

describe('an id', () => {
  it.each(['1', '17', '"17"', '9007199254740993', '9223372036854775807', '"1234567890123456789"'])(
    'may be %s',
    (json) => {
      expect(read(positiveId, json)).toEqual({ send: json.replaceAll('"', '') })
    },
  )

  it.each([
    ...[
      '"../../x"',
      '"1?x=1"',
      '"%2e%2e"',
      '"1/.."',
      '"1#a"',
      '"1;a"',
      '"1%2f"',
      '"1\\\\"',
      '"1\\u0000"',
      '"1\\n"',
      '"\\n1"',
      '" 1"',
      '"1 "',
    ],
    ...[
      'true',
      'false',
      '1.5',
      '1.0',
      '1e3',
      '0',
      '-1',
      '"0"',
      '"-1"',
      '"+1"',
      '"01"',
      '"0x1"',
      '12345678901234567890',
      '"x"',
      '"٣"',
      '"１"',
    ],
    ...['[1]', '{"id":1}', 'null', '""'],
  ])('is not %s', (json) => {
    expect(read(positiveId, json)).toEqual({ refuse: 'not-an-id' })
  })
})

describe('one of some values', () => {
  const reader = oneOf(['name', 'code', '1'], { sellingRateTry: 'sellingTry' })

  it.each([
    ['"name"', 'name'],
    ['"sellingRateTry"', 'sellingTry'],
    ['1', '1'],
  ])('%s is sent as %s', (json, sent) => {
    expect(read(reader, json)).toEqual({ send: sent })
  })

  it.each(['"Name"', '"sellingTry"', '"name "', '"toString"', '"__proto__"', '2', 'true', '["name"]', '{"name":1}'])(
    '%s is not sent',
    (json) => {
      expect(read(reader, json)).toEqual({ leaveOut: true })
    },
  )

  it('names them all', () => {
    expect(reader.says).toBe('one of name, code, 1, sellingRateTry; anything else is not sent')
  })
})

describe('what a converter makes of a value', () => {
  const state = convertedBy(enumConverter({ open: 'PENDING', 'on hold': 'ON HOLD' }))
  const amount = convertedBy(decimalConverter(2))

  it.each([
    ['"open"', 'PENDING'],
    ['"on hold"', 'ON HOLD'],
    ['"late"', 'late'],
    ['3', '3'],
    ['true', 'true'],
  ])('%s of an enum is sent as %s', (json, sent) => {
    expect(read(state, json)).toEqual({ send: sent })
  })

  it.each([
    ['12.50', '1250'],
    ['"12.50"', '1250'],
    ['0.05', '5'],
    ['12.505', '1250.5'],
    ['"soon"', 'soon'],
    ['""', ''],
  ])('%s of a decimal is sent as %s', (json, sent) => {
    expect(read(amount, json)).toEqual({ send: sent })
  })

  it('is sent even by a converter of numbers only, for a query that has them as text', () => {
    const grams = convertedBy({ ...decimalConverter(3), toV1: (text) => (text === '0.5' ? '500' : undefined) })
    expect(read(grams, '0.5')).toEqual({ send: '500' })
    expect(read(grams, '"0.5"')).toEqual({ send: '500' })
  })

  it('is never an object, a list or too long', () => {
    expect(read(amount, '{"a":1}')).toEqual({ refuse: 'not-a-scalar' })
    expect(read(amount, '[1]')).toEqual({ refuse: 'not-a-scalar' })
    expect(read(amount, `"${'x'.repeat(2_001)}"`)).toEqual({ refuse: 'too-long' })
  })

  it('is described by the converter', () => {
    expect(state.accepts).toEqual({ type: 'string', values: ['open', 'on hold'] })
    expect(amount.accepts).toEqual({ type: 'number', format: 'decimal' })
  })
})
