import { rowsWithIds } from './golden-case.ts'
import type { Asked, V1Answer } from './v1-stand-in.ts'

/** v1's envelope around a list. */
export function v1Page(
  items: readonly unknown[],
  meta: Partial<Record<'page' | 'perPage' | 'total' | 'pageCount', number>> = {},
) {
  return {
    success: true,
    message: 'İşlem başarılı.',
    items,
    meta: { page: 1, perPage: 200, total: items.length, pageCount: items.length === 0 ? 0 : 1, ...meta },
  }
}

/** v1's envelope around a record. */
export function v1Record(data: unknown) {
  return { success: true, message: 'İşlem başarılı.', data }
}

/** v1's error body. */
export function v1Error(status: number, code: string, message = 'Olmadı.'): V1Answer {
  return { status, body: { success: false, code, message } }
}

/** Answers the requested page of a list of `total` rows, which have only an id. */
export function answerPageOf(total: number): (asked: Asked) => V1Answer {
  return ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))]
    const rows = rowsWithIds((page - 1) * perPage + 1, Math.min(page * perPage, total))
    return { body: v1Page(rows, { page, perPage, total, pageCount: Math.ceil(total / perPage) }) }
  }
}
