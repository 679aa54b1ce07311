import { hash } from 'node:crypto'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import { pageJoiner, type WholeList } from '../../reference/join-pages.ts'
import { EVERYTHING, type ReadPage } from '../../reference/page.ts'
import { readPages } from '../../reference/read-pages.ts'
import type { ReferenceList } from '../../reference/reference-list.ts'
import type { Holder } from '../../upstream/memory-budget.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { askedBeside, type Call } from '../call.ts'
import { callV1 } from '../call-v1.ts'
import type { Gateway } from '../gateway.ts'
import { Notes } from '../notes.ts'
import { rowsOf } from '../rows-of.ts'
import { pagingOf } from '../stitch-page.ts'

/** How many pages of a list are asked for at a time. */
const AT_ONCE = 8

/**
 * A list that legacy answers whole, in the legacy shape: kept, or read page by page. Throws as `callV1` and `readPages` do,
 * and a `timeout` when the call has a deadline and the list is not there by then.
 */
export async function readWholeList(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  operation: CompiledOperation,
  v1Call: V1Call,
): Promise<ReferenceList> {
  const read = (): Promise<WholeList> => sweep(gateway, call, notes, operation, v1Call)
  const list = gateway.lists.get(cacheKeyOf(call, operation, v1Call), read)
  return inTime(call, list)
}

/** The same where it is kept, at once; undefined: it would have to be waited for. */
export function keptWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
): ReferenceList | undefined {
  const read = (): Promise<WholeList> => sweep(gateway, call, new Notes(), operation, v1Call)
  return gateway.lists.fresh(cacheKeyOf(call, operation, v1Call), read)
}

/** Reads every page. What was asked of v1 is noted of the call that began it. */
async function sweep(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  operation: CompiledOperation,
  v1Call: V1Call,
): Promise<WholeList> {
  const { response } = operation.mapping
  if (response.kind !== 'whole-list') throw new Error(`${operation.mapping.id} is no whole list`)
  // Others may wait for it too, and it may be made again long after this call: the call's deadline is not theirs.
  // What is the same for all is no client's own: nobody waits for it behind the calls of whoever asked first.
  const asking = askedBeside(call, operation.mapping.authorization === 'none' ? undefined : call.share)
  const asked = new Notes()
  let list = pageJoiner(0)
  const readPage: ReadPage<undefined> = async (page, perPage, slice) => {
    const paging = pagingOf(response.paging, page, perPage)
    const holder: Holder = { held: 0 }
    try {
      const answer = await callV1(gateway, asking, asked, { operation, v1Call, paging, holder })
      const { rows, count, meta } = await rowsOf(gateway, operation, answer, slice)
      // The first page is read before all others, also when a list that changed is read again.
      if (page === 1) list = pageJoiner(meta.pageCount)
      gateway.memory?.holdAnyway(asked.memory, rows.length)
      list.add(page, rows)
      return { rows: undefined, count, meta }
    } finally {
      gateway.memory?.letGo(holder)
    }
  }
  try {
    const { disagreement } = await readPages(readPage, EVERYTHING, response.paging.mostPerPage, AT_ONCE)
    return { ...list.finish(), disagreement }
  } finally {
    gateway.memory?.letGo(asked.memory)
    notes.v1AskedBeside(asked)
  }
}

function inTime<T>({ deadline }: Call, awaited: Promise<T>): Promise<T> {
  if (deadline === undefined) return awaited
  return new Promise((resolve, reject) => {
    const tooLate = (): void => reject(new UpstreamError('timeout', 'the list was not read in time'))
    const timer = setTimeout(tooLate, Math.max(deadline - performance.now(), 0))
    awaited.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whatever makes an answer another one: the list, its filters, the language, and where it needs one the token. */
function cacheKeyOf({ request, credentials }: Call, { mapping }: CompiledOperation, { path, query }: V1Call): string {
  const token = mapping.authorization === 'token' ? (credentials.v1 ?? '') : ''
  const holder = token === '' ? '' : hash('sha256', token, 'base64url')
  return [mapping.id, request.language, holder, path, query].join(' ')
}

/** The operation whose list is kept under a key. */
export const operationOfKey = (key: string): string => key.slice(0, key.indexOf(' '))
