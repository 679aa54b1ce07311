import type { Operation } from '../../mapping/operation.ts'

export type Language = 'en' | 'tr'

/**
 * docs/contract.md 2.3: a value that starts with `en` selects English, anything else Turkish. Taken to the letter: `EN` does not
 * start with `en`, and a client that sends it goes on to read Turkish.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.startsWith('en') === true ? 'en' : 'tr'
}

/** Texts by v1 error code, or by a name of our own, in both languages. */
export type Messages = Readonly<Record<Language, Readonly<Record<string, string>>>>

/**
 * What is missing in the messages: a text for each code whose message a mapping replaces, in every language. Each line
 * names the mapping's file. Empty: nothing.
 */
export function checkMessages(messages: Messages, operations: readonly Operation[]): readonly string[] {
  return operations.flatMap(({ id, errors = {} }) =>
    Object.entries(errors).flatMap(([code, { ownMessage }]) =>
      (['en', 'tr'] as const)
        .filter((language) => ownMessage === true && !Object.hasOwn(messages[language], code))
        .map((language) => `mappings/${id}: errors, ${code}: messages/${language}.json has no text for it`),
    ),
  )
}

/** The text of a message with its `{placeholders}` filled; undefined when there is none. */
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

/** The same for a message of our own, which is always there. */
export function say(
  messages: Messages,
  language: Language,
  name: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return lookUp(messages, language, name, values) ?? name
}

/** A code without a text of its own as a sentence: `CARRIER_IS_NOT_FOUND` is "Carrier is not found." */
export function sentenceOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ').trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
