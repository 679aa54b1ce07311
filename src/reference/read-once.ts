import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Page, Range, ReadPage } from './page.ts'

/** What one reading of a list, or a part of it, has found. */
export interface Reading<Rows> {
  /** In v1's order; pages without a wanted row are not among them. */
  readonly rows: readonly Rows[]
  readonly count: number
  /** How many of the wanted rows there are by v1's `total`. */
  readonly promised: number
  readonly total: number
  readonly pageCount: number
  /** Whether all pages are of one and the same list, each with the rows that belong there. */
  readonly isSteady: boolean
}

const MAX_PAGES = 2_000

/**
 * Reads the wanted rows of a list once. `perPage` rows are asked for; where v1's pages are smaller and that matters, it is
 * asked for pages of its own size from the start: then its pages, and its count of them, are what they say.
 * @throws UpstreamError `malformed` when a page is not the one that was asked for, or there would be too many.
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

/** Reads a page of `perPage` rows, of which those in the range are wanted. */
function pagesOf<Rows>(readPage: ReadPage<Rows>, { from, take }: Range, perPage: number) {
  return async (page: number): Promise<Page<Rows>> => {
    const start = (page - 1) * perPage
    const slice = { skip: Math.max(from - start, 0), take: take - Math.max(start - from, 0) }
    const answer = await readPage(page, perPage, slice)
    if (answer.meta.page === page) return answer
    throw new UpstreamError('malformed', `page ${answer.meta.page} in place of page ${page}`)
  }
}

/**
 * The size in which the pages of a whole list are to be asked for, by the first of them. They are read one after another,
 * whatever their size; unless the first is a full one of v1's own size, in which v1 does not count its pages: then the last
 * of them would be missed.
 */
function sizeForAll({ count: given, meta }: Page<unknown>, asked: number): number {
  const { perPage: said, total, pageCount } = meta
  const isFullPage = given > 0 && given < asked && (given === said || pageCount > 1)
  return isFullPage && pageCount < Math.ceil(total / given) ? given : asked
}

/**
 * The same for a part of a list, which has to be looked for where it is: v1's own size is the one that it says; where it says
 * what it was asked for, and that cannot be, it is the number of rows that it gives on page 1.
 */
async function sizeForPart(
  first: Page<unknown>,
  range: Range,
  asked: number,
  readPage: ReadPage<unknown>,
): Promise<number> {
  const { page, perPage: said, total, pageCount } = first.meta
  const skip = range.from % asked
  if (skip + first.count === asked) return asked
  if (said > 0 && said < asked) return said
  const promised = Math.min(Math.max(total - (page - 1) * asked - skip, 0), asked - skip, range.take)
  const canBe = first.count === promised && (total === 0 || pageCount === Math.ceil(total / asked))
  if (canBe) return asked
  const { count } = page === 1 ? first : await readPage(1, asked, { skip: 0, take: asked })
  return count > 0 && count < Math.min(asked, total) ? count : asked
}

/** Reads the pages behind the first one, up to v1's own count of them. */
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
  if (lastPage - firstPage + 1 > MAX_PAGES) throw new UpstreamError('malformed', `${pageCount} pages`)
  const others = await inParallel(Math.max(lastPage - firstPage, 0), atOnce, (index) => read(firstPage + 1 + index))

  const pages = [first, ...others]
  const count = pages.reduce((sum, page) => sum + page.count, 0)
  const promised = Math.min(Math.max(total - from, 0), take)
  const isSame = ({ meta }: Page<Rows>): boolean =>
    meta.total === total && (meta.pageCount === pageCount || count === promised)
  // A page with too few or too many rows before another one: whatever is behind it is not where it was looked for.
  const lastWithRows = pages.findLastIndex((page) => page.count > 0)
  const isInPlace = (page: Page<Rows>, index: number): boolean =>
    index >= lastWithRows || page.count === perPage - (index === 0 ? from % perPage : 0)
  return {
    ...{ count, promised, total, pageCount },
    rows: pages.filter((page) => page.count > 0).map(({ rows }) => rows),
    isSteady: pages.every(isSame) && (isWhole(range) || pages.every(isInPlace)),
  }
}

/** `count` results in their order, at most `atOnce` under way. The first failure ends it; nothing new is begun then. */
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
