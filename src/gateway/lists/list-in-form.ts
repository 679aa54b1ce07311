import type { ReferenceList } from '../../reference/reference-list.ts'
import { acceptedForms, type Form } from './accept-encoding.ts'

/** A shorter list is not worth coding. */
const LEAST_CODED_BYTES = 1_024
/** Up to this size a content coding takes some ten milliseconds, and is waited for. */
const MOST_AWAITED_BYTES = 1_048_576

interface ListInForm {
  readonly form: Form
  readonly body: Uint8Array
}

/**
 * A list in the form that the client likes best. A large list is not held up by its coding: until that is made, it comes in
 * the next best form that is there.
 */
export async function listInForm(list: ReferenceList, acceptEncoding: string | undefined): Promise<ListInForm> {
  const asItIs: ListInForm = { form: 'identity', body: list.body }
  const accepted = acceptedForms(acceptEncoding)
  const takesItAsItIs = accepted.includes('identity')
  const [best = 'identity'] = accepted
  if (best === 'identity' || (takesItAsItIs && list.body.length < LEAST_CODED_BYTES)) return asItIs

  const coded = list.make(best).then(
    (body): ListInForm => ({ form: best, body }),
    () => asItIs,
  )
  if (!takesItAsItIs || list.body.length <= MOST_AWAITED_BYTES) return coded
  const there = accepted.flatMap((form): readonly ListInForm[] => {
    const body = form === 'identity' ? list.body : list.made(form)
    return body === undefined ? [] : [{ form, body }]
  })
  return there[0] ?? asItIs
}
