import { createHash } from 'node:crypto'
import { rewriteRows } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import { EVERYTHING, readPages } from '../reference/read-pages.ts'
import type { ReferenceList } from '../reference/reference-lists.ts'
import { callV1 } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'

/** How many pages of a list are asked for at a time. */
const AT_ONCE = 8

/** A list that legacy answers whole, in the legacy shape: kept, or read page by page. */
export async function readWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
): Promise<ReferenceList> {
  const { response } = operation.mapping
  if (response.kind !== 'whole-list') throw new Error(`${operation.mapping.id} is no whole list`)
  const { paging } = response
  const sweep = async (): Promise<Uint8Array> => {
    const { rows } = await readPages(
      async (page, perPage, slice) => {
        const query = `${paging.page}=${page}&${paging.perPage}=${perPage}`
        return rewriteRows(operation.answer, await callV1(gateway, call, operation, v1Call, query), slice)
      },
      EVERYTHING,
      paging.mostPerPage,
      AT_ONCE,
    )
    return Buffer.concat([OPEN, ...rows.flatMap((chunk, index) => (index === 0 ? [chunk] : [COMMA, chunk])), CLOSE])
  }
  return gateway.lists.get(cacheKeyOf(call, operation, v1Call), sweep)
}

/** Whatever makes an answer another one: the list, its filters, the language, and where it needs one the token. */
function cacheKeyOf({ request, credentials }: Call, { mapping }: CompiledOperation, { query }: V1Call): string {
  const token = mapping.authorization === 'token' ? (credentials.v1 ?? '') : ''
  const holder = token === '' ? '' : createHash('sha256').update(token).digest('base64url')
  return [mapping.id, request.language, holder, query].join(' ')
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
