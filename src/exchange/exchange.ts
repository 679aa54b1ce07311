import type { ComparedHeaders } from './compared-headers.ts'

/** Which of the two services answers a call. */
export type Side = 'v1' | 'legacy'

/** The response headers, in lower case, in which the services say their release; undefined: in none. */
export type ReleaseHeaders = Readonly<Record<Side, string | undefined>>

/** The parts of a legacy request that the other side and recordings may see. */
export interface ExchangeRequest {
  readonly method: string
  /** As the legacy service knows it, without the gateway's path prefix. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: { readonly 'accept-language'?: string | undefined; readonly 'content-type'?: string | undefined }
  readonly body: Uint8Array
}

/** A side's answer to a legacy request. */
export interface SideAnswer {
  readonly status: number
  /** Decoded: without content codings. */
  readonly body: Uint8Array
  /** What is compared of its headers; undefined: nothing. */
  readonly headers?: ComparedHeaders | undefined
  /** How v1 failed, if the answer is due to that. Undefined if it did not fail. */
  readonly failure: string | undefined
  /** v1's error code, if v1 answered with one. */
  readonly code?: string | undefined
  /** What the service that answered says of its release; undefined: nothing. */
  readonly release?: string | undefined
  /** From the request written to the last byte read, at the service itself; undefined: it was not asked, or more than once. */
  readonly serviceMs?: number | undefined
  readonly milliseconds: number
}

/** A call of a mapped operation, with its answer. */
export interface Exchange {
  readonly operation: string
  /** When the request arrived. */
  readonly at: Date
  readonly request: ExchangeRequest
  readonly answeredBy: Side
  /** v1's answer, and v1 was not asked for it: it came from a kept list. */
  readonly isKept: boolean
  /** Who made the call: the client that our token names, else the network that it came from. */
  readonly client: string | undefined
  /** Who made it, as far as that is told before anybody is asked: what `Watch.wants` was given. */
  readonly caller: string
  /** The client that it counts under, in metrics and usage. */
  readonly countedClient: string
  /** Returns who made it, named as in the rollout file. */
  rolloutClient(): string
  /** The memory that it takes until it is released, in bytes. */
  readonly size: number
  /** Returns the answer. Rejects if its content coding cannot be decoded. */
  answer(): Promise<SideAnswer>
  /** The `Authorization` header for each side, undefined if none. `isOurs`: they come from the gateway's own sealed token. */
  readonly credentials: {
    readonly v1: string | undefined
    readonly legacy: string | undefined
    readonly isOurs: boolean
  }
}

/** How the bodies of a call are kept for `take`. */
export interface Keeping {
  /** Of a larger answer only the status is taken, and a call with a larger request not at all; bytes. */
  readonly mostBytes: number
  /** Whether all answers are wanted, however large, and it counts that there was no memory for one. */
  readonly isMissed: boolean
}

/** Observes exchanges beside the calls, to compare or record them. */
export interface Watch {
  /**
   * How to keep the call that just arrived for `take`; undefined: not at all. Costs a call next to nothing.
   * @param caller tells callers apart: the client that our token names, else the `Authorization` header, else nothing.
   */
  wants(operation: string, caller: string): Keeping | undefined
  /** Takes an exchange and returns at once; all work happens later. Never throws. */
  take(exchange: Exchange): void
  /** Called for a wanted call that was not kept for lack of memory. Never throws. */
  miss(operation: string): void
}
