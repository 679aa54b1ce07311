import type { Language } from '../language.ts'
import type { NamedState } from '../store/shipment-names.ts'

/** `type`, `status` and `activityStatus` of a shipment. */
export function presentState({ id, slug, name }: NamedState, language: Language) {
  return { id, slug, name: name[language] }
}
