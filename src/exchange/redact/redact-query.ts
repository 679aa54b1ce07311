import type { NameSet } from './redact-names.ts'

/** Separates the names in `recipientAddress[email]`, `recipientAddress.email` and `email[]`. */
const PARTS = /[[\].]+/

/**
 * Redacts a query, given without its question mark: replaces the value of every parameter that has one of `names` by
 * `tokenOf` of the decoded value. Compares decoded names. Everything else stays as written, including empty values.
 */
export function redactQuery(query: string, names: NameSet, tokenOf: (value: string) => string): string {
  const redact = (parameter: string): string => {
    // The parser of the URL standard reads invalid escapes as text.
    const [[name, value] = ['', '']] = new URLSearchParams(parameter)
    if (value === '' || !name.split(PARTS).some(names.has)) return parameter
    return `${parameter.slice(0, parameter.indexOf('='))}=${tokenOf(value)}`
  }
  return query.split('&').map(redact).join('&')
}
