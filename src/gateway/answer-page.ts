import { ALL_ROWS, type PageMeta, type PageRows, rewriteRows, type Slice } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile-operations.ts'
import { Rewriter } from '../engine/rewrite.ts'
import type { PageRequest } from '../engine/translate-parameters.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import { checkPage, readPages } from '../reference/read-pages.ts'
import { callV1 } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'
import { jsonAnswer, type LegacyAnswer } from './legacy-answer.ts'

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
  if (asked === undefined) throw new Error(`${operation.mapping.id} has no page`)

  const readPage = async (page: number, perPage: number, slice: Slice): Promise<PageRows> => {
    const paging = `${asked.paging.page}=${page}&${asked.paging.perPage}=${perPage}`
    return rewriteRows(operation.answer, await callV1(gateway, call, operation, v1Call, paging), slice)
  }

  const { rows, meta } = v1Call.matchesNothing
    ? await nothing(readPage, asked)
    : asked.perPage <= asked.paging.mostPerPage
      ? await onePage(readPage, asked)
      : await stitchedPage(readPage, asked)
  return jsonAnswer(response.status, composed(response, operation, rows, meta))
}

interface LegacyPage {
  readonly rows: readonly Uint8Array[]
  /** As v1 would have written it, had it allowed such a page. */
  readonly meta: PageMeta
}

type ReadPage = (page: number, perPage: number, slice: Slice) => Promise<PageRows>

async function onePage(readPage: ReadPage, { page, perPage }: PageRequest): Promise<LegacyPage> {
  const answer = await readPage(page, perPage, ALL_ROWS)
  checkPage(answer, page, perPage, ALL_ROWS)
  return { rows: [answer.rows], meta: answer.meta }
}

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

function composed(
  { rows: { at: rowsAt }, meta: { at: metaAt } }: ResponseMapping & { readonly kind: 'page' },
  { meta: plan }: CompiledOperation,
  rows: readonly Uint8Array[],
  meta: PageMeta,
): Uint8Array {
  const { total, page, perPage, pageCount } = meta
  const v1Meta = Buffer.from(JSON.stringify({ total, page, perPage, pageCount }))
  const rewriter = new Rewriter(v1Meta, v1Meta.length * 2)
  rewriter.value(plan, 0)
  const joined = rows.flatMap((chunk, index) => (index === 0 ? [chunk] : [COMMA, chunk]))
  return Buffer.concat([
    Buffer.from(`{${JSON.stringify(rowsAt)}:[`),
    ...joined,
    Buffer.from(`],${JSON.stringify(metaAt)}:`),
    rewriter.finish(),
    Buffer.from('}'),
  ])
}

const COMMA = Buffer.from(',')
