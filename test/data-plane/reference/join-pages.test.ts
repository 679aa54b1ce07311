import { describe, expect, test } from 'vitest'
import { pageJoiner, type WholeList } from '../../../src/data-plane/reference/join-pages.ts'

/** Joins pages that arrive in the order of `pages`: number and rows. */
function joined(pageCount: number, pages: readonly (readonly [number, string])[]): WholeList {
  const joiner = pageJoiner(pageCount)
  for (const [page, rows] of pages) joiner.add(page, Buffer.from(rows))
  return joiner.finish()
}

const textOf = ({ body }: WholeList): string => Buffer.from(body).toString()

describe('pages', () => {
  const first = [1, '1,2'] as const
  const second = [2, '3,4'] as const
  const third = [3, '5'] as const
  test.each([
    ['in their order', [first, second, third]],
    ['the last first', [third, second, first]],
    ['the first late', [second, first, third]],
  ] as const)('that arrive %s are joined into one array', (_, pages) => {
    expect(textOf(joined(3, pages))).toBe('[1,2,3,4,5]')
  })

  test('without a row are joined into an empty array', () => {
    expect(textOf(joined(0, [[1, '']]))).toBe('[]')
  })

  test.each([
    ['', '1', '2'],
    ['1', '', '2'],
    ['1', '2', ''],
    ['', '', '1,2'],
  ])('without a row leave no comma: %j, %j, %j', (...rows) => {
    const pages = rows.map((text, index) => [index + 1, text] as const)
    expect(textOf(joined(3, pages))).toBe('[1,2]')
    expect(textOf(joined(3, pages.toReversed()))).toBe('[1,2]')
  })

  test('that are much longer than the first one stay whole', () => {
    const long = Array.from({ length: 50 }, (_, index) => [index + 2, `"${'ş'.repeat(5_000 + index)}"`] as const)
    const list = joined(51, [[1, '1'], ...long])
    expect(JSON.parse(textOf(list))).toEqual([1, ...long.map(([, rows]) => JSON.parse(rows))])
  })

  test('that are longer than the first one make a list that holds hardly more memory than its bytes', () => {
    const long = Array.from({ length: 9 }, (_, index) => [index + 2, `"${'x'.repeat(10_000)}"`] as const)
    const { body } = joined(10, [[1, '1'], ...long])
    expect(body.buffer.byteLength).toBeLessThan(body.length * 1.3)
  })

  test('are released once they are joined, and the list stays', () => {
    const joiner = pageJoiner(2)
    const [first, second] = [Buffer.alloc(100_000, '1'), Buffer.alloc(100_000, '2')]
    joiner.add(1, first)
    joiner.add(2, second)
    expect([first.length, second.length]).toEqual([0, 0])
    expect(textOf(joiner.finish())).toBe(`[${'1'.repeat(100_000)},${'2'.repeat(100_000)}]`)
  })
})

test('an impossible page count leaves a list no more room than it needs', () => {
  const list = joined(Number.MAX_SAFE_INTEGER, [[1, '"a"']])
  expect(textOf(list)).toBe('["a"]')
  expect(list.body.buffer.byteLength).toBe(list.body.length)
})

describe('the entity tag', () => {
  test('is strong, and the same for the same bytes only', () => {
    const [first, second] = [[1, '1'] as const, [2, '2'] as const]
    const inTwo = joined(2, [first, second])
    expect(inTwo.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(joined(1, [[1, '1,2']]).etag).toBe(inTwo.etag)
    expect(joined(2, [second, first]).etag).toBe(inTwo.etag)
    expect(joined(1, [[1, '1,3']]).etag).not.toBe(inTwo.etag)
  })
})
