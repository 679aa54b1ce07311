export type Language = 'tr' | 'en'

/**
 * The language of an Accept-Language value (docs/contract.md 2.3): one that starts with `en` selects English, anything
 * else, also none, Turkish. *Assumed*: taken literally, so `EN` is Turkish; weights and later entries do not count.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.startsWith('en') ? 'en' : 'tr'
}

/** The name of what has one in each language. */
export function nameOf({ nameEn, nameTr }: { nameEn: string; nameTr: string }, language: Language): string {
  return language === 'en' ? nameEn : nameTr
}
