import type { BodyPart } from './explain-secrets.ts'

/** Stands where the token of v1 does, which is never shown. */
export const AUTHORIZATION = 'Bearer <ACCESS_TOKEN>'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: readonly BodyPart[] | undefined
}

/** Linux takes no argument longer than 128 KiB; a shell's own printf does. */
const MAX_ARGUMENT = 100_000

/**
 * A command for a POSIX shell that makes the request, its body byte for byte. The token is taken from the variable V1_TOKEN,
 * secrets of the body from variables of their own.
 */
export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  const data = body?.map((part) => ('text' in part ? quoted(part.text) : `"$${part.secret}"`)).join('')
  const isLong = data !== undefined && Buffer.byteLength(data) > MAX_ARGUMENT
  const words = [
    `${isLong ? `printf %s ${data} | ` : ''}curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerWord(name, value)}`),
    ...(data === undefined ? [] : [isLong ? '--data-binary @-' : `--data-raw ${data}`]),
  ]
  return words.join(' \\\n  ')
}

/** Within single quotes a shell takes everything as it stands but a single quote (POSIX, Shell Command Language 2.2.2). */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function headerWord(name: string, value: string): string {
  return value === AUTHORIZATION ? `"${name}: Bearer $V1_TOKEN"` : quoted(`${name}: ${value}`)
}
