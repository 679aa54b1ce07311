import type { NameSet } from './redact-names.ts'

/** `recipientAddress[email]`, `recipientAddress.email` and `email[]` name a member within. */
const PARTS = /[[\].]+/

/**
 * A query, without its question mark, in which the parameters of these names have another value; `tokenOf` is told the
 * decoded value. Names are decoded before they are compared. Everything else stays as it is written, empty values too.
 */
export function redactQuery(query: string, names: NameSet, tokenOf: (value: string) => string): string {
  const redact = (parameter: string): string => {
    // The parser of the URL standard: escapes that are none are text to it.
    const [[name, value] = ['', '']] = new URLSearchParams(parameter)
    if (value === '' || !name.split(PARTS).some(names.has)) return parameter
    return `${parameter.slice(0, parameter.indexOf('='))}=${tokenOf(value)}`
  }
  return query.split('&').map(redact).join('&')
}
