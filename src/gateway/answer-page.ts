import { ALL_ROWS, type PageMeta, type PageRows, type Slice } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { composePage, rewritePage } from '../engine/page.ts'
import type { PageRequest } from '../engine/translate-parameters.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import { readPages } from '../reference/read-pages.ts'
import type { Holder } from '../upstream/memory-budget.ts'
import { release } from '../upstream/release.ts'
import { LARGE_BYTES } from './aside.ts'
import { askV1, callV1, isError, refuse } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'
import { type LegacyAnswer, ownJsonAnswer } from './legacy-answer.ts'
import { rowsOf } from './rows-of.ts'

/** How many pages of v1 are asked for at a time, for one caller. */
const AT_ONCE = 4

/** One legacy page, which may be larger than v1 gives, or empty because of a value that v1 removed. */
export async function answerPage(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  response: ResponseMapping & { readonly kind: 'page' },
): Promise<LegacyAnswer> {
  const { page: asked } = v1Call
  const { page: plan } = operation
  if (asked === undefined || plan === undefined) throw new Error(`${operation.mapping.id} has no page`)

  const queryOf = (page: number, perPage: number): string =>
    `${asked.paging.page}=${page}&${asked.paging.perPage}=${perPage}`
  const readRows: ReadPage = async (page, perPage, slice) => {
    const holder: Holder = { held: 0 }
    try {
      const answer = await callV1(gateway, call, operation, v1Call, queryOf(page, perPage), holder)
      const read = await rowsOf(gateway, operation, answer, slice)
      gateway.memory?.holdAnyway(call, read.rows.length)
      return read
    } finally {
      gateway.memory?.letGo(holder)
    }
  }

  if (!v1Call.matchesNothing && asked.perPage <= asked.paging.mostPerPage) {
    const answer = await askV1(gateway, call, operation, v1Call, queryOf(asked.page, asked.perPage))
    if (isError(answer)) return refuse(gateway, call, operation, v1Call, answer)
    if (gateway.aside !== undefined && answer.body.length >= LARGE_BYTES) {
      return ownJsonAnswer(response.status, await gateway.aside.rewritePage(operation.mapping.id, answer.body))
    }
    const page = rewritePage(plan, answer.body)
    release(answer.body)
    return ownJsonAnswer(response.status, page)
  }
  const { rows, meta } = await (v1Call.matchesNothing ? nothing(readRows, asked) : stitchedPage(readRows, asked))
  return ownJsonAnswer(response.status, composePage(plan, rows, meta))
}

interface LegacyPage {
  readonly rows: readonly Uint8Array[]
  /** As v1 would have written it, had it allowed such a page. */
  readonly meta: PageMeta
}

type ReadPage = (page: number, perPage: number, slice: Slice) => Promise<PageRows>

/** v1 is asked all the same, so that it checks the token and the other filters. */
async function nothing(readPage: ReadPage, { page, perPage }: PageRequest): Promise<LegacyPage> {
  await readPage(1, 1, ALL_ROWS)
  return { rows: [], meta: { page, perPage, total: 0, pageCount: 0 } }
}

async function stitchedPage(readPage: ReadPage, { page, perPage, paging }: PageRequest): Promise<LegacyPage> {
  const range = { from: (page - 1) * perPage, take: perPage }
  const { rows, total, pageCount } = await readPages(readPage, range, paging.mostPerPage, AT_ONCE)
  // v1's own way of counting the pages of an empty list is kept.
  return { rows, meta: { page, perPage, total, pageCount: total === 0 ? pageCount : Math.ceil(total / perPage) } }
}
