import type { Named } from './har-entry.ts'

/**
 * Writes the form of which a HAR has only the parts; undefined: it cannot be told how it was written. Programs list the parts
 * decoded or encoded. The length of the form tells which; without one, the parts must mean the same either way.
 */
export function formOf(parts: readonly Named[], length: number | undefined): string | undefined {
  if (parts.some(({ isFile }) => isFile)) return undefined
  const join = (write: (text: string) => string): string =>
    parts.map(({ name, value }) => `${write(name)}=${write(value)}`).join('&')
  const forms = [
    join((text) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')),
    join((text) => encodeURIComponent(text.toWellFormed())),
    join((text) => text),
  ]
  if (length !== undefined) return forms.find((form) => Buffer.byteLength(form) === length)
  const isPlain = parts.every(({ name, value }) => !/[+%]/.test(`${name}${value}`))
  return isPlain ? forms[0] : undefined
}
