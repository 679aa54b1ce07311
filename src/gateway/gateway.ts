import type { Side, Watch } from '../exchange/exchange.ts'
import type { ReferenceLists } from '../reference/reference-lists.ts'
import type { Forwarder } from '../upstream/forward.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Aside } from './aside.ts'
import type { ServedOperation } from './compile-answerers.ts'
import type { Cors } from './cors.ts'
import type { Messages } from './errors/messages.ts'
import type { FindOperation, FindPath } from './find-operation.ts'
import type { ForwardedPath } from './forwarded-path.ts'
import type { TokenSealer } from './login/sealed-token.ts'

/** What the way of a request needs. */
export interface Gateway {
  readonly find: FindOperation<ServedOperation>
  readonly findPath: FindPath<ServedOperation>
  /** The operation of an id, for what one answer takes from another's. */
  byId(id: string): ServedOperation | undefined
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
