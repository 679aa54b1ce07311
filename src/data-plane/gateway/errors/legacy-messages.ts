export type Language = 'en' | 'tr'

/**
 * Returns the language of messages (docs/contract.md 2.3): English for a value that starts with `en`, otherwise Turkish. Case
 * counts: a client that sends `EN` continues to get Turkish.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.startsWith('en') === true ? 'en' : 'tr'
}

/** Texts by v1 error code, or by a name of our own, in both languages. */
export type Messages = Readonly<Record<Language, Readonly<Record<string, string>>>>

/** Returns the text of a message with its `{placeholders}` filled; undefined if there is none. */
export function lookUp(
  messages: Messages,
  language: Language,
  name: string,
  values: Readonly<Record<string, string>> = {},
): string | undefined {
  const text = Object.hasOwn(messages[language], name) ? messages[language][name] : undefined
  if (text === undefined || !text.includes('{')) return text
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, value: string) => values[value] ?? placeholder)
}

/** Returns the text of one of the gateway's own messages, which always has one. */
export function say(
  messages: Messages,
  language: Language,
  name: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return lookUp(messages, language, name, values) ?? name
}

/** Turns a code that has no text into a sentence: `CARRIER_IS_NOT_FOUND` becomes "Carrier is not found." */
export function sentenceOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ').trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
