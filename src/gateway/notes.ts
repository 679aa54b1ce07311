import type { Keeping, Side } from '../exchange/exchange.ts'
import type { Asking } from '../upstream/guard.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import { Kept } from './kept.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Collects what the steps of a call find out, for the log, the metrics, and the exchange that is compared or recorded.
 * Only its own methods change it: each step reports through them what happened.
 */
export class Notes {
  /** What the call holds of the memory budget: its request, then its answer. Only the budget changes it. */
  readonly memory: Holder = { held: 0 }
  /** When each service was asked. Only the guards change them. */
  readonly v1Asking: Asking = { since: undefined, until: undefined }
  readonly legacyAsking: Asking = { since: undefined, until: undefined }
  #answeredBy: Side = 'v1'
  #dropped = NOTHING
  #loggedIn: string | undefined
  #kept: Kept | undefined
  #brownout: number | undefined
  #isGuide = false
  #v1Calls = 0
  #v1Status: number | undefined
  #v1Milliseconds = 0
  #v1Release: string | undefined
  #v1Type: string | undefined
  #v1Took: number | undefined
  #besideTook: number | undefined
  #legacyTook: number | undefined
  #legacyStatus: number | undefined
  #legacyMilliseconds = 0

  /** Notes the side that answers from now on. */
  turnTo(side: Side): void {
    this.#answeredBy = side
  }

  /** Keeps the bodies, to be compared, recorded or looked at. */
  keepBodies(memory: MemoryBudget | undefined, keeping: Keeping): void {
    this.#kept = new Kept(memory, keeping, this.memory)
  }

  /** Notes whose share of the budget the call's memory uses. Comes before the call holds any. */
  usesShareOf(client: string | undefined): void {
    this.memory.share = client
  }

  requestReceived(body: Uint8Array): void {
    this.#kept?.request.add(body)
  }

  /** Notes legacy members that are not sent to v1. */
  membersDropped(names: ReadonlySet<string>): void {
    this.#dropped = names
  }

  clientLoggedIn(client: string | undefined): void {
    this.#loggedIn = client
  }

  /** @param n the number of the brownout. */
  refusedInBrownout(n: number): void {
    this.#brownout = n
  }

  /** Notes that the client asks for its own guide, which does not count as use of the legacy interface. */
  guideAsked(): void {
    this.#isGuide = true
  }

  v1Asked(): void {
    this.#v1Calls++
  }

  v1Waited(milliseconds: number): void {
    this.#v1Milliseconds += milliseconds
  }

  /** @param milliseconds from the request written to the last byte read. */
  v1Answered(status: number, release: string | undefined, milliseconds: number, type: string | undefined): void {
    this.#v1Type = type
    this.#v1Status = status
    this.#v1Took = milliseconds
    this.#v1Release = release ?? this.#v1Release
  }

  /** Adds calls of v1 that served this call and others, after they have ended. */
  v1AskedBeside(beside: Notes): void {
    const { v1Calls, v1Milliseconds, v1Status, v1Release, v1Type } = beside
    this.#besideTook = this.#v1Calls === 0 ? beside.serviceMs('v1') : undefined
    this.#v1Calls += v1Calls
    this.#v1Milliseconds += v1Milliseconds
    this.#v1Status = v1Status
    this.#v1Release = v1Release
    this.#v1Type = v1Type
  }

  legacyWaited(milliseconds: number): void {
    this.#legacyMilliseconds += milliseconds
  }

  /** Notes that the answer has been read whole; `milliseconds` as for v1. */
  legacyRead(milliseconds: number): void {
    this.#legacyTook = milliseconds
  }

  legacyAnswered(status: number): void {
    this.#legacyStatus = status
  }

  /** Returns when a service was asked. */
  asking(side: Side): Readonly<Asking> {
    return side === 'v1' ? this.v1Asking : this.legacyAsking
  }

  get answeredBy(): Side {
    return this.#answeredBy
  }

  get dropped(): ReadonlySet<string> {
    return this.#dropped
  }

  /** The client that logged in with this call. */
  get loggedIn(): string | undefined {
    return this.#loggedIn
  }

  /** The number of the brownout that refused the call; undefined: none did. */
  get brownout(): number | undefined {
    return this.#brownout
  }

  /** Whether a client's guide was asked for. */
  get isGuide(): boolean {
    return this.#isGuide
  }

  /** Undefined: the bodies are not kept. */
  get kept(): Kept | undefined {
    return this.#kept
  }

  /** The number of v1 calls. `v1Milliseconds` is their total time. */
  get v1Calls(): number {
    return this.#v1Calls
  }

  /**
   * How long a side took, from the request written to the last byte read. If v1 was asked for several pages, from the first request
   * to the last byte of all. Undefined: it was not asked.
   */
  serviceMs(side: Side): number | undefined {
    if (side === 'legacy') return this.#legacyTook
    if (this.#besideTook !== undefined) return this.#besideTook
    if (this.#v1Calls === 1) return this.#v1Took
    const { since, until } = this.v1Asking
    return since === undefined || until === undefined ? undefined : until - since
  }

  /** The release that v1 reports; undefined: none, or v1 was not asked. */
  get v1Release(): string | undefined {
    return this.#v1Release
  }

  /** The `Content-Type` of v1's last answer. */
  get v1Type(): string | undefined {
    return this.#v1Type
  }

  get v1Milliseconds(): number {
    return this.#v1Milliseconds
  }

  /** The status of v1's last answer. */
  get v1Status(): number | undefined {
    return this.#v1Status
  }

  /** The legacy service's status, if it was asked. `legacyMilliseconds` is the time to its first byte. */
  get legacyStatus(): number | undefined {
    return this.#legacyStatus
  }

  get legacyMilliseconds(): number {
    return this.#legacyMilliseconds
  }
}
