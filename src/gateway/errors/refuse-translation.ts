import type { Translation, V1Call } from '../../engine/translate-request.ts'
import { Refusal } from './refusal.ts'

/**
 * Returns the 400 for a request that cannot be translated. If the body as a whole is wrong, that becomes the message.
 */
export function refusalOf({ violations }: Pick<Translation, 'violations'>): Refusal {
  const [first] = violations
  return first?.path === ''
    ? new Refusal(400, first.message, { violations, values: first.with ?? {} })
    : new Refusal(400, 'not-valid', { violations })
}

/** Returns the v1 call of a translated request. @throws Refusal if the request could not be translated. */
export function v1CallOf(translation: Translation): V1Call {
  if (translation.call === undefined) throw refusalOf(translation)
  return translation.call
}
