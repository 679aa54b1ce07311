import { inWords } from './why-unreachable.ts'

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
