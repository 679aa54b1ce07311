import { ALL_ROWS, type PageMeta, type PageRows, type Slice } from '../engine/answer.ts'
import type { PageRequest } from '../engine/translate-parameters.ts'
import type { Paging } from '../mapping/paging.ts'
import { readPages } from '../reference/read-pages.ts'
import type { Holder } from '../upstream/memory-budget.ts'
import type { Call } from './call.ts'
import { callV1, type Question } from './call-v1.ts'
import type { Gateway } from './gateway.ts'
import type { Notes } from './notes.ts'
import { rowsOf } from './rows-of.ts'

/** How many pages of v1 are asked for at a time, for one caller. */
const AT_ONCE = 4

interface LegacyPage {
  /** In the legacy shape, commas between them. */
  readonly rows: readonly Uint8Array[]
  /** As v1 would have written it, had it allowed such a page. */
  readonly meta: PageMeta
}

/** A legacy page that v1 does not give as one: put together from several of v1's, or of a filter that nothing can match. */
export function stitchPage(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  question: Question,
  asked: PageRequest,
): Promise<LegacyPage> {
  const readRows = async (page: number, perPage: number, slice: Slice): Promise<PageRows> => {
    const holder: Holder = { held: 0 }
    try {
      const paging = pagingOf(asked.paging, page, perPage)
      const answer = await callV1(gateway, call, notes, { ...question, paging, holder })
      const read = await rowsOf(gateway, question.operation, answer, slice)
      gateway.memory?.holdAnyway(notes.memory, read.rows.length)
      return read
    } finally {
      gateway.memory?.letGo(holder)
    }
  }
  return question.v1Call.matchesNothing ? nothing(readRows, asked) : stitched(readRows, asked)
}

type ReadRows = (page: number, perPage: number, slice: Slice) => Promise<PageRows>

/** v1 is asked all the same, so that it checks the token and the other filters. */
async function nothing(readRows: ReadRows, { page, perPage }: PageRequest): Promise<LegacyPage> {
  await readRows(1, 1, ALL_ROWS)
  return { rows: [], meta: { page, perPage, total: 0, pageCount: 0 } }
}

async function stitched(readRows: ReadRows, { page, perPage, paging }: PageRequest): Promise<LegacyPage> {
  const range = { from: (page - 1) * perPage, take: perPage }
  const { rows, total, pageCount } = await readPages(readRows, range, paging.mostPerPage, AT_ONCE)
  // v1's own way of counting the pages of an empty list is kept.
  return { rows, meta: { page, perPage, total, pageCount: total === 0 ? pageCount : Math.ceil(total / perPage) } }
}

/** The parameters that ask for one page of v1. */
export const pagingOf = (names: Paging, page: number, perPage: number): string =>
  `${names.page}=${page}&${names.perPage}=${perPage}`
