import { LRUCache } from 'lru-cache'

/** Waits for an answer, and may leave before it arrives. */
export interface Caller {
  /** Why the caller no longer waits. Undefined while it waits. */
  readonly gone: Error | undefined
  /** Calls `listener` once when the caller leaves. */
  onGone(listener: GoneListener): void
  /** Removes a listener. */
  offGone(listener: GoneListener): void
}

/** @param reason the caller's `gone`. */
export type GoneListener = (reason: Error) => void

/** Who makes a call. */
export interface Asker {
  /** The client whose share the call uses. Undefined: the gateway's own calls, which count as one client. */
  readonly share?: string | undefined
  /** Undefined: nobody, so none can leave. */
  readonly caller?: Caller | undefined
  /** A shorter limit for the wait; ms. */
  readonly timeoutMs?: number | undefined
}

export interface FairQueueOptions {
  /** The maximum number of calls under way. */
  readonly limit: number
  /** How many more may be under way of clients that have fewer than that. So a client whose calls hang leaves room to others. */
  readonly spare?: number
  /** The maximum number of waiting calls. */
  readonly maxWaiting: number
  /** The longest wait; ms. */
  readonly maxWaitMs: number
  /** One error for all refusals, because capturing a stack would cost more than the rest of a refusal. */
  readonly refusal: Error
}

/** A client whose oldest call has waited for longer than this is served its newest calls first; ms. */
const LONG_MS = 1_000
/** More clients than can have calls. */
const MOST_CLIENTS = 10_000

/**
 * Limits how many calls are under way. Others wait, each for a limited time.
 *
 * - **Each client has its share**: the client with the fewest calls under way is next. Among equals, they take turns.
 * - **A client's calls begin in order**, unless its oldest has waited for more than a second. Then the newest comes first: in order, all of
 *   its calls would be answered equally late, most of them after their callers have given up.
 * - **If too many wait**, the client with the most waiting calls loses its oldest.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #clients = new LRUCache<string, Client, void>({ max: MOST_CLIENTS, memoMethod: () => new Client() })
  /** The clients with waiting calls. The one served last comes last. */
  readonly #lines = new Set<Client>()
  #running = 0
  #waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Begins a call. Returns its client, which `leave` must be given. Undefined: it must `wait`. */
  enter({ share = '' }: Asker): Client | undefined {
    const client = this.#clients.memo(share)
    if (!this.#hasRoomFor(client)) return undefined
    this.#begin(client)
    return client
  }

  /**
   * Waits until a call may begin. Resolves as `enter` returns. Rejects with the refusal if the wait is too long or too many wait, and
   * with the caller's reason if the caller leaves.
   */
  wait({ share = '', caller, timeoutMs }: Asker): Promise<Client> {
    if (caller?.gone !== undefined) return Promise.reject(caller.gone)
    const { maxWaiting, maxWaitMs, refusal } = this.#options
    const client = this.#clients.memo(share)
    const call = new WaitingCall(client, caller, this.#remove)
    call.timeout = setTimeout(call.refuse, Math.min(timeoutMs ?? maxWaitMs, maxWaitMs), refusal)
    client.calls.push(call)
    client.waiting++
    this.#lines.add(client)
    if (++this.#waiting > maxWaiting) this.#longestLine()?.calls[0]?.refuse(refusal)
    return call.turn
  }

  /** A call of the client has ended. The next one begins. */
  leave(client: Client): void {
    client.running--
    this.#running--
    const next = this.#fewestUnderWay()
    if (next === undefined || !this.#hasRoomFor(next)) return
    const call = next.next
    this.#remove(call)
    if (this.#lines.delete(next)) this.#lines.add(next)
    this.#begin(next)
    call.begin()
  }

  #hasRoomFor({ running }: Client): boolean {
    const { limit, spare = 0 } = this.#options
    return this.#running < limit || (running < spare && this.#running < limit + spare)
  }

  #begin(client: Client): void {
    client.running++
    this.#running++
  }

  /** Finds the next client. At most `limit` clients have calls under way, so the search is short. */
  #fewestUnderWay(): Client | undefined {
    let fewest: Client | undefined
    for (const client of this.#lines) {
      if (fewest === undefined || client.running < fewest.running) fewest = client
      if (fewest.running === 0) break
    }
    return fewest
  }

  #longestLine(): Client | undefined {
    let longest: Client | undefined
    for (const client of this.#lines) if (longest === undefined || client.waiting > longest.waiting) longest = client
    return longest
  }

  readonly #remove = (call: WaitingCall): void => {
    const { client } = call
    call.isOver = true
    this.#waiting--
    if (--client.waiting === 0) this.#lines.delete(client)
    while (client.calls[0]?.isOver === true) client.calls.shift()
    while (client.calls.at(-1)?.isOver === true) client.calls.pop()
  }
}

/** The calls of one client. Only the queue changes it. */
export class Client {
  /** How many are under way, and how many wait. */
  running = 0
  waiting = 0
  /** Those that wait, oldest first. Between the ends there may be some that are over. */
  readonly calls: WaitingCall[] = []

  /** The waiting call that begins next. There must be one. */
  get next(): WaitingCall {
    const oldest = this.calls[0] as WaitingCall
    return performance.now() - oldest.since > LONG_MS ? (this.calls.at(-1) as WaitingCall) : oldest
  }
}

/** A call that waits. Thousands may wait at a time, so it is one object with one function of its own. */
class WaitingCall {
  readonly since = performance.now()
  readonly client: Client
  readonly turn: Promise<Client>
  isOver = false
  timeout: NodeJS.Timeout | undefined
  readonly #caller: Caller | undefined
  readonly #onRefused: (call: WaitingCall) => void
  readonly #resolve: (client: Client) => void
  readonly #reject: (reason: Error) => void

  /** @param onRefused called when it is refused. */
  constructor(client: Client, caller: Caller | undefined, onRefused: (call: WaitingCall) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Client>()
    this.client = client
    this.turn = promise
    this.#caller = caller
    this.#onRefused = onRefused
    this.#resolve = resolve
    this.#reject = reject
    caller?.onGone(this.refuse)
  }

  begin(): void {
    this.#stopWaiting()
    this.#resolve(this.client)
  }

  readonly refuse = (reason: Error): void => {
    this.#onRefused(this)
    this.#stopWaiting()
    this.#reject(reason)
  }

  #stopWaiting(): void {
    clearTimeout(this.timeout)
    this.#caller?.offGone(this.refuse)
  }
}
