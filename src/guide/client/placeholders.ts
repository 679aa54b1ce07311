import { typeAt } from '../../engine/json/json-walk.ts'
import { redactJson } from '../../exchange/redact/redact.ts'
import { CREDENTIAL_NAMES, PERSONAL_NAMES, redactedNames } from '../../exchange/redact/redact-names.ts'
import { redactQuery } from '../../exchange/redact/redact-query.ts'

const NAMES = [...PERSONAL_NAMES, ...CREDENTIAL_NAMES].map((name) => ({
  name,
  names: redactedNames({ personal: [name], secret: [] }),
}))

/** Values that v1 accepts, for members whose format it may check. */
const CHECKED: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  phone: '+905550000000',
  tcNo: '10000000146',
}
/** Stands for a number, such as a tax number that was sent as a number. */
const NUMBER = '1234567890'

/** Returns what stands for a value: `<first name>` for `firstName`, `<CLIENT_ID>` for the credential `clientId`. */
function placeholderOf(name: string): string {
  const words = name.replaceAll(/[A-Z]|\d+/g, (found) => ` ${found.toLowerCase()}`)
  if (CREDENTIAL_NAMES.includes(name)) return `<${words.replaceAll(' ', '_').toUpperCase()}>`
  return CHECKED[name] ?? `<${words}>`
}

/**
 * Replaces personal values and credentials with placeholders of the same type: a recording has pseudonyms in their place, which a reader
 * would take for someone's own. Everything else stays byte for byte.
 * @throws JsonError
 */
export function bodyWithPlaceholders(body: string): string {
  let json: Uint8Array = Buffer.from(body)
  for (const { name, names } of NAMES) {
    if (!body.includes(`"${name}"`)) continue
    json = redactJson(json, names, (_, text, start, end) => {
      const type = typeAt(text, start)
      if (type === 'number') return Buffer.from(NUMBER)
      return type === 'string' && end - start > 2 ? Buffer.from(JSON.stringify(placeholderOf(name))) : undefined
    })
  }
  return Buffer.from(json).toString()
}

/** Replaces personal values and credentials in a query, given without its question mark. */
export const queryWithPlaceholders = (query: string): string =>
  query === ''
    ? query
    : NAMES.reduce((redacted, { name, names }) => redactQuery(redacted, names, () => placeholderOf(name)), query)
