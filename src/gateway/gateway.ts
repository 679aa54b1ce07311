import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Side, Watch } from '../exchange/exchange.ts'
import type { ReferenceLists } from '../reference/reference-lists.ts'
import type { Caller } from '../upstream/caller.ts'
import type { Forwarder } from '../upstream/forward.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Aside } from './aside.ts'
import type { Cors } from './cors.ts'
import type { Messages } from './errors/messages.ts'
import type { FindOperation, FindPath } from './find-operation.ts'
import type { ForwardedPath } from './forwarded-path.ts'
import type { Kept } from './kept.ts'
import type { LegacyRequest } from './legacy-request.ts'
import { type Credentials, NO_CREDENTIALS } from './login/credentials.ts'
import type { TokenSealer } from './login/sealed-token.ts'

/** What the way of a request needs. */
export interface Gateway {
  readonly find: FindOperation
  readonly findPath: FindPath
  /** The operation of an id, for what one answer takes from another's. */
  byId(id: string): CompiledOperation | undefined
  readonly v1: Upstream
  /** The legacy service, where it still runs. */
  readonly legacy: LegacyService | undefined
  /** Opens the tokens that were handed out for both services, and with a legacy service seals them. */
  readonly tokens: TokenSealer | undefined
  readonly forwardedPath: ForwardedPath
  /** Who answers an operation's calls of a client, where v1 could. */
  readonly route: (operation: string, client: string) => Side
  readonly watch: Watch
  readonly lists: ReferenceLists
  /** Undefined: browsers let no page of another origin read answers. */
  readonly cors: Cors | undefined
  readonly messages: Messages
  readonly maxBodyBytes: number
  /** What calls hold of it; undefined: nobody counts that. */
  readonly memory: MemoryBudget | undefined
  /** Where large texts are walked; undefined: with all others. */
  readonly aside: Aside | undefined
}

/** What is asked and read whole (logins), and what is passed on as it comes. */
export type LegacyService = Pick<Upstream, 'call'> & Pick<Forwarder, 'forward'>

/** One call on its way, and what is noted of it for the log. */
export interface Call {
  readonly request: LegacyRequest
  /** What its `Authorization` header means to each service; none until it has been read. */
  credentials: Credentials
  /** With whom it shares what a service can do; undefined: with what the gateway asks for itself. */
  share: string | undefined
  /** When it came, in ms since the epoch. */
  readonly at: number
  operation: CompiledOperation | undefined
  /** Who logged in by it. */
  loggedIn: string | undefined
  answeredBy: Side
  /** Undefined: nobody wants it. */
  kept: Kept | undefined
  /** Who waits for the answer; undefined: nobody can go. */
  caller: Caller | undefined
  /** Upstreams are asked until then, in ms of `performance.now()`; undefined: as long as each of them may take. */
  deadline: number | undefined
  /** v1's status; of several answers the last one's. */
  v1Status: number | undefined
  /** How often v1 was asked, and how long it took in all. */
  v1Calls: number
  v1Milliseconds: number
  /** The legacy service's status, and how long it took to its first byte, where it was asked. */
  legacyStatus: number | undefined
  legacyMilliseconds: number
  /** Legacy members that were not sent. */
  dropped: ReadonlySet<string>
  /** Memory of the budget, in bytes: of the request, then of the answer. Whoever made the call lets go of it. */
  held: number
}

const NOTHING: ReadonlySet<string> = new Set()

export function newCall(request: LegacyRequest, credentials: Credentials = NO_CREDENTIALS): Call {
  return {
    request,
    credentials,
    share: undefined,
    at: Date.now(),
    operation: undefined,
    loggedIn: undefined,
    answeredBy: 'v1',
    kept: undefined,
    caller: undefined,
    deadline: undefined,
    v1Status: undefined,
    v1Calls: 0,
    v1Milliseconds: 0,
    legacyStatus: undefined,
    legacyMilliseconds: 0,
    dropped: NOTHING,
    held: 0,
  }
}
