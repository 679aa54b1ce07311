import type { Page, RowSlice } from '../../../src/reference/page.ts'

/** What a v1 says of its pages, which may be anything. */
interface Said {
  readonly total: number
  readonly perPage: number
  readonly pageCount: number
}

export interface CarelessList {
  /** How many rows there are; the numbers from 1 on. */
  readonly length: number
  /** v1 gives no larger pages. */
  readonly most?: number
  /** What it says in place of what is so; `asked` is the page size that was asked for, `call` counts from 1. */
  readonly says?: (so: Said, asked: number, call: number) => Partial<Said>
}

/** A v1 whose pages and counts do not agree, and what it was asked. */
export function carelessList({ length, most = Number.POSITIVE_INFINITY, says = () => ({}) }: CarelessList) {
  const asked: (readonly [page: number, perPage: number])[] = []
  const readPage = async (page: number, wanted: number, slice: RowSlice): Promise<Page<readonly number[]>> => {
    const call = asked.push([page, wanted])
    const perPage = Math.min(wanted, most)
    const from = (page - 1) * perPage
    const all = Array.from({ length: Math.max(Math.min(perPage, length - from), 0) }, (_, index) => from + index + 1)
    const rows = all.slice(slice.skip, slice.skip + slice.take)
    const so = { total: length, perPage, pageCount: Math.ceil(length / perPage) }
    return { rows, count: rows.length, meta: { page, ...so, ...says(so, wanted, call) } }
  }
  return { readPage, asked }
}
