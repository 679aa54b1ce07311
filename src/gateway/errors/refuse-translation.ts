import type { Translation, V1Call } from '../../engine/translate-request.ts'
import { Refusal } from './refusal.ts'

/** A request that cannot be translated as a 400: what is wrong with the body as a whole is the message itself. */
export function refusalOf({ violations }: Pick<Translation, 'violations'>): Refusal {
  const [first] = violations
  return first?.path === ''
    ? new Refusal(400, first.message, { violations, values: first.with ?? {} })
    : new Refusal(400, 'not-valid', { violations })
}

/** The v1 call that a request became. @throws Refusal when it could not be translated. */
export function v1CallOf(translation: Translation): V1Call {
  if (translation.call === undefined) throw refusalOf(translation)
  return translation.call
}
