import type { ReleaseHeaders, Side, Watch } from '../exchange/exchange.ts'
import type { ReferenceLists } from '../reference/reference-lists.ts'
import type { Forwarder } from '../upstream/forward.ts'
import type { GuardedUpstream } from '../upstream/guard.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { AsideOf } from './aside.ts'
import type { Brownouts } from './brownouts.ts'
import type { ServedOperation } from './compile-answerers.ts'
import type { Cors } from './cors.ts'
import type { Messages } from './errors/messages.ts'
import type { FindOperation, FindPath } from './find-operation.ts'
import type { ForwardedPath } from './forwarded-path.ts'
import type { ClientGuides } from './guides/client-guides.ts'
import type { KnownTokens } from './login/known-tokens.ts'
import type { TokenSealer } from './login/sealed-token.ts'

/** What serving a call needs. */
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
  readonly brownouts: Brownouts
  /** Undefined: clients cannot read their guides here. */
  readonly guides: ClientGuides | undefined
  readonly watch: Watch
  readonly releaseHeaders: ReleaseHeaders
  readonly lists: ReferenceLists
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
