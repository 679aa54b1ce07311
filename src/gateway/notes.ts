import type { Side } from '../exchange/exchange.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import { type Kept, newKept } from './kept.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * What the steps of a call find out, for the log, the metrics and the exchange that is compared or recorded. Only its own
 * methods change it; each step that has something to tell is handed it and says what happened.
 */
export class Notes {
  /** What the call takes of the memory budget: its request, then its answer. The budget alone writes it. */
  readonly memory: Holder = { held: 0 }
  #answeredBy: Side = 'v1'
  #dropped = NOTHING
  #loggedIn: string | undefined
  #kept: Kept | undefined
  #v1Calls = 0
  #v1Status: number | undefined
  #v1Milliseconds = 0
  #legacyStatus: number | undefined
  #legacyMilliseconds = 0

  /** From here on this side is the one that answers. */
  turnTo(side: Side): void {
    this.#answeredBy = side
  }

  /** Its bodies are wanted, to be compared or recorded. */
  keepBodies(memory: MemoryBudget | undefined): void {
    this.#kept = newKept(memory)
  }

  requestReceived(body: Uint8Array): void {
    this.#kept?.request.add(body)
  }

  /** These legacy members are not sent to v1. */
  membersDropped(names: ReadonlySet<string>): void {
    this.#dropped = names
  }

  clientLoggedIn(client: string | undefined): void {
    this.#loggedIn = client
  }

  v1Asked(): void {
    this.#v1Calls++
  }

  v1Waited(milliseconds: number): void {
    this.#v1Milliseconds += milliseconds
  }

  v1Answered(status: number): void {
    this.#v1Status = status
  }

  /** What was asked of v1 for this call and others together. */
  v1AskedBeside({ v1Calls, v1Milliseconds, v1Status }: Notes): void {
    this.#v1Calls += v1Calls
    this.#v1Milliseconds += v1Milliseconds
    this.#v1Status = v1Status
  }

  legacyWaited(milliseconds: number): void {
    this.#legacyMilliseconds += milliseconds
  }

  legacyAnswered(status: number): void {
    this.#legacyStatus = status
  }

  get answeredBy(): Side {
    return this.#answeredBy
  }

  get dropped(): ReadonlySet<string> {
    return this.#dropped
  }

  /** Who logged in by it. */
  get loggedIn(): string | undefined {
    return this.#loggedIn
  }

  /** Undefined: nobody wants its bodies. */
  get kept(): Kept | undefined {
    return this.#kept
  }

  /** How often v1 was asked, and how long that took in all. */
  get v1Calls(): number {
    return this.#v1Calls
  }

  get v1Milliseconds(): number {
    return this.#v1Milliseconds
  }

  /** Of several answers the last one's. */
  get v1Status(): number | undefined {
    return this.#v1Status
  }

  /** The legacy service's status, and how long it took to its first byte, where it was asked. */
  get legacyStatus(): number | undefined {
    return this.#legacyStatus
  }

  get legacyMilliseconds(): number {
    return this.#legacyMilliseconds
  }
}
