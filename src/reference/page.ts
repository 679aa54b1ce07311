/** One page of v1, its rows in the form that `ReadPage` gives them. */
export interface Page<Rows> {
  readonly rows: Rows
  /** The number of wanted rows. */
  readonly count: number
  readonly meta: { readonly page: number; readonly perPage: number; readonly total: number; readonly pageCount: number }
}

/** The wanted rows of a page: `take` rows from index `skip` on. */
export interface RowSlice {
  readonly skip: number
  readonly take: number
}

/** Reads one page of v1. */
export type ReadPage<Rows> = (page: number, perPage: number, slice: RowSlice) => Promise<Page<Rows>>

/** The wanted rows of a list: `take` rows from index `from` on. */
export interface Range {
  readonly from: number
  readonly take: number
}

export const EVERYTHING: Range = { from: 0, take: Number.POSITIVE_INFINITY }
