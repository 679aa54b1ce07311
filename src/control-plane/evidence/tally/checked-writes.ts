import { z } from 'zod'
import { type Bounds, Smallest } from './bounds.ts'
import { outermost, shownPeriod } from './period.ts'
import { HASH_LIMIT, SKETCH_SIZE, Sketch } from './sketch.ts'

const count = z.int().nonnegative()

/**
 * Writes that were checked without sending them, as plain data: how many, hashes of their units, inputs and clients, and when the first
 * and the last of them came. They are apart from what was compared, because a check proves nothing about v1.
 */
export const checkedCounts = z
  .object({
    writes: count,
    units: z.array(z.int().min(0).lt(HASH_LIMIT)).max(SKETCH_SIZE).readonly(),
    inputs: z.array(count).readonly(),
    clients: z.array(count).readonly(),
    since: z.number().nullable(),
    until: z.number().nullable(),
  })
  .readonly()

export type CheckedCounts = z.output<typeof checkedCounts>

/** The writes that were checked without sending them. */
export interface CheckedReport {
  readonly writes: number
  /** One client's equal requests within an hour are one unit. None of these proves anything. */
  readonly units: { readonly distinct: number; readonly estimated: boolean }
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly clients: { readonly distinct: number; readonly atLeast: boolean }
  /** When the first and the last of them came, ISO 8601; null: unknown. */
  readonly since: string | null
  readonly until: string | null
}

/** Adds up checked writes, in any order. */
export class CheckedWrites {
  #writes = 0
  readonly #units = new Sketch()
  readonly #inputs: Smallest<number, true>
  readonly clients: Smallest<number, true>
  #period: Pick<CheckedCounts, 'since' | 'until'> = { since: null, until: null }

  constructor({ inputs, clients }: Pick<Bounds, 'inputs' | 'clients'>) {
    this.#inputs = new Smallest(inputs)
    this.clients = new Smallest(clients)
  }

  get isEmpty(): boolean {
    return this.#writes === 0
  }

  get period(): Pick<CheckedCounts, 'since' | 'until'> {
    return this.#period
  }

  add({ writes, units, inputs, clients, since, until }: CheckedCounts): void {
    this.#writes += writes
    for (const unit of units) this.#units.add(unit)
    for (const input of inputs) this.#inputs.add(input, true, () => true)
    for (const client of clients) this.clients.add(client, true, () => true)
    const { since: first, until: last } = this.#period
    this.#period = { since: outermost(Math.min, first, since), until: outermost(Math.max, last, until) }
  }

  counts(): CheckedCounts {
    return {
      ...{ writes: this.#writes, units: this.#units.hashes(), inputs: this.#inputs.keys() },
      ...{ clients: this.clients.keys(), ...this.#period },
    }
  }

  /**
   * Reports them; null: none was checked.
   * @param roundTrips how many made the round trip: earlier versions counted only those.
   * @param now the reader's time, in ms since the epoch.
   */
  report(roundTrips: number, now: number): CheckedReport | null {
    const writes = Math.max(this.#writes, roundTrips)
    if (writes === 0) return null
    return {
      ...{ writes, units: this.#units.count() },
      inputs: { distinct: this.#inputs.size, atLeast: this.#inputs.isFull },
      clients: { distinct: this.clients.size, atLeast: this.clients.isFull },
      ...shownPeriod(this.#period, now),
    }
  }
}
