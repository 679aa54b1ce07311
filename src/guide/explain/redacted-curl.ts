import type { Exchange } from '../../exchange/exchange.ts'
import { AUTHORIZATION, curlCommand } from './explain-curl.ts'

interface Redact {
  body(json: Uint8Array): Uint8Array | undefined
  query(query: string): string
}

/** What a client can write in a request line and curl would leave out, or write as other bytes. */
const UNSAFE = /[#\u0080-\u00ff]/g

/**
 * A legacy call as a command for a shell, for people, that runs as it stands: without its token, which is taken from the
 * variable LEGACY_TOKEN, and without what `redact` takes out. A body that is no JSON is not shown, which a comment says.
 * @param baseUrl where the legacy interface is, without a slash at its end.
 */
export function redactedCurl({ request, credentials }: Exchange, redact: Redact, baseUrl: string): string {
  const { method, path, query, body, headers } = request
  const { 'accept-language': language, 'content-type': type = 'application/json' } = headers
  const json = body.length === 0 ? undefined : redact.body(body)
  const command = curlCommand({
    method,
    url: `${baseUrl}${path}${query === '' ? '' : `?${redact.query(query).replaceAll(UNSAFE, escaped)}`}`,
    headers: {
      ...((credentials.legacy ?? credentials.v1) !== undefined && { Authorization: AUTHORIZATION }),
      ...(language !== undefined && { 'Accept-Language': language }),
      ...(json !== undefined && { 'Content-Type': type }),
    },
    body: json === undefined ? undefined : [{ text: Buffer.from(json).toString() }],
    token: 'LEGACY_TOKEN',
  })
  const isHidden = json === undefined && body.length > 0
  return isHidden ? `${command}\n# Its body of ${body.length} bytes is not shown: it is no JSON.` : command
}

/** A byte as it came, which Node gives as the character of that number. */
const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
