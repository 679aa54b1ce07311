import { type FailureKind, UpstreamError } from '../../upstream/upstream-error.ts'

/** The legacy service failed on a call that it was to answer. */
export class LegacyFailure extends Error {
  override readonly name = 'LegacyFailure'
  readonly kind: FailureKind
  /** A gateway's status (RFC 9110 sections 15.6.3 to 15.6.5). */
  readonly status: 502 | 503 | 504

  constructor({ kind, message }: UpstreamError, options?: ErrorOptions) {
    super(`legacy: ${message}`, options)
    this.kind = kind
    this.status = STATUSES[kind] ?? 502
  }
}

const STATUSES: Partial<Record<FailureKind, 503 | 504>> = { timeout: 504, unavailable: 503, overloaded: 503 }

/** Turns an upstream's failure into one of the legacy service. Returns anything else unchanged. */
export function legacyFailureOf(error: unknown): unknown {
  return error instanceof UpstreamError ? new LegacyFailure(error, { cause: error }) : error
}
