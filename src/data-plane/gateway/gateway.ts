import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Translation } from '../../engine/translate-request.ts'
import type { ReleaseHeaders, Side, Watch } from '../../exchange/exchange.ts'
import type { MakeGuide } from '../../exchange/guide-form.ts'
import type { Purpose } from '../../exchange/purpose.ts'
import type { ReferenceLists } from '../reference/reference-lists.ts'
import type { Caller } from '../upstream/fair-queue.ts'
import type { Forwarder } from '../upstream/forward.ts'
import type { GuardedUpstream } from '../upstream/guard.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Cors } from './cors.ts'
import type { Messages } from './errors/legacy-messages.ts'
import type { AsideOf } from './large-texts.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { FindOperation, FindPath, ForwardedPath } from './legacy-paths.ts'
import { type Credentials, NO_CREDENTIALS } from './login/credentials.ts'
import type { KnownTokens } from './login/known-tokens.ts'
import type { TokenSealer } from './login/sealed-token.ts'
import { type Notes, newNotes } from './notes.ts'
import type { LegacyRequest } from './request-head.ts'

/** All that serving a call needs. */
export interface Gateway {
  readonly find: FindOperation<ServedOperation>
  readonly findPath: FindPath<ServedOperation>
  /** Returns an operation by its id, for answers that take members from another operation's answer. */
  byId(id: string): ServedOperation | undefined
  readonly v1: GuardedUpstream
  /** The legacy service, if it still runs. */
  readonly legacy: LegacyService | undefined
  /** Opens the gateway's own tokens, which hold those of both services. Seals new ones if there is a legacy service. */
  readonly tokens: TokenSealer | undefined
  /** The services' own tokens that this process has seen, and whose they are. */
  readonly knownTokens: KnownTokens
  readonly forwardedPath: ForwardedPath
  /** Returns the side that answers a client's calls of an operation that v1 has. `clientOf` is called only if the side depends on the client. */
  readonly route: (operation: string, clientOf: () => string) => Side
  /** Whether a client may choose the side that answers its calls of an operation that v1 has. */
  readonly mayChoose: (operation: string, clientOf: () => string) => boolean
  readonly brownouts: Brownouts
  /** Undefined: clients cannot read their guides here. */
  readonly guides: ClientGuides | undefined
  readonly watch: Watch
  readonly releaseHeaders: ReleaseHeaders
  readonly lists: ReferenceLists
  /** How long an answer waits for a list that fills one of its members; ms. Unset: 250, because a client waits. */
  readonly fillWithinMs?: number
  /** Undefined: browsers let no page of another origin read answers. */
  readonly cors: Cors | undefined
  readonly messages: Messages
  readonly maxBodyBytes: number
  /** Limits the memory that calls hold; undefined: memory is not counted. */
  readonly memory: MemoryBudget | undefined
  /** Processes large texts in another thread; undefined: they are processed on the event loop. */
  readonly aside: AsideOf | undefined
}

/**
 * The legacy service: `call` reads an answer whole (for logins), `forward` passes it on as it arrives. `baseUrl` is its
 * address.
 */
export type LegacyService = Pick<Upstream, 'call'> & Pick<Forwarder, 'forward'> & { readonly baseUrl: URL }

/** Calls that are refused for a while, so that the last clients notice that the interface will go. */
export interface Brownouts {
  /** Before this time no call is refused; ms since the epoch. Infinity: no brownout is planned. */
  readonly from: number
  /**
   * Returns the brownout that refuses a call which arrived at `now`; undefined: none does. `n` is its number in the rollout file, from
   * 1, and `until` is when it is over; ms since the epoch.
   */
  of(
    operation: string,
    client: string,
    now: number,
  ): { readonly n: number; readonly status: number; readonly until: number } | undefined
}

/** The guides on the legacy port: each client reads its own. */
export interface ClientGuides {
  /** As written in the request line. */
  readonly path: string
  /** Rejects with an UpstreamError. */
  readonly of: MakeGuide
  /**
   * Returns whether a service accepts the token of a call now.
   * @throws UpstreamError if v1 cannot say, LegacyFailure if the legacy service cannot.
   */
  isAccepted(gateway: Gateway, call: Call): Promise<boolean>
}

/** A compiled operation, and how its calls are answered. That is decided once, when the mapping is loaded or corrected. */
export interface ServedOperation extends CompiledOperation {
  readonly answerCall: AnswerCall
  /** Whether a call that this side answers is translated. If not, it is passed through to the legacy service. */
  readonly translates: Readonly<Record<Side, boolean>>
}

/**
 * Sends a translated request to v1, in as many calls as the legacy answer takes, and translates the answers.
 * @param body of the legacy request.
 * @throws Refusal if the request could not be translated; otherwise the failure or the refusal of v1.
 */
export type AnswerCall = (
  gateway: Gateway,
  call: Call,
  translation: Translation,
  body: Uint8Array,
) => Promise<LegacyAnswer>

/** A call, as it is known before any service is asked. Never changes; what is found out later goes into its notes. */
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
  /** What became of the client's wish for a side: the side that it got, or `ignored`; undefined: it has none. */
  readonly choice: Side | 'ignored' | undefined
  /** Whose share of the slots it uses; undefined: that of the gateway's own calls. */
  readonly share: string | undefined
  /** The client that waits for the answer; undefined: no client, so none can hang up. */
  readonly caller: Caller | undefined
  readonly notes: Notes
  /** When to stop waiting for upstreams, in ms of `performance.now()`; undefined: only their own time-outs apply. */
  readonly deadline: number | undefined
  /** What it is for, if it is no client's. Services are told. */
  readonly purpose: Purpose | undefined
}

/** Creates a call from what is known of it, with defaults for the rest. */
export function newCall(request: LegacyRequest, details: Partial<Omit<Call, 'request'>> = {}): Call {
  return {
    request,
    at: details.at ?? Date.now(),
    operation: details.operation,
    credentials: details.credentials ?? NO_CREDENTIALS,
    side: details.side ?? 'v1',
    choice: details.choice,
    share: details.share,
    caller: details.caller,
    notes: details.notes ?? newNotes(),
    deadline: details.deadline,
    purpose: details.purpose,
  }
}

/**
 * Creates a call that the gateway makes for itself or for several clients, with the request and credentials of this
 * one. It has notes of its own, no caller and no deadline.
 * @param purpose what it is for, if no client waits for it; undefined: for the same.
 */
export const askedBeside = ({ request, credentials, purpose: same }: Call, share?: string, purpose = same): Call =>
  newCall(request, { credentials, share, purpose })
