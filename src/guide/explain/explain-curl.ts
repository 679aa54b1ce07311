import type { BodyPart } from './explain-secrets.ts'

/** Replaces a token, which is never shown. */
export const AUTHORIZATION = 'Bearer <ACCESS_TOKEN>'

export interface CurlRequest {
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

/** Quotes a text. Within single quotes, only a single quote is special (POSIX, Shell Command Language 2.2.2). */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

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
