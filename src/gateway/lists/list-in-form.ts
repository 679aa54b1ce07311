import type { ReferenceList } from '../../reference/reference-list.ts'
import { acceptedForms, type Form } from './accept-encoding.ts'

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
export function listInForm(list: ReferenceList, acceptEncoding: string | undefined): ListInForm | Promise<ListInForm> {
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
  const ready = accepted.flatMap((form): readonly ListInForm[] => {
    const body = form === 'identity' ? list.body : list.made(form)
    return body === undefined ? [] : [{ form, body }]
  })
  return ready[0] ?? uncoded
}
