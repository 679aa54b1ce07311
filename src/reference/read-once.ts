import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Page, Range, ReadPage } from './page.ts'

/** The result of reading a list, or a part of it, once. */
export interface Reading<Rows> {
  /** One entry per page with a wanted row, in v1's order. */
  readonly rows: readonly Rows[]
  readonly count: number
  /** How many of the wanted rows exist according to v1's `total`. */
  readonly promised: number
  readonly total: number
  readonly pageCount: number
  /** Whether all pages belong to the same list, each with the rows that belong on it. */
  readonly isSteady: boolean
}

const MAX_PAGES = 2_000

/**
 * Reads the wanted rows of a list once, in pages of `perPage` rows. If v1's own page size is smaller and that matters,
 * it starts again with that size: then v1's pages and its count of them agree.
 * @throws UpstreamError `malformed` if v1 returns another page than requested, or there are too many.
 */
export async function readOnce<Rows>(
  readPage: ReadPage<Rows>,
  range: Range,
  perPage: number,
  atOnce: number,
): Promise<Reading<Rows>> {
  const read = pagesOf(readPage, range, perPage)
  const first = await read(firstPageOf(range, perPage))
  const own = isWhole(range) ? sizeForAll(first, perPage) : await sizeForPart(first, range, perPage, readPage)
  if (own === perPage) return readRest(first, read, range, perPage, atOnce)
  const readOwn = pagesOf(readPage, range, own)
  return readRest(await readOwn(firstPageOf(range, own)), readOwn, range, own, atOnce)
}

const isWhole = ({ take }: Range): boolean => take === Number.POSITIVE_INFINITY

const firstPageOf = ({ from }: Range, perPage: number): number => Math.floor(from / perPage) + 1

/** Returns a function that reads a page of `perPage` rows and takes those in the range. */
function pagesOf<Rows>(readPage: ReadPage<Rows>, { from, take }: Range, perPage: number) {
  return async (page: number): Promise<Page<Rows>> => {
    const start = (page - 1) * perPage
    const slice = { skip: Math.max(from - start, 0), take: take - Math.max(start - from, 0) }
    const answer = await readPage(page, perPage, slice)
    if (answer.meta.page === page) return answer
    throw new UpstreamError('malformed', `v1 answered page ${answer.meta.page} instead of page ${page}`)
  }
}

/**
 * Decides the page size for a whole list by its first page. Pages of any size can be read one after another, with one
 * exception: the first page is full at v1's own, smaller size, but v1's `pageCount` counts larger pages. Then the last
 * pages would be missed.
 */
function sizeForAll({ count: received, meta }: Page<unknown>, requested: number): number {
  const { perPage: reported, total, pageCount } = meta
  const isFullPage = received > 0 && received < requested && (received === reported || pageCount > 1)
  return isFullPage && pageCount < Math.ceil(total / received) ? received : requested
}

/**
 * Decides the page size for a part of a list, whose position depends on it. v1's own size is the `perPage` that it
 * answers. If that is the requested size but contradicts the rows, it is the number of rows on page 1.
 */
async function sizeForPart(
  first: Page<unknown>,
  range: Range,
  requested: number,
  readPage: ReadPage<unknown>,
): Promise<number> {
  const { page, perPage: reported, total, pageCount } = first.meta
  const skip = range.from % requested
  if (skip + first.count === requested) return requested
  if (reported > 0 && reported < requested) return reported
  const promised = Math.min(Math.max(total - (page - 1) * requested - skip, 0), requested - skip, range.take)
  const isConsistent = first.count === promised && (total === 0 || pageCount === Math.ceil(total / requested))
  if (isConsistent) return requested
  const { count } = page === 1 ? first : await readPage(1, requested, { skip: 0, take: requested })
  return count > 0 && count < Math.min(requested, total) ? count : requested
}

/** Reads the pages after the first, up to v1's own count of them. */
async function readRest<Rows>(
  first: Page<Rows>,
  read: (page: number) => Promise<Page<Rows>>,
  range: Range,
  perPage: number,
  atOnce: number,
): Promise<Reading<Rows>> {
  const { from, take } = range
  const { total, pageCount } = first.meta
  const firstPage = firstPageOf(range, perPage)
  const lastPage = Math.min(pageCount, Math.ceil((from + take) / perPage))
  if (lastPage - firstPage + 1 > MAX_PAGES)
    throw new UpstreamError('malformed', `${pageCount} pages, more than ${MAX_PAGES}`)
  const others = await inParallel(Math.max(lastPage - firstPage, 0), atOnce, (index) => read(firstPage + 1 + index))

  const pages = [first, ...others]
  const count = pages.reduce((sum, page) => sum + page.count, 0)
  const promised = Math.min(Math.max(total - from, 0), take)
  const isSame = ({ meta }: Page<Rows>): boolean =>
    meta.total === total && (meta.pageCount === pageCount || count === promised)
  // After a page with too few or too many rows, later rows are not at their expected positions.
  const lastWithRows = pages.findLastIndex((page) => page.count > 0)
  const isInPlace = (page: Page<Rows>, index: number): boolean =>
    index >= lastWithRows || page.count === perPage - (index === 0 ? from % perPage : 0)
  return {
    ...{ count, promised, total, pageCount },
    rows: pages.filter((page) => page.count > 0).map(({ rows }) => rows),
    isSteady: pages.every(isSame) && (isWhole(range) || pages.every(isInPlace)),
  }
}

/**
 * Makes `count` results, at most `atOnce` at a time, and returns them in order. The first failure stops it from
 * starting more.
 */
async function inParallel<T>(count: number, atOnce: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      try {
        results[index] = await make(index)
      } catch (error) {
        next = count
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work))
  return results
}
