import type { Page } from '../../../../src/data-plane/reference/read-v1-pages.ts'
import type { Slice } from '../../../../src/engine/answer.ts'

/** The counts that v1 states for a page. They may be anything. */
interface Said {
  readonly total: number
  readonly perPage: number
  readonly pageCount: number
}

export interface CarelessList {
  /** How many rows there are: the numbers from 1 on. */
  readonly length: number
  /** The largest page that v1 gives. */
  readonly most?: number
  /** The counts that it states in place of the true ones; `asked` is the requested page size, `call` counts from 1. */
  readonly says?: (so: Said, asked: number, call: number) => Partial<Said>
}

/** A v1 whose pages and counts do not agree, and the calls that it got. */
export function carelessList({ length, most = Number.POSITIVE_INFINITY, says = () => ({}) }: CarelessList) {
  const asked: (readonly [page: number, perPage: number])[] = []
  const readPage = async (page: number, wanted: number, slice: Slice): Promise<Page<readonly number[]>> => {
    const call = asked.push([page, wanted])
    const perPage = Math.min(wanted, most)
    const from = (page - 1) * perPage
    const all = Array.from({ length: Math.max(Math.min(perPage, length - from), 0) }, (_, index) => from + index + 1)
    const rows = all.slice(slice.skip, slice.skip + slice.take)
    const correct = { total: length, perPage, pageCount: Math.ceil(length / perPage) }
    return { rows, count: rows.length, meta: { page, ...correct, ...says(correct, wanted, call) } }
  }
  return { readPage, asked }
}
