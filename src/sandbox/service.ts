import type { DatabaseSync } from 'node:sqlite'

/** The service behind both faces. */
export interface Service {
  readonly db: DatabaseSync
  /** The clock, in ms since 1970. */
  readonly now: () => number
}

/** A call to the service, through one of its faces. */
export interface Call extends Service {
  readonly face: FaceName
  /** The organization whose token the call carries; 0 for an operation that needs none. */
  readonly organizationId: number
  /** The language of names and validation messages; in legacy, of all messages. Other messages of v1 are Turkish. */
  readonly language: Language
}

export type FaceName = 'v1' | 'legacy'

export type Language = 'tr' | 'en'

/** A text in both languages. */
export type Message = Readonly<Record<Language, string>>

/**
 * Returns the language for an Accept-Language value (docs/contract.md 2.3). A value that starts with `en` selects
 * English; any other value, or none, Turkish. *Assumed*: this is meant literally, so `EN` is Turkish, and weights and
 * later entries do not count.
 */
export function languageOf(acceptLanguage: string | null | undefined): Language {
  return acceptLanguage?.startsWith('en') ? 'en' : 'tr'
}

/** Returns the name of a record in a language. */
export function nameOf({ nameEn, nameTr }: { nameEn: string; nameTr: string }, language: Language): string {
  return language === 'en' ? nameEn : nameTr
}
