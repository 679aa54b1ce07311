import { quoted } from '../../common/shell.ts'
import { scanValue, viewOf } from '../../engine/json/scan-json.ts'
import { NO_KEY, startOfText, stringAt, textOf, walkTree } from '../../engine/json/walk-json.ts'

/** Replaces a token, which is never shown. */
const AUTHORIZATION = 'Bearer <ACCESS_TOKEN>'

/** Returns the headers of a request. Undefined: it has no such header. */
export const headersOf = (
  isAuthorized: boolean,
  language: string | undefined,
  type: string | undefined,
): Readonly<Record<string, string>> => ({
  ...(isAuthorized && { Authorization: AUTHORIZATION }),
  ...(language !== undefined && { 'Accept-Language': language }),
  ...(type !== undefined && { 'Content-Type': type }),
})

interface CurlRequest {
  readonly method: string
  /** Absolute, because curl needs a host. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: readonly BodyPart[] | undefined
  /** The shell variable that holds the token. */
  readonly token: 'V1_TOKEN' | 'LEGACY_TOKEN' | 'LEGACY_SERVICE_TOKEN'
}

/** Linux accepts no argument longer than 128 KiB, but a shell's built-in printf does. */
const MAX_ARGUMENT = 100_000
/** curl expands a URL with these into several, or rejects it (its manual, "URL globbing"). */
const GLOBS = /[[\]{}]/

/**
 * Writes a command for a POSIX shell that sends the request, its body byte for byte. It takes the token from a
 * variable, and each secret of the body from a variable of its own.
 */
export function curlCommand({ method, url, headers, body, token }: CurlRequest): string {
  const data = body?.map((part) => ('text' in part ? quoted(part.text) : `"$${part.secret}"`)).join('')
  const isLong = data !== undefined && Buffer.byteLength(data) > MAX_ARGUMENT
  const globs = GLOBS.test(url) ? ' --globoff' : ''
  const words = [
    `${isLong ? `printf %s ${data} | ` : ''}curl${methodWord(method, data !== undefined)}${globs} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerWord(name, value, token)}`),
    ...(data === undefined ? [] : [isLong ? '--data-binary @-' : `--data-raw ${data}`]),
  ]
  return words.join(' \\\n  ')
}

/**
 * Returns curl's option for the method. Without one, curl sends GET, or POST if there is a body. With `-X HEAD` it
 * would wait for the body of the answer.
 */
function methodWord(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' --head'
  return method === 'GET' && !hasBody ? '' : ` -X ${method}`
}

function headerWord(name: string, value: string, token: CurlRequest['token']): string {
  return value === AUTHORIZATION ? `"${name}: Bearer $${token}"` : quoted(`${name}: ${value}`)
}

/** A part of a body to show: its text as written, or a secret by the name of the shell variable that holds it. */
type BodyPart = { readonly text: string } | { readonly secret: string }

/**
 * Members that hold credentials, at any depth. They are recognized by name, because the contract does not show the
 * login's body (docs/contract.md 13.1).
 */
const SECRET = /secret|password|token/i
/** Values that are shown: a client should see that its secret is empty. */
const EMPTY = ['null', '""']

/**
 * Removes the secrets from a JSON body and leaves quotes in their place. They must not appear in a terminal or on a
 * page, even if the user pasted them. Everything else stays byte for byte.
 */
export function withoutSecrets(json: Uint8Array): readonly BodyPart[] {
  const parts: BodyPart[] = []
  const view = viewOf(json)
  /** The next text to show: the quote after a secret, then the body from `from` on. */
  let quote = ''
  let from = 0
  walkTree(view, startOfText(json), json.length, {
    value(at, keyAt, keyEnd) {
      const name = keyAt === NO_KEY ? '' : stringAt(json, keyAt, keyEnd)
      if (!SECRET.test(name)) return undefined
      const valueEnd = scanValue(view, at, json.length)
      if (EMPTY.includes(textOf(json, at, valueEnd))) return valueEnd
      parts.push({ text: `${quote}${textOf(json, from, at)}"` }, { secret: variableOf(name) })
      quote = '"'
      from = valueEnd
      return valueEnd
    },
  })
  return [...parts, { text: `${quote}${textOf(json, from, json.length)}` }]
}

/** Names the shell variable of a member: V1_SECRET_KEY for `secretKey`. */
function variableOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_')
  return `V1_${words.toUpperCase()}`
}

/** Returns a body for people, with `<SECRET_KEY>` instead of the secret in V1_SECRET_KEY. */
export function shownBody(parts: readonly BodyPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `<${part.secret.replace(/^V1_/, '')}>`)).join('')
}
