import type { Exchange } from '../../exchange/exchange.ts'
import type { Redactor } from '../../exchange/redactor.ts'
import { curlCommand, headersOf } from './curl.ts'

type Redact = Pick<Redactor, 'body' | 'query'>

/** Characters that a request line may contain, but that curl would drop or encode differently. */
const UNSAFE = /[#\u0080-\u00ff]/g

/** A redacted call, for people who look into a difference. */
interface RedactedCall {
  readonly method: string
  /** With its query; cut if it is long. */
  readonly path: string
  /** JSON, cut if it is long; null: the call has no body, or one that is not JSON or is too long. */
  readonly body: string | null
  /** The command for a shell that calls the gateway. */
  readonly curl: string
  /** The command that calls the legacy service itself, with a token that it issued. */
  readonly legacyCurl: string
  /** The query that fills in the page Explain with the call; undefined: the call is too long for a query. */
  readonly explain: string | undefined
}

/** The longest query that browsers and servers accept. */
const MAX_QUERY = 4_096
/** How many characters of a path and of a body are shown. */
const SHOWN = 500

/**
 * Redacts a call.
 * @param gatewayUrl the address of the gateway's legacy interface, without a trailing slash, and `legacyUrl` that of the
 *   legacy service.
 */
export function redactedCall(exchange: Exchange, redact: Redact, gatewayUrl: string, legacyUrl: string): RedactedCall {
  const { method, path, query, body } = exchange.request
  const whole = `${path}${query === '' ? '' : `?${redact.query(query)}`}`
  // Redacting and encoding a body of 1 MB would hold up all calls.
  const isLong = body.length > MAX_QUERY
  const json = isLong || body.length === 0 ? '' : Buffer.from(redact.body(body) ?? []).toString()
  return {
    ...{ method, path: shortened(whole), body: json === '' ? null : shortened(json) },
    curl: redactedCurl(exchange, redact, gatewayUrl),
    legacyCurl: redactedCurl(exchange, redact, legacyUrl, 'LEGACY_SERVICE_TOKEN'),
    explain: isLong ? undefined : explainQuery(exchange, `${gatewayUrl}${whole}`, json),
  }
}

const shortened = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (cut)`)

function explainQuery({ request: { method, headers } }: Exchange, path: string, body: string): string | undefined {
  const language = headers['accept-language']?.startsWith('en') ? 'en' : ''
  const explain = new URLSearchParams({ method, path, language, body }).toString()
  return explain.length > MAX_QUERY ? undefined : explain
}

/** The variable of the shell that holds a token of the gateway's login, or of the legacy service's own. */
type TokenVariable = 'LEGACY_TOKEN' | 'LEGACY_SERVICE_TOKEN'

/** The longest command, in bytes. */
const MOST_BYTES = 4 * 1024

type Part = 'body' | 'query' | 'headers'

/** The parts to leave out, tried in this order until a command is short enough. */
const LEFT_OUT: readonly (readonly Part[])[] = [[], ['body'], ['body', 'query'], ['body', 'query', 'headers']]

/**
 * Writes a legacy call as a shell command of at most 4 KB that runs as it is. The command takes the token from the variable
 * `token`, and leaves out what `redact` removes. It does not show a body that is not JSON, or a part that is too long; a
 * comment says so.
 * @param baseUrl the address of the legacy interface, without a trailing slash.
 */
export function redactedCurl(
  exchange: Exchange,
  redact: Redact,
  baseUrl: string,
  token: TokenVariable = 'LEGACY_TOKEN',
): string {
  const isLong = exchange.request.body.length > MOST_BYTES
  for (const parts of LEFT_OUT.slice(isLong ? 1 : 0)) {
    const command = commandWithout(parts, exchange, redact, baseUrl, token)
    if (Buffer.byteLength(command) <= MOST_BYTES) return command
  }
  return '# The call is too long to be shown.'
}

function commandWithout(
  parts: readonly Part[],
  { request, credentials }: Exchange,
  redact: Redact,
  baseUrl: string,
  token: TokenVariable,
): string {
  const { method, path, body } = request
  const has = (part: Part): boolean => !parts.includes(part)
  const query = has('query') ? redact.query(request.query).replaceAll(UNSAFE, escaped) : ''
  const { 'accept-language': language, 'content-type': type = 'application/json' } = has('headers')
    ? request.headers
    : {}
  const json = body.length > 0 && has('body') ? redact.body(body) : undefined
  const command = curlCommand({
    method,
    url: `${baseUrl}${path}${query === '' ? '' : `?${query}`}`,
    headers: headersOf(
      (credentials.legacy ?? credentials.v1) !== undefined,
      language,
      json === undefined ? undefined : type,
    ),
    body: json === undefined ? undefined : [{ text: Buffer.from(json).toString() }],
    token,
  })
  const hidden = (what: string, bytes: number, why: string): string =>
    `\n# Its ${what} of ${bytes} bytes is not shown: it is ${why}.`
  const comments = [
    ...(json === undefined && body.length > 0
      ? [hidden('body', body.length, has('body') ? 'not JSON' : 'too long')]
      : []),
    ...(!has('query') && request.query !== '' ? [hidden('query', request.query.length, 'too long')] : []),
  ]
  return `${command}${comments.join('')}`
}

/** Percent-encodes a raw byte, which Node delivers as the character with the same number. */
const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
