import type { Translation } from '../../engine/translate-request.ts'
import { Refusal } from './refusal.ts'

/** A request that cannot be translated as a 400: what is wrong with the body as a whole is the message itself. */
export function refusalOf({ violations }: Pick<Translation, 'violations'>): Refusal {
  const [first] = violations
  return first?.path === ''
    ? new Refusal(400, first.message, { violations, values: first.with ?? {} })
    : new Refusal(400, 'not-valid', { violations })
}
