import { describe, expect, test } from 'vitest'
import { EVERYTHING, readPages } from '../../../src/data-plane/reference/read-v1-pages.ts'
import { type CarelessList, carelessList } from './support/careless-list.ts'

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index)

async function readAll(careless: CarelessList) {
  const { readPage, asked } = carelessList(careless)
  const { rows, ...read } = await readPages(readPage, EVERYTHING, 200, 4)
  return { ...read, rows: rows.flat(), asked }
}

/** Pages that v1 cuts below the requested size, and the counts that it states for them. */
const cut: readonly (readonly [string, CarelessList['says']])[] = [
  ['says so', undefined],
  ['says the size that was asked for', (_, asked) => ({ perPage: asked })],
  ['counts its pages in the size that was asked for', (so, asked) => ({ pageCount: Math.ceil(so.total / asked) })],
]
/** Pages that are cut, although the counts show nothing of it. */
const silent: Pick<CarelessList, 'says'> = {
  says: (so, asked) => ({ perPage: asked, pageCount: Math.ceil(so.total / asked) }),
}

/** Wrong counts of a v1 whose pages have the requested size. */
const wrongCounts: readonly (readonly [string, CarelessList['says']])[] = [
  ['its default size', () => ({ perPage: 50 })],
  ['a larger size', () => ({ perPage: 1_000 })],
  ['no size', () => ({ perPage: 0 })],
  ['more pages than there are', (so) => ({ pageCount: so.pageCount + 3 })],
  ['pages of its default size', (so) => ({ perPage: 50, pageCount: Math.ceil(so.total / 50) })],
]

describe('a whole list of a v1 that cuts its pages at 100', () => {
  describe.each(cut)('and %s', (_, says) => {
    test.each([0, 1, 99, 100, 101, 150, 199, 200, 201, 300, 450, 1_000])('has all %i rows', async (length) => {
      const { rows, disagreement } = await readAll({ length, most: 100, ...(says && { says }) })
      expect(rows).toEqual(numbers(1, length))
      expect(disagreement).toBeUndefined()
    })
  })

  test.each([201, 300, 450, 1_000])('and does not say so has all %i rows if it has several pages', async (length) => {
    const { rows, disagreement } = await readAll({ length, most: 100, ...silent })
    expect(rows).toEqual(numbers(1, length))
    expect(disagreement).toBeUndefined()
  })

  test('and does not say so is not silently cut short if it has one page', async () => {
    expect((await readAll({ length: 150, most: 100, ...silent })).disagreement).toEqual({
      rows: 100,
      promised: 150,
    })
  })

  test('is requested in pages of the contract’s size, up to v1’s own count of pages', async () => {
    const { asked } = await readAll({ length: 250, most: 100 })
    expect(asked).toEqual([1, 2, 3].map((page) => [page, 200]))
  })
})

describe('a whole list of a v1 that states', () => {
  test.each(wrongCounts)('%s has all its rows', async (_, says) => {
    for (const length of [0, 1, 50, 200, 201, 450]) {
      const { rows, disagreement } = await readAll({ length, ...(says && { says }) })
      expect(rows).toEqual(numbers(1, length))
      expect(disagreement).toBeUndefined()
    }
  })

  test.each([0, 1, 7])('%i pages of an empty list is empty', async (pageCount) => {
    const { rows, disagreement } = await readAll({ length: 0, says: () => ({ pageCount }) })
    expect(rows).toEqual([])
    expect(disagreement).toBeUndefined()
  })

  test('a different count of pages on each page is read once, if the rows add up', async () => {
    const says: CarelessList['says'] = (so, _, call) => ({ pageCount: so.pageCount + call - 1 })
    const { rows, asked } = await readAll({ length: 450, says })
    expect(rows).toEqual(numbers(1, 450))
    expect(asked).toHaveLength(3)
  })
})

describe('a whole list whose rows do not add up to its total', () => {
  test.each([
    ['too high', 1, 25],
    ['too high, over several pages', 450, 500],
    ['too low', 25, 24],
    ['nothing', 25, 0],
  ])('is read twice and served, and the announced total is reported: %s', async (_, length, total) => {
    const { rows, asked, disagreement } = await readAll({ length, says: () => ({ total }) })
    expect(rows).toEqual(numbers(1, length))
    expect(asked).toHaveLength(2 * Math.ceil(length / 200))
    expect(disagreement).toEqual({ rows: length, promised: total })
  })

  test('is the second read if that adds up', async () => {
    const { rows, disagreement } = await readAll({
      length: 25,
      says: (_, __, call) => (call === 1 ? { total: 26 } : {}),
    })
    expect(rows).toEqual(numbers(1, 25))
    expect(disagreement).toBeUndefined()
  })

  test('is served when it has grown meanwhile, and as many rows are missing as before', async () => {
    let length = 24
    const readPage = async (page: number, perPage: number) => {
      length++
      return { rows: numbers(1, length), count: length, meta: { page, perPage, total: length + 5, pageCount: 1 } }
    }
    const { rows, disagreement } = await readPages(readPage, EVERYTHING, 200, 4)
    expect(rows.flat()).toEqual(numbers(1, 26))
    expect(disagreement).toEqual({ rows: 26, promised: 31 })
  })

  test('is malformed when each read misses a different number of rows', async () => {
    const wrong = readAll({ length: 25, says: (_, __, call) => ({ total: 25 + call }) })
    await expect(wrong).rejects.toMatchObject({ kind: 'malformed', message: expect.stringMatching(/26.*27/) })
  })
})

describe('a part of a list', () => {
  const parts = [
    { from: 0, take: 500 },
    { from: 0, take: 201 },
    { from: 250, take: 250 },
    { from: 400, take: 400 },
    { from: 777, take: 777 },
    { from: 5_000, take: 5_000 },
  ]
  const partOf = async (careless: CarelessList, range: { readonly from: number; readonly take: number }) => {
    const { rows, total } = await readPages(carelessList(careless).readPage, range, 200, 4)
    return { rows: rows.flat(), total }
  }

  describe.each([100, 99, 150, 1])('of a v1 that cuts its pages at %i', (most) => {
    test.each(cut)('and %s has the same rows as from a correct v1', async (_, says) => {
      for (const range of parts) {
        for (const length of most === 1 ? [310] : [0, 100, 101, 310, 450, 1_001]) {
          const { rows, total } = await partOf({ length, most, ...(says && { says }) }, range)
          expect(rows, `${length}: ${range.from}`).toEqual(
            numbers(range.from + 1, Math.min(range.from + range.take, length)),
          )
          expect(total).toBe(length)
        }
      }
    })
  })

  test.each(wrongCounts)('of a v1 that states %s has the right rows', async (_, says) => {
    for (const range of parts) {
      for (const length of [0, 50, 310, 450, 1_001]) {
        const { rows } = await partOf({ length, ...(says && { says }) }, range)
        expect(rows, `${length}: ${range.from}`).toEqual(
          numbers(range.from + 1, Math.min(range.from + range.take, length)),
        )
      }
    }
  })

  test.each([
    [
      'is read in the page size that v1 states',
      { length: 450, most: 100 },
      [
        [2, 200],
        [3, 100],
        [4, 100],
        [5, 100],
      ],
    ],
    [
      'is read in the requested page size if v1 gives as many rows',
      { length: 450, says: () => ({ perPage: 50 }) },
      [
        [2, 200],
        [3, 200],
      ],
    ],
    [
      'takes no extra call if all is well',
      { length: 450 },
      [
        [2, 200],
        [3, 200],
      ],
    ],
  ])('%s', async (_, careless, calls) => {
    const { readPage, asked } = carelessList(careless)
    const { rows } = await readPages(readPage, { from: 250, take: 250 }, 200, 4)
    expect(rows.flat()).toEqual(numbers(251, 450))
    expect(asked).toEqual(calls)
  })

  test('whose last page has fewer rows than v1’s total implies is served', async () => {
    const { rows, total } = await partOf({ length: 445, says: () => ({ total: 450 }) }, { from: 0, take: 500 })
    expect(rows).toEqual(numbers(1, 445))
    expect(total).toBe(450)
  })

  test('is malformed when a page before the last is longer than v1 states, since all later rows are shifted', async () => {
    const readPage = async (page: number, perPage: number) => ({
      rows: numbers((page - 1) * 300 + 1, page * 300),
      count: 300,
      meta: { page, perPage, total: 900, pageCount: 5 },
    })
    await expect(readPages(readPage, { from: 0, take: 500 }, 200, 4)).rejects.toMatchObject({ kind: 'malformed' })
  })
})
