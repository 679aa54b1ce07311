import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Range, ReadPage } from './page.ts'
import { type Reading, readOnce } from './read-once.ts'

export interface PagesRead<Rows> {
  /** In v1's order; pages without a wanted row are not among them. */
  readonly rows: readonly Rows[]
  readonly total: number
  /** v1's own count of its pages. */
  readonly pageCount: number
  /** Undefined: there are as many rows as v1's `total` promises. */
  readonly disagreement: Disagreement | undefined
}

/** There are more or fewer rows than v1's `total` promises, also when they are read again. */
export interface Disagreement {
  readonly rows: number
  readonly promised: number
}

/**
 * Reads rows of a paginated list of v1, `atOnce` pages at a time. `perPage` rows are asked for, and v1 may give smaller pages.
 * A list that changes meanwhile, or whose rows do not add up to its `total`, is read again, once: a list that is cut short
 * must not pass for a whole one. Where that finds the same number of rows missing, or too many, v1's count is wrong and the
 * rows are what there is.
 * @throws UpstreamError `malformed` when a page is not the one that was asked for, there would be too many, or reading again
 * finds something else.
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
    throw new UpstreamError('malformed', `${inWords(first)}, and then ${inWords(second)}`)
  }
  return { ...second, disagreement: { rows: second.count, promised: second.promised } }
}

type Counts = Pick<Reading<unknown>, 'count' | 'promised' | 'isSteady'>

const missingOf = ({ count, promised }: Counts): number => promised - count

const addsUp = (reading: Counts): boolean => reading.isSteady && missingOf(reading) === 0

const inWords = ({ count, promised }: Counts): string => `${count} rows in place of ${promised}`
