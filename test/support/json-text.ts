/** A decoder that takes nothing but UTF-8, and keeps a byte order mark. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of a JSON text as `JSON.parse` has it, its bytes taken strictly; undefined when it is none. */
export function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(strict.decode(bytes)) as unknown }
  } catch {
    return undefined
  }
}

export const isJsonObject = (bytes: Uint8Array): boolean => {
  const value = parsed(bytes)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON text without the white space between its tokens: its digits and escapes stay as they are written. */
export const tokensOf = (json: string | Uint8Array): string =>
  (typeof json === 'string' ? json : strict.decode(json)).replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/** A value without the members that are null, at any depth. */
export function valueWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueWithoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, valueWithoutNulls(member)]))
}

/** JSON texts and bytes put together. */
export const joined = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
