import type { Side } from '../exchange/exchange.ts'
import type { Caller } from '../upstream/fair-queue.ts'
import type { ServedOperation } from './compile-answerers.ts'
import type { LegacyRequest } from './legacy-request.ts'
import { type Credentials, NO_CREDENTIALS } from './login/credentials.ts'

/**
 * What is known of a call before any service is asked. Never changes; what is found out later goes into its `Notes`.
 */
export interface Call {
  readonly request: LegacyRequest
  /** When it arrived; ms since the epoch. */
  readonly at: number
  /** Undefined: no mapping knows it. */
  readonly operation: ServedOperation | undefined
  /** What its `Authorization` header means to each service. */
  readonly credentials: Credentials
  /** The side that answers it. */
  readonly side: Side
  /** Whose share of the slots it uses; undefined: that of the gateway's own calls. */
  readonly share: string | undefined
  /** The client that waits for the answer; undefined: no client, so none can hang up. */
  readonly caller: Caller | undefined
  /** When to stop waiting for upstreams, in ms of `performance.now()`; undefined: only their own time-outs apply. */
  readonly deadline: number | undefined
}

/** Creates a call from what is known of it, with defaults for the rest. */
export function newCall(request: LegacyRequest, details: Partial<Omit<Call, 'request'>> = {}): Call {
  return {
    request,
    at: details.at ?? Date.now(),
    operation: details.operation,
    credentials: details.credentials ?? NO_CREDENTIALS,
    side: details.side ?? 'v1',
    share: details.share,
    caller: details.caller,
    deadline: details.deadline,
  }
}

/**
 * Creates a call that the gateway makes for itself or for several clients, with the request and credentials of this
 * one. It has no caller and no deadline.
 */
export const askedBeside = ({ request, credentials }: Call, share?: string): Call =>
  newCall(request, { credentials, share })
