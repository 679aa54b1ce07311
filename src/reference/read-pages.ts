import { UpstreamError } from '../upstream/upstream-error.ts'

/** One page of v1, its rows in whatever form the reader wants them. */
export interface Page<Rows> {
  readonly rows: Rows
  readonly count: number
  readonly meta: { readonly page: number; readonly perPage: number; readonly total: number; readonly pageCount: number }
}

/** Which rows of a page are wanted: `take` rows from number `skip` on. */
export interface RowSlice {
  readonly skip: number
  readonly take: number
}

export type ReadPage<Rows> = (page: number, perPage: number, slice: RowSlice) => Promise<Page<Rows>>

export interface PagesRead<Rows> {
  /** In v1's order; pages without a wanted row are not among them. */
  readonly rows: readonly Rows[]
  readonly total: number
  /** v1's own count of pages of `perPage` rows. */
  readonly pageCount: number
}

/** The rows wanted of a whole list: `take` from number `from` on. */
export interface Range {
  readonly from: number
  readonly take: number
}

export const EVERYTHING: Range = { from: 0, take: Number.POSITIVE_INFINITY }

const MAX_PAGES = 2_000

/**
 * Reads rows of a paginated list of v1, `perPage` at a time and `atOnce` pages at a time. When the list changes meanwhile
 * (`meta.total`) it is read again, once.
 * @throws UpstreamError `malformed` when pages are not what was asked for, would be too many, or grow each time.
 */
export async function readPages<Rows>(
  readPage: ReadPage<Rows>,
  range: Range,
  perPage: number,
  atOnce: number,
): Promise<PagesRead<Rows>> {
  const first = await readOnce(readPage, range, perPage, atOnce)
  if (first.change === 'none') return first.read
  const second = await readOnce(readPage, range, perPage, atOnce)
  if (first.change === 'grown' && second.change === 'grown') {
    throw new UpstreamError('malformed', 'the list grows while it is read, twice')
  }
  return second.read
}

type Change = 'none' | 'grown' | 'other'

async function readOnce<Rows>(
  readPage: ReadPage<Rows>,
  { from, take }: Range,
  perPage: number,
  atOnce: number,
): Promise<{ readonly read: PagesRead<Rows>; readonly change: Change }> {
  const firstPage = Math.floor(from / perPage) + 1
  const read = async (page: number): Promise<Page<Rows>> => {
    const skip = page === firstPage ? from % perPage : 0
    const before = page === firstPage ? 0 : (page - 1) * perPage - from
    const answer = await readPage(page, perPage, { skip, take: take - before })
    checkPage(answer, page, perPage, { skip, take: take - before })
    return answer
  }

  const first = await read(firstPage)
  const { total, pageCount } = first.meta
  const lastPage = Math.min(pageCount, Math.ceil((from + take) / perPage))
  if (lastPage - firstPage + 1 > MAX_PAGES) throw new UpstreamError('malformed', `${pageCount} pages`)
  const others = await inParallel(Math.max(lastPage - firstPage, 0), atOnce, (index) => read(firstPage + 1 + index))
  const pages = [first, ...others].filter(({ count }) => count > 0)
  const grown = others.some(({ meta }) => meta.total > total || meta.pageCount > pageCount)
  const changed = others.some(({ meta }) => meta.total !== total || meta.pageCount !== pageCount)
  return {
    read: { rows: pages.map(({ rows }) => rows), total, pageCount },
    change: grown ? 'grown' : changed ? 'other' : 'none',
  }
}

/**
 * Checks that a page is the one that was asked for, and has the rows that its own counts promise: a list that is cut short
 * must not pass for a whole one.
 */
export function checkPage<Rows>({ count, meta }: Page<Rows>, page: number, perPage: number, slice: RowSlice): void {
  const malformed = (message: string): UpstreamError => new UpstreamError('malformed', message)
  if (meta.page !== page || meta.perPage !== perPage) {
    throw malformed(`page ${meta.page} of ${meta.perPage} rows in place of page ${page} of ${perPage}`)
  }
  const pageCount = Math.ceil(meta.total / perPage)
  if (meta.pageCount !== pageCount && meta.total > 0) {
    throw malformed(`${meta.pageCount} pages for ${meta.total} rows at ${perPage}`)
  }
  const rows = Math.min(Math.max(meta.total - (page - 1) * perPage, 0), perPage)
  const wanted = Math.min(Math.max(rows - slice.skip, 0), slice.take)
  if (count !== wanted) throw malformed(`${count} rows in place of ${wanted} on page ${page}`)
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
