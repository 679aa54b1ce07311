import { describe, expect, it } from 'vitest'
import { readDeviations } from '../../../src/sandbox/deviations/deviation-file.ts'

/** Returns the mistakes in lines of the city list, without the place of the operation. */
function mistakesIn(part: 'response' | 'request', lines: object, operation = 'city-list'): readonly string[] {
  try {
    readDeviations(JSON.stringify({ operations: { [operation]: { [part]: lines } } }))
    return []
  } catch (error) {
    return String((error as Error).message)
      .replaceAll(`operations.${operation}.${part}.`, '')
      .split('\n')
  }
}

describe('a file of deviations', () => {
  it('may be empty, name its schema, and say why and by whom', () => {
    const text = JSON.stringify({ $schema: './mapping.json', operations: { package: { why: 'a', by: 'b' } } })
    expect([...readDeviations(`\uFEFF${text}`).keys()]).toEqual(['package'])
  })

  it.each([
    ['{', 'the file: must be a JSON object, as {"operations": {…}}'],
    ['[]', 'the file: must be a JSON object, as {"operations": {…}}'],
    ['{}', 'operations: must be an object of operations, as {"city-list": {"response": {…}}}'],
    ['{"operations":{},"a":1}', 'the file: no such member: a; expected one of $schema, operations'],
    [
      '{"operations":{"city-list":{"response":{"[].a":1}}}}',
      'operations.city-list.response.[].a: must be an object, as {"from": "items[].name"}',
    ],
    [
      '{"operations":{"auth":{}}}',
      expect.stringMatching(/^operations\.auth: cannot deviate; expected one of price, .*city-list/),
    ],
    ['{"operations":{"constructor":{}}}', expect.stringContaining('cannot deviate')],
  ])('%s is refused with its place', (text, message) => {
    expect(() => readDeviations(text)).toThrow(expect.objectContaining({ name: 'DeviationsError', message }))
  })

  it.each([
    [{ 'data[].a': { from: 'items[].b' } }, 'data[].a: must be a path of a member in a row or record, as [].name'],
    [{ '[].a[]': { from: 'items[].b' } }, '[].a[]: must be a path of a member in a row or record, as [].name'],
    [{ '[].a': {} }, '[].a: must have exactly one of from, join, always, lost, drop'],
    [{ '[].a': { from: 'items[].b', drop: true } }, '[].a: must have exactly one of from, join, always, lost, drop'],
    [{ '[].a': { from: 'b' } }, '[].a.from: must be a path of v1, as items[].name; b is none'],
    [
      { '[].a': { from: 'items[].b[].c' } },
      "[].a: v1's items[].b[].c is in another list; name a member of the same item, or of one around it",
    ],
    [{ '[].a': { from: 'items[].b', as: 'text' } }, expect.stringMatching(/^\[\]\.a\.as: .*"string"/)],
    [
      { '[].a': { from: 'items[].b', as: 'string', scale: 2 } },
      '[].a: has more than one of as, scale and enum; keep one',
    ],
    [{ '[].a': { from: 'items[].b', scale: 0 } }, expect.stringContaining('[].a.scale: ')],
    [
      { '[].a': { from: 'items[].b', enum: { x: 'A', y: 'A' } } },
      '[].a.enum: must have each name of legacy and of v1 once',
    ],
    [{ '[].a': { from: 'items[].b', enum: {} } }, '[].a.enum: must have at least one name'],
    [{ '[].a': { drop: false } }, expect.stringContaining('[].a.drop: ')],
    [{ '[].a': { lost: 'why', absent: 'null' } }, '[].a: no such member: absent; expected one of lost'],
    [
      { '[].a': { lost: 'why' }, '[].a.b': { lost: 'why' } },
      '[].a.b: is beneath [].a, which has a line too; keep one of them',
    ],
    [
      { '[].a': { from: 'items[].c' }, '[].b': { from: 'items[].c.d' } },
      "[].b: v1's items[].c.d is beneath items[].c, which another line reads; rename one of them",
    ],
  ])('an answer with %j is refused', (lines, message) => {
    expect(mistakesIn('response', lines)).toEqual([message])
  })

  it('an answer without members takes no line', () => {
    expect(mistakesIn('response', { a: { drop: true } }, 'validate-destination')).toEqual([
      'a: the answer has no members; remove the line',
    ])
  })

  it.each([
    [{ a: {} }, 'a: must have exactly one of to, drop'],
    [{ a: { to: 'b', drop: true } }, 'a: must have exactly one of to, drop'],
    [{ a: { to: '' } }, 'a.to: must be a name of v1, as nameExact;  is none'],
    [{ '[].a': { to: 'b' } }, '[].a: must be a parameter or the path of a member, as name or products[].name'],
    [{ a: { to: 'c' }, b: { to: 'c' } }, "b.to: a becomes v1's c too; keep one of them"],
    [{ a: { to: 'c', as: 'upper' } }, 'a.as: must not be one of date, upper, lower: it cannot be read the other way'],
    [{ 'a[].b': { to: 'c' } }, 'a[].b.to: c is in another list than a[].b'],
    [{ a: { drop: true }, 'a.b': { drop: true } }, 'a.b: is beneath a, which has a line too; keep one of them'],
  ])('a request with %j is refused', (lines, message) => {
    expect(mistakesIn('request', lines)).toEqual([message])
  })

  it('lists all mistakes at once', () => {
    expect(mistakesIn('response', { '[].a': {}, b: { drop: true }, '[].c': { lost: '' } })).toHaveLength(3)
  })
})
