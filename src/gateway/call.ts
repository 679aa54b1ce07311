import type { Side } from '../exchange/exchange.ts'
import type { Caller } from '../upstream/caller.ts'
import type { ServedOperation } from './compile-answerers.ts'
import type { LegacyRequest } from './legacy-request.ts'
import { type Credentials, NO_CREDENTIALS } from './login/credentials.ts'

/** One call, as far as it is known before anybody is asked. It never changes; what is found out later is in its `Notes`. */
export interface Call {
  readonly request: LegacyRequest
  /** When it came, in ms since the epoch. */
  readonly at: number
  /** Undefined: no mapping knows it. */
  readonly operation: ServedOperation | undefined
  /** What its `Authorization` header means to each service. */
  readonly credentials: Credentials
  /** Who is to answer it. */
  readonly side: Side
  /** With whom it shares what a service can do; undefined: with what the gateway asks for itself. */
  readonly share: string | undefined
  /** Who waits for the answer; undefined: nobody who could go. */
  readonly caller: Caller | undefined
  /** Upstreams are asked until then, in ms of `performance.now()`; undefined: as long as each of them may take. */
  readonly deadline: number | undefined
}

/** A call of which no more is known than what is told here. */
export function newCall(request: LegacyRequest, known: Partial<Omit<Call, 'request'>> = {}): Call {
  return {
    request,
    at: known.at ?? Date.now(),
    operation: known.operation,
    credentials: known.credentials ?? NO_CREDENTIALS,
    side: known.side ?? 'v1',
    share: known.share,
    caller: known.caller,
    deadline: known.deadline,
  }
}

/** What the gateway asks for itself, or for many, in the name of a call: it waits for no caller and no deadline. */
export const askedBeside = ({ request, credentials }: Call, share?: string): Call =>
  newCall(request, { credentials, share })
