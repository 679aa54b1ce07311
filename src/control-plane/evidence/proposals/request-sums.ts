import { smallest } from './hash-value.ts'
import type { LearnedRequest } from './learned.ts'

/** Something that requests have and v1 does not take. */
export interface RequestReport {
  readonly legacy: string
  readonly calls: number
  readonly clients: number
  readonly says: string
  /** Where v1 refused it; null: v1 did not get it. */
  readonly v1Path: string | null
}

/** The most members and clients that are counted. */
const MOST_MEMBERS = 50
const MOST_CLIENTS = 256

interface RequestSum extends LearnedRequest {
  calls: number
  clients: readonly number[]
}

/** Counts by member what v1 does not take of requests. */
export class RequestSums {
  readonly #sums = new Map<string, RequestSum>()
  /** Whether there were more members than are counted. */
  isCut = false

  add(requests: readonly LearnedRequest[], client: number | undefined): void {
    for (const request of requests) {
      const key = `${request.legacy} ${request.v1Path ?? ''}`
      let sum = this.#sums.get(key)
      if (sum === undefined) {
        if (this.#sums.size >= MOST_MEMBERS) {
          this.isCut = true
          continue
        }
        sum = { ...request, calls: 0, clients: [] }
        this.#sums.set(key, sum)
      }
      sum.calls++
      if (client !== undefined) sum.clients = smallest([...sum.clients, client], MOST_CLIENTS)
    }
  }

  /** Returns the counts, what most calls have first. */
  report(): readonly RequestReport[] {
    return [...this.#sums.values()]
      .map(({ legacy, calls, clients, says, v1Path }) => ({ legacy, calls, clients: clients.length, says, v1Path }))
      .sort((one, other) => other.calls - one.calls || (one.legacy < other.legacy ? -1 : 1))
  }
}
