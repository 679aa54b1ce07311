export type Language = 'tr' | 'en'

/**
 * Returns the language for an Accept-Language value (docs/contract.md 2.3). A value that starts with `en` selects
 * English; any other value, or none, Turkish. *Assumed*: this is meant literally, so `EN` is Turkish, and weights and
 * later entries do not count.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.startsWith('en') ? 'en' : 'tr'
}

/** Returns the name of a record in a language. */
export function nameOf({ nameEn, nameTr }: { nameEn: string; nameTr: string }, language: Language): string {
  return language === 'en' ? nameEn : nameTr
}
