import type { CompiledOperation } from '../engine/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { Call, Gateway } from './gateway.ts'
import { jsonAnswer, type LegacyAnswer } from './legacy-answer.ts'
import { readWholeList } from './read-whole-list.ts'

/** A list that legacy answers whole, revalidated by its entity tag. */
export async function answerWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  status: number,
): Promise<LegacyAnswer> {
  const { body, etag } = await readWholeList(gateway, call, operation, v1Call)
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization' }
  if (matches(call.request.headers['if-none-match'], etag)) return { status: 304, headers, body: null }
  return jsonAnswer(status, body, headers)
}

/** An entity tag without the mark of a weak one (RFC 9110 section 8.8.3); it may have commas in it. */
const TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g

/** RFC 9110 section 13.1.2: the weak comparison, of a list of tags or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(TAG)?.some((tag) => tag === etag) === true
}
