import { describe, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { rolloutParser } from '../../../src/app/rollout-parser.ts'
import { similarTo } from '../../../src/common/similar.ts'

const parse = rolloutParser(operations)

function mistakes(file: unknown): string {
  try {
    parse(typeof file === 'string' ? file : JSON.stringify(file))
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const rule = (path: string, more: object = {}) => ({
  ignore: [{ operation: 'invoice-list', path, why: 'x', ...more }],
})

describe('a mistake in a rollout file is said in plain words, with its place', () => {
  test.each([
    [
      { operations: { price: { serve: 'legcy' } } },
      /^operations\.price\.serve: must be "v1" or "legacy", and not "legcy"; did you mean legacy\?$/,
    ],
    [{ operations: { price: { serve: 7 } } }, /^operations\.price\.serve: must be "v1" or "legacy", and not 7$/],
    [
      { operations: { price: { shadow: '1' } } },
      /^operations\.price\.shadow: must be a number from 0 to 1, and not "1"$/,
    ],
    [{ operations: { price: { shadow: 2 } } }, /^operations\.price\.shadow: must be a number from 0 to 1, and not 2$/],
    [
      { operations: { price: { shadow: -1 } } },
      /^operations\.price\.shadow: must be a number from 0 to 1, and not -1$/,
    ],
    [
      { operations: { price: { target: 1 } } },
      /^operations\.price\.target: must be a number above 0 and below 1, for instance 0\.99, and not 1$/,
    ],
    [{ operations: { price: { noise: 'yes' } } }, /^operations\.price\.noise: must be true or false, and not "yes"$/],
    [
      { operations: { price: { shdow: 1 } } },
      /^operations\.price: no such member: shdow; expected one of serve, .*; did you mean shadow\?$/,
    ],
    [
      { operations: { price: { Serve: 'v1', shdow: 1 } } },
      /: no such member: Serve, shdow; .*; did you mean serve and shadow\?$/,
    ],
    [
      { ignore: [{ path: '', kind: 'status', why: 'x' }] },
      /^ignore\.0\.operation: is missing; it must be one of auth, /,
    ],
    [{ operations: { price: [] } }, /^operations\.price: must be an object, and not \[\]$/],
    [
      { operations: { price: { clients: { a: 'v2' } } } },
      /^operations\.price\.clients\.a: must be "v1" or "legacy", and not "v2"/,
    ],
    [{ operations: { prise: {} } }, /^operations\.prise: no such operation; .*; did you mean price\?$/],
    [{ opertions: {} }, /^the file: no such member: opertions; .*; did you mean operations\?$/],
    [{ ignore: {} }, /^ignore: must be a list, and not \{\}$/],
    [
      { ignore: [{ operation: 'invoce-list', path: 'data', why: 'x' }] },
      /^ignore\.0\.operation: no such operation; .*; did you mean invoice-list\?$/,
    ],
    [{ ignore: [{ operation: 'price', path: 'x' }] }, /^ignore\.0\.why: is missing; it must be a text$/],
    [rule('data[].priceUsd', { why: ' ' }), /^ignore\.0\.why: must be a text that is not empty/],
    [rule('data[].priceUsd', { kind: 'chnged' }), /^ignore\.0\.kind: must be .*; did you mean changed\?$/],
    [
      rule('data[].priceUsd', { until: '2027-13-01' }),
      /^ignore\.0\.until: must be the last day .*, and not "2027-13-01"$/,
    ],
    [{ limits: { queue: 1.5 } }, /^limits\.queue: must be a whole number of calls, at least 1, and not 1\.5$/],
    [
      { limits: { concurrency: 0 } },
      /^limits\.concurrency: must be a whole number of calls, from 1 to 1000, and not 0$/,
    ],
    [{ fresh: '30 days' }, /^fresh: must be days or hours, .*, and not "30 days"$/],
    [[], /^the file: must be an object, and not \[\]$/],
    ['null', /^the file: must be an object, and not null$/],
    ['7', /^the file: must be an object, and not 7$/],
  ])('%j', (file, message) => {
    expect(mistakes(file)).toMatch(message)
    expect(mistakes(file)).not.toMatch(/Invalid|Unrecognized|expected \w+, received|Too (?:small|big)/)
  })

  test('all at once', () => {
    const file = { operations: { prise: {}, price: { serve: 'x', shadow: 7 } }, ...rule('data[].prceUsd') }
    expect(mistakes(file).split('\n')).toHaveLength(3)
  })

  test.each([
    ['{\n  "operations": {\n    "price": { "shadow": 1, }\n  }\n}', 'line 3, column 29: unexpected "}"'],
    ['{ "a": tru }', 'line 1, column 11: unexpected " "'],
    ["{ 'a': 1 }", 'line 1, column 3: unexpected "\'"; texts are written in double quotes'],
    ['{\n// why\n}', 'line 2, column 1: unexpected "/"; JSON has no comments'],
    ['{ "a": 1', 'line 1, column 9: the text ends too early'],
    ['', 'line 1, column 1: the text ends too early'],
    ['{ "şehir": 1 "b": 2 }', 'line 1, column 14: unexpected "\\""'],
  ])('where it is not JSON: %j', (text, where) => {
    expect(mistakes(text)).toContain(`not JSON: ${where}`)
  })
})

describe('the path of an ignore rule', () => {
  test.each([
    ['data[].prceUsd', 'data[].priceUsd'],
    ['data[].PriceUSD', 'data[].priceUsd'],
    ['pagination.lastpage', 'pagination.lastPage'],
    ['data[].satus', 'data[].status'],
  ])('that mistypes a member of a closed shape is a mistake: %s', (path, meant) => {
    expect(mistakes(rule(path))).toContain(`ignore.0.path: no member ${path}; similar: ${meant}`)
  })

  test.each([
    'data[].priceUsd',
    'data',
    'data[]',
    'data[].currency',
    'data[].currency.code',
    'data[].somethingElse',
    'message',
  ])('may be %s: a member, what holds one, or what only the legacy service may have', (path) =>
    expect(mistakes(rule(path))).toBe(''),
  )

  test('may be any member of a shape that passes on what it does not know', () => {
    expect(mistakes({ ignore: [{ operation: 'country-list', path: '[].nam', why: 'x' }] })).toBe('')
  })
})

test('a word is similar within two letters, and never by half of it', () => {
  expect(similarTo('advnce', ['advance', 'approve'])).toEqual(['advance'])
  expect(similarTo('adavnce', ['advance'])).toEqual(['advance'])
  expect(similarTo('x', ['v1', 'audit'])).toEqual([])
  expect(similarTo('ab', ['cd'])).toEqual([])
})
