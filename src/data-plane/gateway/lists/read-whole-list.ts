import { within } from '../../../common/promises.ts'
import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import type { V1Call } from '../../../engine/translate-request.ts'
import { versionOf } from '../../../mapping/corrections/mapping-version.ts'
import { pageJoiner, type WholeList } from '../../reference/join-pages.ts'
import { EVERYTHING, type ReadPage, readPages } from '../../reference/read-v1-pages.ts'
import type { ReferenceList } from '../../reference/reference-list.ts'
import type { Sweep } from '../../reference/reference-lists.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { pagingOf, readRows } from '../call-v1.ts'
import type { Gateway } from '../gateway.ts'
import { askedBeside, type Call } from '../gateway.ts'
import { hashOf } from '../login/client-names.ts'
import { addSharedCalls } from '../notes.ts'

/** How many pages of a list are read at a time. */
const AT_ONCE = 8

/**
 * Returns a list that legacy answers whole, in the legacy shape: the cached one, or one read page by page. Throws like `callV1` and
 * `readPages`, and an UpstreamError, `timeout`, if the list is not read by the call's deadline.
 */
export function readWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
): ReferenceList | Promise<ReferenceList> {
  const read: Sweep = (isAhead) => sweep(gateway, call, operation, v1Call, isAhead)
  const key = cacheKeyOf(call, operation, v1Call)
  return gateway.lists.fresh(key, read) ?? inTime(call, gateway.lists.get(key, read))
}

/** Reads every page. The calls of v1 are noted for the call that started the sweep. */
async function sweep(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  isAhead: boolean,
): Promise<WholeList> {
  const { response } = operation.mapping
  if (response.kind !== 'whole-list') throw new Error(`${operation.mapping.id} is no whole list`)
  // Other calls may wait for this sweep, and it may be repeated long after this call, so the call's deadline does not apply. A list
  // that is the same for all clients uses no client's share: no caller should wait for it behind the calls of the client that asked
  // first.
  const share = operation.mapping.authorization === 'none' ? undefined : call.share
  const sweepCall = askedBeside(call, share, isAhead ? 'refresh' : undefined)
  let list = pageJoiner(0)
  const readPage: ReadPage<undefined> = async (page, perPage, slice) => {
    const paging = pagingOf(response.paging, page, perPage)
    const { rows, count, meta } = await readRows(gateway, sweepCall, { operation, v1Call }, paging, slice)
    // The first page is read before all others, even when a list that changed is read again.
    if (page === 1) list = pageJoiner(meta.pageCount)
    list.add(page, rows)
    return { rows: undefined, count, meta }
  }
  try {
    const { disagreement } = await readPages(readPage, EVERYTHING, response.paging.mostPerPage, AT_ONCE)
    return { ...list.finish(), disagreement }
  } finally {
    gateway.memory?.end(sweepCall.notes.memory)
    addSharedCalls(call.notes, sweepCall.notes)
  }
}

async function inTime({ deadline }: Call, reading: Promise<ReferenceList>): Promise<ReferenceList> {
  if (deadline === undefined) return reading
  const list = await within(Math.max(deadline - performance.now(), 0), reading)
  if (list === undefined) throw new UpstreamError('timeout', 'the list was not read in time')
  return list
}

/**
 * Returns a key made of all that the list depends on: the operation and the version of its mapping, the filters, the language and, if the
 * operation needs one, the token.
 */
function cacheKeyOf({ request, credentials }: Call, { mapping }: CompiledOperation, { path, query }: V1Call): string {
  const token = mapping.authorization === 'token' ? (credentials.v1 ?? '') : ''
  const tokenHash = token === '' ? '' : hashOf(token)
  return `${mapping.id} ${versionOf(mapping)} ${request.language} ${tokenHash} ${path} ${query}`
}

/** Returns the operation whose list is cached under a key. */
export const operationOfKey = (key: string): string => key.slice(0, key.indexOf(' '))
