import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import type { AnswerCall } from '../compile-answerers.ts'
import { v1CallOf } from '../errors/refuse-translation.ts'
import { jsonAnswer } from '../legacy-answer.ts'
import { tagIn, tagOf } from './entity-tag.ts'
import { listInForm } from './list-in-form.ts'
import { readWholeList } from './read-whole-list.ts'

const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization, Accept-Encoding' }

/** Answers with a whole list, in a form that the client takes, revalidated by its entity tag. */
export function wholeListAnswerer(
  operation: CompiledOperation,
  { status }: ResponseMapping & { readonly kind: 'whole-list' },
): AnswerCall {
  return async (gateway, call, notes, translation) => {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = call.request.headers
    const list = await readWholeList(gateway, call, notes, operation, v1CallOf(translation))
    const known = tagIn(ifNoneMatch, list.etag)
    if (known !== undefined) return { status: 304, headers: { ...HEADERS, etag: known }, body: null }
    const { form, body } = await listInForm(list, acceptEncoding)
    const coding = form === 'identity' ? undefined : { 'content-encoding': form }
    return jsonAnswer(status, body, { ...HEADERS, ...coding, etag: tagOf(list.etag, form) })
  }
}
