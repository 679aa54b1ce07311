/** One page of v1, its rows in whatever form the reader wants them. */
export interface Page<Rows> {
  readonly rows: Rows
  /** How many of them were wanted. */
  readonly count: number
  readonly meta: { readonly page: number; readonly perPage: number; readonly total: number; readonly pageCount: number }
}

/** Which rows of a page are wanted: `take` rows from number `skip` on. */
export interface RowSlice {
  readonly skip: number
  readonly take: number
}

export type ReadPage<Rows> = (page: number, perPage: number, slice: RowSlice) => Promise<Page<Rows>>

/** The rows wanted of a list: `take` from number `from` on. */
export interface Range {
  readonly from: number
  readonly take: number
}

export const EVERYTHING: Range = { from: 0, take: Number.POSITIVE_INFINITY }
