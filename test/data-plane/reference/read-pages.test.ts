import { describe, expect, test } from 'vitest'
import { EVERYTHING, type Page, type Range, readPages } from '../../../src/data-plane/reference/read-v1-pages.ts'
import { UpstreamError } from '../../../src/data-plane/upstream/upstream-error.ts'
import type { Slice } from '../../../src/engine/answer.ts'

interface Asked {
  readonly page: number
  readonly perPage: number
  readonly slice: Slice
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A list of the numbers from 1 to `total`, which may change with every call. It records its calls. */
function listOf(total: number | ((call: number) => number), delayMs: (call: number) => number = () => 0) {
  const asked: Asked[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const readPage = async (page: number, perPage: number, slice: Slice): Promise<Page<readonly number[]>> => {
    const call = asked.push({ page, perPage, slice })
    const count = typeof total === 'number' ? total : total(call)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    await later(delayMs(call))
    atOnce--
    const from = (page - 1) * perPage
    const all = Array.from({ length: Math.max(Math.min(perPage, count - from), 0) }, (_, index) => from + index + 1)
    const rows = all.slice(slice.skip, slice.skip + slice.take)
    return { rows, count: rows.length, meta: { page, perPage, total: count, pageCount: Math.ceil(count / perPage) } }
  }
  return { readPage, asked, pages: () => asked.map(({ page }) => page), mostAtOnce: () => mostAtOnce }
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

async function rowsOf(list: ReturnType<typeof listOf>, range: Range, perPage = 10, atOnce = 3): Promise<number[]> {
  const { rows } = await readPages(list.readPage, range, perPage, atOnce)
  return rows.flat()
}

describe('a whole list', () => {
  test.each([0, 1, 9, 10, 11, 95])('of %i rows is read page by page', async (total) => {
    const list = listOf(total)
    expect(await rowsOf(list, EVERYTHING)).toEqual(numbers(1, total))
    expect(list.pages().sort((a, b) => a - b)).toEqual(numbers(1, Math.max(Math.ceil(total / 10), 1)))
    expect(list.asked.every(({ perPage }) => perPage === 10)).toBe(true)
  })

  test('has its total and the count of its pages', async () => {
    expect(await readPages(listOf(31).readPage, EVERYTHING, 10, 3)).toMatchObject({ total: 31, pageCount: 4 })
  })

  test('keeps its order although later pages arrive first', async () => {
    const list = listOf(60, (call) => 40 - call * 6)
    expect(await rowsOf(list, EVERYTHING)).toEqual(numbers(1, 60))
  })

  test('is read with no more pages under way than allowed', async () => {
    const list = listOf(300, (call) => (call % 3) * 2)
    await rowsOf(list, EVERYTHING, 10, 4)
    expect(list.mostAtOnce()).toBe(4)
  })

  test('is read one page after another when only one may be under way', async () => {
    const list = listOf(50, () => 1)
    await rowsOf(list, EVERYTHING, 10, 1)
    expect(list.mostAtOnce()).toBe(1)
    expect(list.pages()).toEqual([1, 2, 3, 4, 5])
  })
})

describe('a part of a list', () => {
  test.each([
    [{ from: 0, take: 10 }, [1]],
    [{ from: 0, take: 11 }, [1, 2]],
    [{ from: 45, take: 45 }, [5, 6, 7, 8, 9]],
    [{ from: 9, take: 1 }, [1]],
    [{ from: 9, take: 2 }, [1, 2]],
    [{ from: 90, take: 100 }, [10]],
  ])('%o reads no page and no row too many', async (range, pages) => {
    const list = listOf(100)
    expect(await rowsOf(list, range)).toEqual(numbers(range.from + 1, Math.min(range.from + range.take, 100)))
    expect(list.pages().sort((a, b) => a - b)).toEqual(pages)
  })

  test('behind the end has no rows, and takes one call', async () => {
    const list = listOf(25)
    expect(await rowsOf(list, { from: 60, take: 30 })).toEqual([])
    expect(list.pages()).toEqual([7])
  })

  test('takes from each page its own slice', async () => {
    const list = listOf(100)
    await rowsOf(list, { from: 15, take: 20 }, 10, 1)
    expect(list.asked.map(({ page, slice }) => [page, slice.skip, Math.min(slice.take, 10)])).toEqual([
      [2, 5, 10],
      [3, 0, 10],
      [4, 0, 5],
    ])
  })
})

describe('a list that changes while it is read', () => {
  test('is read again once, and has the rows of the second read', async () => {
    const list = listOf((call) => (call <= 1 ? 29 : 35))
    expect(await rowsOf(list, EVERYTHING)).toEqual(numbers(1, 35))
    expect(list.pages()).toHaveLength(3 + 4)
  })

  test('is read again when it shrinks', async () => {
    const list = listOf((call) => (call <= 2 ? 35 : 28))
    expect(await rowsOf(list, EVERYTHING)).toEqual(numbers(1, 28))
  })

  test('is malformed when it grows each time', async () => {
    const list = listOf((call) => 30 + call * 10)
    await expect(rowsOf(list, EVERYTHING)).rejects.toMatchObject({ kind: 'malformed' })
    expect(list.asked.length).toBeLessThan(20)
  })

  test('is malformed when it shrinks each time, and is read twice at most', async () => {
    const list = listOf((call) => 99 - call)
    await expect(rowsOf(list, EVERYTHING)).rejects.toMatchObject({ kind: 'malformed' })
    expect(list.pages().filter((page) => page === 1)).toHaveLength(2)
  })

  test('is malformed when its rows do not add up and it changes while it is read again', async () => {
    const { readPage } = listOf(30)
    let call = 0
    const total = [31, 31, 31, 30, 31, 31]
    const careless: typeof readPage = async (page, perPage, slice) => {
      const answer = await readPage(page, perPage, slice)
      return { ...answer, meta: { ...answer.meta, total: total[call++] ?? 0, pageCount: 3 } }
    }
    await expect(readPages(careless, EVERYTHING, 10, 1)).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('impossible pages', () => {
  test.each([EVERYTHING, { from: 0, take: 30 }])('a page other than the requested one is malformed', async (range) => {
    const { readPage } = listOf(30)
    const stuck: typeof readPage = (_, perPage, slice) => readPage(1, perPage, slice)
    await expect(readPages(stuck, range, 10, 3)).rejects.toMatchObject({ kind: 'malformed' })
  })

  test('2,000 pages are read', async () => {
    const list = listOf(2_000)
    expect(await rowsOf(list, EVERYTHING, 1, 50)).toEqual(numbers(1, 2_000))
  })

  test('more than 2,000 pages are malformed, and only the first is read', async () => {
    const list = listOf(2_001)
    await expect(rowsOf(list, EVERYTHING, 1, 50)).rejects.toMatchObject({ kind: 'malformed' })
    expect(list.pages()).toEqual([1])
  })
})

test('a page that fails fails the whole list, and no further page is read', async () => {
  const list = listOf(500, () => 2)
  const readPage: typeof list.readPage = async (page, perPage, slice) => {
    const answer = await list.readPage(page, perPage, slice)
    if (page === 4) throw new UpstreamError('timeout', 'page 4')
    return answer
  }
  await expect(readPages(readPage, EVERYTHING, 10, 3)).rejects.toMatchObject({ kind: 'timeout' })
  const begun = list.asked.length
  await later(30)
  expect(list.asked.length).toBe(begun)
  expect(begun).toBeLessThan(10)
})
