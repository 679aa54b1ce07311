import type { Reason, RedactedNames } from './redact-names.ts'

/** Separates the names in `recipientAddress[email]`, `recipientAddress.email` and `email[]`. */
const PARTS = /[[\].]+/

/**
 * Redacts a query, given without its question mark: replaces the value of every parameter that has one of `names` by
 * `replace` of the decoded value, percent-encoded. Compares decoded names. Everything else stays as written, including
 * empty values.
 */
export function redactQuery(
  query: string,
  names: RedactedNames,
  replace: (reason: Reason, value: string) => string,
): string {
  const redact = (parameter: string): string => {
    // The parser of the URL standard reads invalid escapes as text.
    const [[name, value] = ['', '']] = new URLSearchParams(parameter)
    const reasons = value === '' ? [] : name.split(PARTS).map(names.of)
    const reason = reasons.find((one) => one === 'secret') ?? reasons.find((one) => one !== undefined)
    if (reason === undefined) return parameter
    return `${parameter.slice(0, parameter.indexOf('='))}=${encodeURIComponent(replace(reason, value))}`
  }
  return query.split('&').map(redact).join('&')
}
