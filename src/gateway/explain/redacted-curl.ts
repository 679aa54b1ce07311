import type { Exchange } from '../../observe/exchange.ts'
import { AUTHORIZATION, curlCommand } from './explain-curl.ts'

interface Redact {
  body(json: Uint8Array): Uint8Array | undefined
  query(query: string): string
}

/** A legacy call as a command for a shell, for people: without its token, and without what `redact` takes out. */
export function redactedCurl({ request, credentials }: Exchange, redact: Redact): string {
  const { method, path, query, body, headers } = request
  const language = headers['accept-language']
  const json = redact.body(body)
  return curlCommand({
    method,
    url: query === '' ? path : `${path}?${redact.query(query)}`,
    headers: {
      ...((credentials.legacy ?? credentials.v1) !== undefined && { authorization: AUTHORIZATION }),
      ...(language !== undefined && { 'accept-language': language }),
    },
    body: json === undefined ? undefined : [{ text: Buffer.from(json).toString() }],
  })
}
