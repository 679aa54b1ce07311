import { createHash } from 'node:crypto'
import { rewriteRows } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import { EVERYTHING, readPages } from '../reference/read-pages.ts'
import { callV1 } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'
import { jsonAnswer, type LegacyAnswer } from './legacy-answer.ts'

/** How many pages of a list are asked for at a time. */
const AT_ONCE = 8

/** A list that legacy answers whole: read page by page, kept, and revalidated by its entity tag. */
export async function answerWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  { paging, status }: ResponseMapping & { readonly kind: 'whole-list' },
): Promise<LegacyAnswer> {
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

  const { body, etag } = await gateway.lists.get(cacheKeyOf(call, operation, v1Call), sweep)
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization' }
  if (matches(call.request.headers['if-none-match'], etag)) return { status: 304, headers, body: null }
  return jsonAnswer(status, body, headers)
}

/** Whatever makes an answer another one: the list, its filters, the language, and where it needs one the token. */
function cacheKeyOf({ request }: Call, { mapping }: CompiledOperation, { query }: V1Call): string {
  const token = mapping.authorization === 'token' ? (request.headers.authorization ?? '') : ''
  const holder = token === '' ? '' : createHash('sha256').update(token).digest('base64url')
  return [mapping.id, request.language, holder, query].join(' ')
}

/** An entity tag without the mark of a weak one (RFC 9110 section 8.8.3); it may have commas in it. */
const TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g

/** RFC 9110 section 13.1.2: the weak comparison, of a list of tags or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(TAG)?.some((tag) => tag === etag) === true
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
