import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import type { ResponseMapping } from '../../../mapping/operation.ts'
import type { Coding, ReferenceList } from '../../reference/reference-list.ts'
import { v1CallOf } from '../errors/refusal.ts'
import type { AnswerCall } from '../gateway.ts'
import { jsonAnswer } from '../legacy-answer.ts'
import { readWholeList } from './read-whole-list.ts'

const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Language, Authorization, Accept-Encoding' }

/** Answers with a whole list in a form that the client accepts, or with a 304 if the client has the list already. */
export function wholeListAnswerer(
  operation: CompiledOperation,
  { status }: ResponseMapping & { readonly kind: 'whole-list' },
): AnswerCall {
  return async (gateway, call, translation) => {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = call.request.headers
    // A cached list, in a form that has been made, is there already: `await` would cost a turn of microtasks for each.
    const reading = readWholeList(gateway, call, operation, v1CallOf(translation))
    const list = reading instanceof Promise ? await reading : reading
    const matched = tagIn(ifNoneMatch, list.etag)
    if (matched !== undefined) return { status: 304, headers: { ...HEADERS, etag: matched }, body: null }
    const forming = listInForm(list, acceptEncoding)
    const { form, body } = forming instanceof Promise ? await forming : forming
    const coding = form === 'identity' ? undefined : { 'content-encoding': form }
    return jsonAnswer(status, body, { ...HEADERS, ...coding, etag: tagOf(list.etag, form) })
  }
}

/** Shorter lists are not worth coding. */
const MIN_CODED_BYTES = 1_024
/** Up to this size, coding takes about ten milliseconds, and the answer waits for it. */
const MAX_AWAITED_BYTES = 1_048_576

interface ListInForm {
  readonly form: Form
  readonly body: Uint8Array
}

/**
 * Returns a list in the form that the client prefers. A large list does not wait for its coding: until that is ready,
 * the list comes in the best form that exists.
 */
function listInForm(list: ReferenceList, acceptEncoding: string | undefined): ListInForm | Promise<ListInForm> {
  const uncoded: ListInForm = { form: 'identity', body: list.body }
  const accepted = acceptedForms(acceptEncoding)
  const acceptsUncoded = accepted.includes('identity')
  const [best = 'identity'] = accepted
  if (best === 'identity' || (acceptsUncoded && list.body.length < MIN_CODED_BYTES)) return uncoded

  const coded = list.make(best).then(
    (body): ListInForm => ({ form: best, body }),
    () => uncoded,
  )
  if (!acceptsUncoded || list.body.length <= MAX_AWAITED_BYTES) return coded
  for (const form of accepted) {
    const body = form === 'identity' ? list.body : list.made(form)
    if (body !== undefined) return { form, body }
  }
  return uncoded
}

/** A form in which a list can be answered. */
type Form = Coding | 'identity'

/** All forms, the shortest first. A client without a preference gets the first that it accepts. */
const FORMS: readonly Form[] = ['br', 'gzip', 'identity']

const UNCODED: readonly Form[] = ['identity']

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/**
 * Returns the forms that a client accepts, its favourite first (RFC 9110 section 12.5.3). Without the header, only the
 * uncoded list: many old clients do not send it and could not decode anything. Never empty: a header that excludes
 * every form is disregarded (section 12.4.1), because a 406 of legacy means something else.
 */
export function acceptedForms(acceptEncoding: string | undefined): readonly Form[] {
  if (acceptEncoding === undefined) return UNCODED
  const weights = new Map<string, number>()
  for (const element of acceptEncoding.split(',')) {
    const [coding = '', parameter = 'q=1'] = element.split(';').map((part) => part.trim())
    const weight = WEIGHT.exec(parameter)?.[1]
    if (weight !== undefined) weights.set(coding.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight))
  }
  const wildcard = weights.get('*')
  // A form that the header does not cover is not accepted, except identity as the last resort.
  const weightOf = (form: Form): number => weights.get(form) ?? wildcard ?? (form === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = FORMS.filter((form) => weightOf(form) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return accepted.length === 0 ? UNCODED : accepted
}

/**
 * Returns the strong entity tag of a list in one of its forms. Each form has different bytes, and so a tag of its own
 * (RFC 9110 section 8.8.3.3). `etag` is the tag of the uncoded list.
 */
function tagOf(etag: string, form: Form): string {
  return form === 'identity' ? etag : `${etag.slice(0, -1)}-${form}"`
}

/** An entity tag without the prefix of a weak one (RFC 9110 section 8.8.3). May contain commas. */
const TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * Returns the client's tag for the list, whichever form of the list it has; undefined if it has none. Compares weakly (RFC 9110
 * section 13.1.2). Reads a list of tags, or `*`, which stands for the uncoded list.
 */
function tagIn(ifNoneMatch: string | undefined, etag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return etag
  const forms = (['identity', 'gzip', 'br'] as const).map((form) => tagOf(etag, form))
  return ifNoneMatch.match(TAG)?.find((tag) => forms.includes(tag))
}
