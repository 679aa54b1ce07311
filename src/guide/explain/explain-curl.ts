import type { BodyPart } from './explain-secrets.ts'

/** Stands where a token does, which is never shown. */
export const AUTHORIZATION = 'Bearer <ACCESS_TOKEN>'

export interface CurlRequest {
  readonly method: string
  /** Absolute: nothing else can be asked. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: readonly BodyPart[] | undefined
  /** The shell variable that holds the token. */
  readonly token: 'V1_TOKEN' | 'LEGACY_TOKEN'
}

/** Linux takes no argument longer than 128 KiB; a shell's own printf does. */
const MAX_ARGUMENT = 100_000
/** curl makes several URLs of one with these in it, or none (its manual, "URL globbing"). */
const GLOBS = /[[\]{}]/

/**
 * A command for a POSIX shell that makes the request, its body byte for byte. The token is taken from a variable, secrets of
 * the body from variables of their own.
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

/** Within single quotes a shell takes everything as it stands but a single quote (POSIX, Shell Command Language 2.2.2). */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Without a word curl sends GET, but POST where it has a body; told to send HEAD with -X it would wait for the answer's. */
function methodWord(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' --head'
  return method === 'GET' && !hasBody ? '' : ` -X ${method}`
}

function headerWord(name: string, value: string, token: CurlRequest['token']): string {
  return value === AUTHORIZATION ? `"${name}: Bearer $${token}"` : quoted(`${name}: ${value}`)
}
