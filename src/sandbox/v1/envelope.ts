import type { Page } from '../store/select-page.ts'
import type { Answer } from './endpoint.ts'

/** Wraps a single record in the v1 success envelope. `message` is Turkish in every language. */
export function record(status: 200 | 201, message: string, data: object): Answer {
  return { status, body: { success: true, message, data } }
}

/**
 * Wraps a page of a list in the envelope (docs/contract.md 2.4). *Assumed*: status 200 (docs/contract.md 13.1);
 * `pageCount` of an empty list is 0; a page past the end has no items.
 */
export function list<Row>(
  message: string,
  { rows, total }: Page<Row>,
  { page, perPage }: { page: number; perPage: number },
  present: (row: Row) => object,
): Answer {
  const meta = { page, perPage, total, pageCount: Math.ceil(total / perPage) }
  return { status: 200, body: { success: true, message, items: rows.map(present), meta } }
}

/** Wraps a list without pages, and hence without `meta`, in the v1 success envelope. */
export function wholeList(message: string, items: readonly object[]): Answer {
  return { status: 200, body: { success: true, message, items } }
}

/** Builds a v1 success envelope without a result. */
export function done(message: string): Answer {
  return { status: 200, body: { success: true, message } }
}
