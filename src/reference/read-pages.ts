import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Range, ReadPage } from './page.ts'
import { type Reading, readOnce } from './read-once.ts'

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
