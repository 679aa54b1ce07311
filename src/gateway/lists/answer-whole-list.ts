import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import type { AnswerCall } from '../compile-answerers.ts'
import { v1CallOf } from '../errors/refuse-translation.ts'
import { jsonAnswer } from '../legacy-answer.ts'
import { tagIn, tagOf } from './entity-tag.ts'
import { listInForm } from './list-in-form.ts'
import { readWholeList } from './read-whole-list.ts'

const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization, Accept-Encoding' }

/** Answers with a whole list in a form that the client accepts, or with a 304 if the client has the list already. */
export function wholeListAnswerer(
  operation: CompiledOperation,
  { status }: ResponseMapping & { readonly kind: 'whole-list' },
): AnswerCall {
  return async (gateway, call, notes, translation) => {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = call.request.headers
    // A cached list, in a form that has been made, is there already: `await` would cost a turn of microtasks for each.
    const reading = readWholeList(gateway, call, notes, operation, v1CallOf(translation))
    const list = reading instanceof Promise ? await reading : reading
    const matched = tagIn(ifNoneMatch, list.etag)
    if (matched !== undefined) return { status: 304, headers: { ...HEADERS, etag: matched }, body: null }
    const forming = listInForm(list, acceptEncoding)
    const { form, body } = forming instanceof Promise ? await forming : forming
    const coding = form === 'identity' ? undefined : { 'content-encoding': form }
    return jsonAnswer(status, body, { ...HEADERS, ...coding, etag: tagOf(list.etag, form) })
  }
}
