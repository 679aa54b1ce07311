/** How an upstream failed: the values of the header `X-Gateway-Error`. */
export type FailureKind = 'unreachable' | 'timeout' | 'too-large' | 'malformed' | 'unavailable' | 'overloaded'

/** An upstream gave no usable answer. The message is only for the log: it may name addresses and codes. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: FailureKind
  /** Why, in words for an operator, without addresses and codes; undefined: the cause has no known meaning. */
  readonly why: string | undefined

  constructor(kind: FailureKind, message: string, options?: ErrorOptions & { readonly why?: string | undefined }) {
    super(message, options)
    this.kind = kind
    this.why = options?.why
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
/** The answer is not HTTP, or does not have the length that it announced. */
const NOT_HTTP = new Set(['HTTPParserError', 'ResponseContentLengthMismatchError'])
const TOO_LARGE = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])

/** This process, or the system, has too many open files. The service was not asked, and may be well. */
const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE'])

/** Whether an error is a bug in the gateway or the client library. Such an error says nothing about the service. */
export function isBug(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return code === 'ERR_ASSERTION' || (code === undefined && (error instanceof TypeError || error instanceof RangeError))
}

/** Whether the service was not asked because the gateway itself lacked resources. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'overloaded'
}

/** Converts an error of the client library into an UpstreamError. */
export function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause ? String(cause.code) : ''
  const why = inWords(cause)
  const inFull = (text: string): string => (why === undefined ? text : `${why} (${text})`)
  if (TIMEOUTS.has(code)) return new UpstreamError('timeout', inFull(cause.message), { cause, why })
  if (TOO_LARGE.has(code)) return new UpstreamError('too-large', cause.message, { cause })
  if (NO_DESCRIPTORS.has(code)) {
    return new UpstreamError('overloaded', `${code}: too many open files`, { cause })
  }
  if (NOT_HTTP.has(cause.name)) {
    return new UpstreamError('malformed', `not HTTP: ${cause.message}`, { cause, why: 'its answer is not HTTP' })
  }
  const text = cause.message === '' ? code : `${code}: ${cause.message.trim()}`
  return new UpstreamError('unreachable', code === '' ? cause.message : inFull(text), { cause, why })
}

/** Whether the connection died before an answer began, so that a read may be repeated. */
export function diedBeforeAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

const OLD_TLS = 'it offers no TLS newer than 1.1 (docs/operations.md says what to do about old TLS)'
const WEAK = 'too weak for this OpenSSL (docs/operations.md says what to do about old TLS)'
const NO_COMMON = 'it shares no TLS version or cipher with the gateway, or wants a client certificate'
const WANTS_CERTIFICATE = 'it wants another client certificate, or one at all (V1_CLIENT_CERT, LEGACY_CLIENT_CERT)'
const NOT_TLS = 'it does not speak TLS at this port; if it speaks plain HTTP, its address begins with http://'
const CLOSED =
  'it closed the connection; it may speak HTTPS where its address says http://, or want a client certificate'
const UNKNOWN_CA = 'nobody trusted vouches for its certificate (V1_CA, LEGACY_CA or NODE_EXTRA_CA_CERTS name who does)'
const NO_FAMILY = 'this machine has no address of its kind, such as IPv6'

/** What the codes of the system, Node.js, undici and OpenSSL mean to an operator: why there is no connection to a service. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to its network',
  EADDRNOTAVAIL: NO_FAMILY,
  EAFNOSUPPORT: NO_FAMILY,
  EACCES: 'this machine forbids the connection',
  EPERM: 'this machine forbids the connection',
  ENOTFOUND: 'no name server knows its name',
  EAI_AGAIN: 'no name server answers',
  EAI_NODATA: 'its name has no address',
  EAI_FAIL: 'the name server failed',
  ETIMEDOUT: 'it does not answer the attempt to connect',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer the attempt to connect in time',
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EPIPE: CLOSED,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  ERR_SSL_VERSION_TOO_LOW: OLD_TLS,
  ERR_SSL_DH_KEY_TOO_SMALL: `its Diffie-Hellman key is ${WEAK}`,
  ERR_SSL_EE_KEY_TOO_SMALL: `the key of its certificate is ${WEAK}`,
  ERR_SSL_CA_MD_TOO_WEAK: `the signature of its certificate is ${WEAK}`,
  CA_MD_TOO_WEAK: `the signature of its certificate is ${WEAK}`,
  ERR_SSL_WRONG_SIGNATURE_TYPE: `its signature is ${WEAK}`,
  ERR_SSL_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED: `its signature is ${WEAK}`,
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: `its renegotiation of TLS is ${WEAK}`,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': NO_COMMON,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: NO_COMMON,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: WANTS_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: WANTS_CERTIFICATE,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_HTTP_REQUEST: NOT_TLS,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than that in its address',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed: ${UNKNOWN_CA}`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
}

/** Says why there is no connection, without addresses and codes; undefined: the error's code has no known meaning. */
export function inWords(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : ''
  if (Object.hasOwn(MEANINGS, code)) return MEANINGS[code]
  // OpenSSL's reasons that Node.js has no code for.
  return code === 'UNSPECIFIED' && /too weak|too small/.test(error.message)
    ? `the key of its certificate is ${WEAK}`
    : undefined
}
