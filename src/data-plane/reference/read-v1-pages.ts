import type { Slice } from '../../engine/answer.ts'
import type { PageMeta } from '../../engine/envelope.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** One page of v1, its rows in the form that `ReadPage` gives them. */
export interface Page<Rows> {
  readonly rows: Rows
  /** The number of wanted rows. */
  readonly count: number
  readonly meta: PageMeta
}

/** Reads one page of v1. */
export type ReadPage<Rows> = (page: number, perPage: number, slice: Slice) => Promise<Page<Rows>>

/** The wanted rows of a list: `take` rows from index `from` on. */
export interface Range {
  readonly from: number
  readonly take: number
}

export const EVERYTHING: Range = { from: 0, take: Number.POSITIVE_INFINITY }

/** The wanted rows of a list, and v1's counts. */
export interface PagesRead<Rows> {
  /** One entry per page with a wanted row, in v1's order. */
  readonly rows: readonly Rows[]
  readonly total: number
  /** v1's own count of its pages. */
  readonly pageCount: number
  /** Undefined if there are as many rows as v1's `total` promises. */
  readonly disagreement: Disagreement | undefined
}

/** The list has more or fewer rows than v1's `total` promises, on a second read too. */
export interface Disagreement {
  readonly rows: number
  readonly promised: number
}

/**
 * Reads rows of a paginated v1 list, `atOnce` pages at a time, in pages of `perPage` rows; v1 may return smaller ones.
 * If the list changes meanwhile, or its rows do not add up to its `total`, it is read once more: a truncated list must
 * not pass for a whole one. If the second read has the same number of missing or extra rows, v1's count is wrong and
 * the rows are correct.
 * @throws UpstreamError `malformed` if v1 returns another page than requested, there are too many pages, or the second
 * read differs from the first.
 */
export async function readPages<Rows>(
  readPage: ReadPage<Rows>,
  range: Range,
  perPage: number,
  atOnce: number,
): Promise<PagesRead<Rows>> {
  const first = await readOnce(readPage, range, perPage, atOnce)
  if (addsUp(first)) return { ...first, disagreement: undefined }
  const second = await readOnce(readPage, range, perPage, atOnce)
  if (addsUp(second)) return { ...second, disagreement: undefined }
  if (!second.isSteady) throw new UpstreamError('malformed', 'the list changes each time it is read')
  if (first.isSteady && missingOf(first) !== missingOf(second)) {
    throw new UpstreamError('malformed', `${inWords(first)}, then ${inWords(second)}`)
  }
  return { ...second, disagreement: { rows: second.count, promised: second.promised } }
}

type Counts = Pick<Reading<unknown>, 'count' | 'promised' | 'isSteady'>

const missingOf = ({ count, promised }: Counts): number => promised - count

const addsUp = (reading: Counts): boolean => reading.isSteady && missingOf(reading) === 0

const inWords = ({ count, promised }: Counts): string => `${count} rows instead of ${promised}`

/** The result of reading a list, or a part of it, once. */
interface Reading<Rows> extends Omit<PagesRead<Rows>, 'disagreement'> {
  readonly count: number
  /** How many of the wanted rows exist according to v1's `total`. */
  readonly promised: number
  /** Whether all pages belong to the same list, each with the rows that belong on it. */
  readonly isSteady: boolean
}

const MAX_PAGES = 2_000

/**
 * Reads the wanted rows of a list once, in pages of `perPage` rows. If v1's own page size is smaller and that matters,
 * it starts again with that size: then v1's pages and its count of them agree.
 * @throws UpstreamError `malformed` if v1 returns another page than requested, or there are too many.
 */
async function readOnce<Rows>(
  readPage: ReadPage<Rows>,
  range: Range,
  perPage: number,
  atOnce: number,
): Promise<Reading<Rows>> {
  const read = pagesOf(readPage, range, perPage)
  const first = await read(firstPageOf(range, perPage))
  const size = isWhole(range) ? sizeForAll(first, perPage) : await sizeForPart(first, range, perPage, readPage)
  if (size === perPage) return readRest(first, read, range, perPage, atOnce)
  const readAgain = pagesOf(readPage, range, size)
  return readRest(await readAgain(firstPageOf(range, size)), readAgain, range, size, atOnce)
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
