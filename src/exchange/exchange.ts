/** Which of the two services answers a call. */
export type Side = 'v1' | 'legacy'

/** A legacy request, as far as the other side, or a recording, may see it. */
export interface ExchangeRequest {
  readonly method: string
  /** As the legacy service knows it, without the gateway's own path prefix. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: { readonly 'accept-language'?: string | undefined; readonly 'content-type'?: string | undefined }
  readonly body: Uint8Array
}

/** What a side answered to a legacy request. */
export interface SideAnswer {
  readonly status: number
  /** Without content codings. */
  readonly body: Uint8Array
  /** How v1 failed, where that is why the gateway answers as it does; undefined: it did not. */
  readonly failure: string | undefined
  readonly milliseconds: number
}

/** A call of a known operation that has been answered. */
export interface Exchange {
  readonly operation: string
  /** When it came. */
  readonly at: Date
  readonly request: ExchangeRequest
  readonly answeredBy: Side
  /** What it takes, in bytes, until it is let go. */
  readonly size: number
  /** The answer; rejects when its content coding cannot be undone. */
  answer(): Promise<SideAnswer>
  /** The `Authorization` header for each side, undefined for none; `isOurs`: each side has one of its own. */
  readonly credentials: {
    readonly v1: string | undefined
    readonly legacy: string | undefined
    readonly isOurs: boolean
  }
}

/** Looks at exchanges beside the calls: compares them, records them. */
export interface Watch {
  /** Whether the call that just came is to be kept for `take`. */
  wants(operation: string): boolean
  /** Takes an exchange over, at once: whatever is to be done with it is done later. Never throws. */
  take(exchange: Exchange): void
  /** Told of a call that was wanted, and for which there was no memory. Never throws. */
  miss(operation: string): void
}
