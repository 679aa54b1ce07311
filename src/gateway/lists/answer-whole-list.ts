import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { Call, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { tagIn, tagOf } from './entity-tag.ts'
import { listInForm } from './list-in-form.ts'
import { readWholeList } from './read-whole-list.ts'

const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization, Accept-Encoding' }

/** A list that legacy answers whole, in a form that the client takes, revalidated by its entity tag. */
export async function answerWholeList(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  status: number,
): Promise<LegacyAnswer> {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = call.request.headers
  const list = await readWholeList(gateway, call, operation, v1Call)
  const known = tagIn(ifNoneMatch, list.etag)
  if (known !== undefined) return { status: 304, headers: { ...HEADERS, etag: known }, body: null }
  const { form, body } = await listInForm(list, acceptEncoding)
  const coding = form === 'identity' ? undefined : { 'content-encoding': form }
  return jsonAnswer(status, body, { ...HEADERS, ...coding, etag: tagOf(list.etag, form) })
}
