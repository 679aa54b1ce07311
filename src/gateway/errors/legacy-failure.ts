import { type FailureKind, UpstreamError } from '../../upstream/upstream-error.ts'

/** The legacy service failed, where it is the one that answers. */
export class LegacyFailure extends Error {
  override readonly name = 'LegacyFailure'
  readonly kind: FailureKind
  /** As gateways answer (RFC 9110 sections 15.6.3 to 15.6.5). */
  readonly status: 502 | 503 | 504

  constructor({ kind, message }: UpstreamError, options?: ErrorOptions) {
    super(`legacy: ${message}`, options)
    this.kind = kind
    this.status = STATUSES[kind] ?? 502
  }
}

const STATUSES: Partial<Record<FailureKind, 503 | 504>> = { timeout: 504, unavailable: 503, overloaded: 503 }

/** A failure of the upstream as one of the legacy service; anything else as it is. */
export function legacyFailureOf(error: unknown): unknown {
  return error instanceof UpstreamError ? new LegacyFailure(error, { cause: error }) : error
}
