import { ALL_ROWS, composePage, type PageRows, rewritePage, type Slice } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { PageMeta } from '../../engine/envelope.ts'
import type { PageRequest } from '../../engine/translate-parameters.ts'
import { readPages } from '../reference/read-v1-pages.ts'
import { release } from '../upstream/body-memory.ts'
import { askV1, isError, pagingOf, type Question, readRows, refuse } from './call-v1.ts'
import { v1CallOf } from './errors/refusal.ts'
import type { AnswerCall, Call, Gateway } from './gateway.ts'
import { asideFor } from './large-texts.ts'
import { ownJsonAnswer } from './legacy-answer.ts'

/**
 * Answers with one legacy page. It may be larger than v1's pages, or empty because the request asks for a value that v1
 * removed.
 */
export function pageAnswerer(operation: CompiledOperation, status: number): AnswerCall {
  const { mapping, page: plan } = operation
  if (plan === undefined) throw new Error(`${mapping.id} has no page`)

  return async (gateway, call, translation) => {
    const v1Call = v1CallOf(translation)
    const { page: pageRequest, matchesNothing } = v1Call
    if (pageRequest === undefined) throw new Error(`a call of ${mapping.id} asks for no page`)
    if (matchesNothing || pageRequest.perPage > pageRequest.paging.mostPerPage) {
      const { rows, meta } = await stitchPage(gateway, call, { operation, v1Call }, pageRequest)
      return ownJsonAnswer(status, composePage(plan, rows, meta))
    }
    const question = { operation, v1Call, paging: pagingOf(pageRequest.paging, pageRequest.page, pageRequest.perPage) }
    const answer = await askV1(gateway, call, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const aside = asideFor(gateway, call, answer.body)
    const page = aside === undefined ? rewritePage(plan, answer.body) : await aside.rewritePage(mapping, answer.body)
    release(answer.body)
    return ownJsonAnswer(status, page)
  }
}

/** How many pages of v1 are read at a time for one caller. */
const AT_ONCE = 4

interface LegacyPage {
  /** In the legacy shape, separated by commas. */
  readonly rows: readonly Uint8Array[]
  /** As v1 would write it if it allowed such a page. */
  readonly meta: PageMeta
}

/**
 * Returns a legacy page that v1 does not give as one page: stitched from several of v1's, or empty because nothing can
 * match the request.
 */
function stitchPage(gateway: Gateway, call: Call, question: Question, pageRequest: PageRequest): Promise<LegacyPage> {
  const read: ReadRows = (page, perPage, slice) =>
    readRows(gateway, call, question, pagingOf(pageRequest.paging, page, perPage), slice)
  return question.v1Call.matchesNothing ? emptyPage(read, pageRequest) : stitchedPage(read, pageRequest)
}

type ReadRows = (page: number, perPage: number, slice: Slice) => Promise<PageRows>

/** Still asks v1, so that it checks the token and the other filters. */
async function emptyPage(read: ReadRows, { page, perPage }: PageRequest): Promise<LegacyPage> {
  await read(1, 1, ALL_ROWS)
  return { rows: [], meta: { page, perPage, total: 0, pageCount: 0 } }
}

async function stitchedPage(read: ReadRows, { page, perPage, paging }: PageRequest): Promise<LegacyPage> {
  const range = { from: (page - 1) * perPage, take: perPage }
  const { rows, total, pageCount } = await readPages(read, range, paging.mostPerPage, AT_ONCE)
  // For an empty list, v1's own page count stays.
  return { rows, meta: { page, perPage, total, pageCount: total === 0 ? pageCount : Math.ceil(total / perPage) } }
}
