import type { Exchange } from '../../exchange/exchange.ts'
import { AUTHORIZATION, curlCommand } from './explain-curl.ts'

interface Redact {
  body(json: Uint8Array): Uint8Array | undefined
  query(query: string): string
}

/** Characters that a request line may contain, but that curl would drop or encode differently. */
const UNSAFE = /[#\u0080-\u00ff]/g

/**
 * Writes a legacy call as a shell command that runs as it is. It takes the token from the variable LEGACY_TOKEN, and
 * leaves out what `redact` removes. A body that is not JSON is not shown; a comment says so.
 * @param baseUrl the address of the legacy interface, without a trailing slash.
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
  return isHidden ? `${command}\n# Its body of ${body.length} bytes is not shown: it is not JSON.` : command
}

/** Percent-encodes a raw byte, which Node delivers as the character with the same number. */
const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
