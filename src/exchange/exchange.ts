import type { ComparedHeaders } from './compared-headers.ts'
import type { Purpose } from './purpose.ts'

/** One of the two services, which answers a call. */
export type Side = 'v1' | 'legacy'

/** The side that answers a call, or the gateway itself. */
export type Answerer = Side | 'gateway'

/** The response headers, in lower case, in which each service reports its release; undefined: it reports none. */
export type ReleaseHeaders = Readonly<Record<Side, string | undefined>>

/** The parts of a legacy request that the other side and recordings may see. */
export interface ExchangeRequest {
  readonly method: string
  /** As the legacy service knows it, without the gateway's path prefix. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: { readonly 'accept-language'?: string | undefined; readonly 'content-type'?: string | undefined }
  /** Without content coding and in UTF-8, if it could be read. */
  readonly body: Uint8Array
  /**
   * The client's other headers, with which the legacy service is asked again, and what is known about the connection
   * (`X-Forwarded-For`). Undefined: no client called. Neither recorded nor shown.
   */
  readonly clientHeaders?: Readonly<Record<string, string | string[]>> | undefined
  /** The body as the client sent it to the service that answered, if it was written otherwise. */
  readonly asSent?: BodyAsSent | undefined
  /** The `X-Request-Id` of the client's call, which calls that are made because of it carry too. Undefined: no client called. */
  readonly requestId?: string | undefined
}

/** A body in another form than plain UTF-8, and the headers that say so. */
export interface BodyAsSent {
  readonly body: Uint8Array
  /** The status with which the gateway refuses it, because it cannot make it plain; unset: it can, or nobody has tried. */
  readonly refused?: number | undefined
  readonly headers: {
    readonly 'content-encoding'?: string | undefined
    readonly 'content-type'?: string | undefined
  }
}

/** A side's answer to a legacy request. */
export interface SideAnswer {
  readonly status: number
  /** Decoded: without content codings. */
  readonly body: Uint8Array
  /** Unset: legacy answered, or what v1 answered was not kept. */
  readonly v1Answer?: V1Answer
  /** What is compared of its headers; undefined: nothing. */
  readonly headers?: ComparedHeaders | undefined
  /** How v1 failed, if that caused this answer. Undefined if v1 did not fail. */
  readonly failure: string | undefined
  /** What is wrong with the service's answer, if that is how it failed; without anything of its body. */
  readonly malformed?: string | undefined
  /** The charset that legacy's answer says it is in; undefined: none. */
  readonly charset?: string | undefined
  /** v1's error code, if v1 answered with one. */
  readonly code?: string | undefined
  /** The release that the answering service reports; undefined: none. */
  readonly release?: string | undefined
  /**
   * The service's own time, from the request written to the last byte read: of all pages, if v1 was asked for several. Undefined: it
   * was not asked.
   */
  readonly serviceMs?: number | undefined
  readonly milliseconds: number
}

/** What v1 itself answered, before it was translated: of a list, one body with the rows of all pages. */
export interface V1Answer {
  readonly status: number
  readonly body: Uint8Array
  /** How many pages `body` was put together from; unset: it is as v1 sent it. */
  readonly pages?: number
}

/** A side's answer to a call that was sent to both, or how it failed to answer. */
export type GivenAnswer = SideAnswer | { readonly failure: string; readonly status?: undefined }

/** What both sides made of one call, without its secrets: tokens and credentials are in none of it. */
export interface BothAnswers {
  readonly request: ExchangeRequest
  readonly control: GivenAnswer
  readonly candidate: GivenAnswer
}

/** A call of a mapped operation, with its answer as the client got it: plain data. */
export interface CapturedExchange {
  readonly operation: string
  /** The version of the operation's mapping, by which v1's answer was translated; see `versionOf`. */
  readonly version: string
  /** When the request arrived. */
  readonly at: Date
  readonly request: ExchangeRequest
  readonly answeredBy: Side
  /** Whether the client chose who answers (`mayChoose` of the rollout file). Such a call counts for no plan. Unset: it did not. */
  readonly isChosen?: boolean | undefined
  /** Whether v1's answer came from a cached list, so that v1 was not asked. */
  readonly isCached: boolean
  /** The status that the client got. */
  readonly status: number
  /** Who made the call: the client that our token names, else the network that it came from. */
  readonly client: string | undefined
  /** What told the caller apart before any service was asked, as passed to `Watch.wants`. */
  readonly caller: string
  /** How the answering side failed, as in its answer. */
  readonly failure: string | undefined
  /** The client that it counts under, in metrics and usage. */
  readonly countedClient: string
  /** The client's name in the rollout file. */
  readonly rolloutClient: string
  /** What the request's headers say; see `requestFacts`. */
  readonly facts: readonly string[]
  /** The memory that it takes until it is released, in bytes. */
  readonly size: number
  readonly answer: CapturedAnswer
  /** Set if the call itself was sent to both sides: a login. */
  readonly both?: BothAnswers | undefined
  /** The `Authorization` header for each side, undefined if none. `isOurs`: they come from the gateway's own sealed token. */
  readonly credentials: {
    readonly v1: string | undefined
    readonly legacy: string | undefined
    readonly isOurs: boolean
  }
}

/** A side's answer as the client got it. */
export interface CapturedAnswer extends Omit<SideAnswer, 'body' | 'v1Answer'> {
  /** With its content codings; undefined: the service broke it off. */
  readonly body: Uint8Array | undefined
  /** Its content codings; undefined: none. */
  readonly encoding: string | undefined
}

/** A call of a mapped operation, with its answer. */
export interface Exchange extends Omit<CapturedExchange, 'answer'> {
  /** Returns the answer. Rejects if its content coding cannot be decoded, or if the service broke it off. */
  answer(): Promise<SideAnswer>
}

/** The failure of a call for which the gateway itself had no memory or no slot. It says nothing about any service. */
export const OVERLOADED = 'overloaded'

/** The failure of a call that is no client's, because the service asked to be left alone for now. It says nothing about its answers. */
export const ASKED_TO_SLOW_DOWN = 'asked to slow down'

/** The control plane did not keep up with the calls, so that an exchange was not handed over to it. */
export const BUSY = 'control plane busy'

/**
 * The reason why a wanted call is no exchange. `memory short`: there was no memory to keep it. `overloaded`, `too large`, `the body was not
 * read`: the gateway refused the call before it had read the body. `a token in the body`: the body holds a sealed token, so it goes to
 * no service. `client gone`: the client hung up before it had sent the body, or before it got the answer. `HEAD`: the answer has no
 * body.
 */
export type Missed =
  | 'memory short'
  | typeof OVERLOADED
  | 'too large'
  | 'the body was not read'
  | 'a token in the body'
  | 'client gone'
  | 'HEAD'
  | 'refused in a brownout'
  | typeof BUSY

/** Limits of the bodies of a call that are captured for `take`. */
export interface CaptureLimits {
  /**
   * The largest body that is captured, in bytes. Of a larger answer only the status is taken; a call with a larger request is not taken
   * at all.
   */
  readonly mostBytes: number
  /** Whether answers of any size are wanted, and an answer counts as missed if there was no memory for it. */
  readonly isMissed: boolean
}

/** Whether a status says that the answer is not the whole one: the client has it already (304), or asked for a part (206). */
export const isPartial = (status: number): boolean => status === 304 || status === 206

/** Observes exchanges beside the calls, to compare or record them. */
export interface Watch {
  /**
   * Returns how to keep the call that just arrived for `take`; undefined: not at all. Costs a call next to nothing.
   * @param caller tells callers apart: the client that our token names, or else the `Authorization` header, or else nothing.
   */
  wants(operation: string, caller: string): CaptureLimits | undefined
  /**
   * Takes an exchange and returns at once; all work happens later. Its answer may be a part: see `isPartial`. Never throws.
   */
  take(exchange: CapturedExchange): void
  /** Called for a wanted call that is no exchange. Never throws. */
  miss(operation: string, why: Missed): void
}

/**
 * Sends a legacy request to one side, with that side's own `Authorization` header, and reads the whole answer. Rejects if there is no
 * answer in time, or if the service wants no such calls now. The service is told what the call is for, and which call of a client it was
 * made because of.
 */
export type AskSide = (
  request: ExchangeRequest,
  authorization: string | undefined,
  timeoutMs: number,
  purpose: Purpose,
) => Promise<SideAnswer>
