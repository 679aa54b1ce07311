import { ALL_ROWS, type PageRows, type Slice } from '../engine/answer.ts'
import type { PageMeta } from '../engine/envelope.ts'
import type { PageRequest } from '../engine/translate-parameters.ts'
import type { Paging } from '../mapping/request.ts'
import { readPages } from '../reference/read-pages.ts'
import type { Holder } from '../upstream/memory-budget.ts'
import type { Call } from './call.ts'
import { callV1, type Question } from './call-v1.ts'
import type { Gateway } from './gateway.ts'
import type { Notes } from './notes.ts'
import { rowsOf } from './rows-of.ts'

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
export function stitchPage(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  question: Question,
  pageRequest: PageRequest,
): Promise<LegacyPage> {
  const readRows = async (page: number, perPage: number, slice: Slice): Promise<PageRows> => {
    const holder: Holder = { held: 0, share: call.share }
    try {
      const paging = pagingOf(pageRequest.paging, page, perPage)
      const answer = await callV1(gateway, call, notes, { ...question, paging, holder })
      const read = await rowsOf(gateway, call, question.operation, answer, slice)
      gateway.memory?.holdAnyway(notes.memory, read.rows.length)
      return read
    } finally {
      gateway.memory?.end(holder)
    }
  }
  return question.v1Call.matchesNothing ? emptyPage(readRows, pageRequest) : stitchedPage(readRows, pageRequest)
}

type ReadRows = (page: number, perPage: number, slice: Slice) => Promise<PageRows>

/** Still asks v1, so that it checks the token and the other filters. */
async function emptyPage(readRows: ReadRows, { page, perPage }: PageRequest): Promise<LegacyPage> {
  await readRows(1, 1, ALL_ROWS)
  return { rows: [], meta: { page, perPage, total: 0, pageCount: 0 } }
}

async function stitchedPage(readRows: ReadRows, { page, perPage, paging }: PageRequest): Promise<LegacyPage> {
  const range = { from: (page - 1) * perPage, take: perPage }
  const { rows, total, pageCount } = await readPages(readRows, range, paging.mostPerPage, AT_ONCE)
  // For an empty list, v1's own page count stays.
  return { rows, meta: { page, perPage, total, pageCount: total === 0 ? pageCount : Math.ceil(total / perPage) } }
}

/** Returns the query parameters that ask for one page of v1. */
export const pagingOf = (names: Paging, page: number, perPage: number): string =>
  `${names.page}=${page}&${names.perPage}=${perPage}`
