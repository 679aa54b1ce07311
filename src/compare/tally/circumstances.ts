import { createHash } from 'node:crypto'
import { z } from 'zod'
import { changesOf, type Difference } from '../diff/difference.ts'
import type { Observation } from '../observe-exchange.ts'
import type { Bounds } from './bounds.ts'
import { CLIENTS_KEPT } from './client-sketch.ts'
import { NamedSums } from './named-sums.ts'
import { Smallest } from './smallest.ts'

/*
 * Which clients show a difference, and what their requests are like, beside what all compared requests are like. What all requests
 * that show a difference have, and others lack, may be its cause. Only names are kept, never values.
 */

const count = z.int().nonnegative()
const sums = z.record(z.string(), count).readonly()

const client = z.tuple([count, z.string(), count]).readonly()

const place = z
  .object({
    /** See `circumstanceKey`. */
    key: z.string(),
    requests: count,
    features: sums,
    /** What was wrong with v1's answer, if it was malformed. */
    malformed: sums.default({}),
    /** The clients with the smallest hashes: hash, name and exchanges. */
    clients: z.array(client).max(CLIENTS_KEPT).readonly(),
  })
  .readonly()

export const circumstances = z
  .object({ requests: count, features: sums, places: z.array(place).readonly() })
  .readonly()
  .default({ requests: 0, features: {}, places: [] })

export const NO_CIRCUMSTANCES: CircumstanceCounts = { requests: 0, features: {}, places: [] }

export type CircumstanceCounts = Readonly<z.output<typeof circumstances>>
type PlaceCounts = CircumstanceCounts['places'][number]

/** Of all requests, so many times the features are kept as of those that show one change. */
const OF_ALL = 5
/** Longer names of clients are cut. */
const LONGEST_NAME = 100

/** Returns a text that is equal for equal changes at one place, as a report shows them. */
export const circumstanceKey = (
  { kind, path, from }: Pick<Difference, 'kind' | 'path' | 'from'>,
  detail = '',
): string => `${kind} ${path}\t${from ?? ''}\t${detail}`

/** Returns what one compared exchange adds. */
export function countCircumstances({ differences, shownBy, outcome }: Observation): CircumstanceCounts {
  if (shownBy === undefined || outcome === 'failed') return NO_CIRCUMSTANCES
  const { client, malformed } = shownBy
  const features = Object.fromEntries(shownBy.features.map((feature) => [feature, 1]))
  const keys = new Set(
    differences.flatMap((difference) => changesOf(difference).map((detail) => circumstanceKey(difference, detail))),
  )
  return {
    ...{ requests: 1, features },
    places: [...keys].map((key) => ({
      ...{ key, requests: 1, features },
      malformed: malformed === undefined ? {} : { [malformed]: 1 },
      clients: client === undefined ? [] : [[hashOf(client), client.slice(0, LONGEST_NAME), 1] as const],
    })),
  }
}

const hashOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0)

/** Adds up counts, in any order. Beyond a bound the smallest keys are kept. */
export class Circumstances {
  readonly #bounds: Bounds
  #requests = 0
  readonly #features: NamedSums
  readonly #places: Smallest<string, Place>

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#features = new NamedSums(bounds.features * OF_ALL)
    this.#places = new Smallest(bounds.circumstances)
  }

  add({ requests, features, places }: CircumstanceCounts): void {
    this.#requests += requests
    this.#features.addAll(Object.entries(features))
    for (const { key, ...counts } of places) {
      if (!this.#places.admits(key)) continue
      const place = this.#places.get(key) ?? new Place(this.#bounds)
      this.#places.set(key, place)
      place.add(counts)
    }
  }

  counts(): CircumstanceCounts {
    return {
      requests: this.#requests,
      features: Object.fromEntries(this.#features.entries()),
      places: this.#places.entries().map(([key, place]) => ({ key, ...place.counts() })),
    }
  }
}

class Place {
  #requests = 0
  readonly #features: NamedSums
  readonly #malformed: NamedSums
  readonly #clients = new Smallest<number, readonly [number, string, number]>(CLIENTS_KEPT)

  constructor({ features, reasons }: Bounds) {
    this.#features = new NamedSums(features)
    this.#malformed = new NamedSums(reasons)
  }

  add({ requests, features, malformed, clients }: Omit<PlaceCounts, 'key'>): void {
    this.#requests += requests
    this.#features.addAll(Object.entries(features))
    this.#malformed.addAll(Object.entries(malformed))
    for (const [hash, name, times] of clients) {
      if (!this.#clients.admits(hash)) continue
      const [, kept, before] = this.#clients.get(hash) ?? [hash, name, 0]
      // Two names may have one hash. The smaller one stands for both, whichever came first.
      this.#clients.set(hash, [hash, name < kept ? name : kept, before + times])
    }
  }

  counts(): Omit<PlaceCounts, 'key'> {
    return {
      requests: this.#requests,
      features: Object.fromEntries(this.#features.entries()),
      malformed: Object.fromEntries(this.#malformed.entries()),
      clients: this.#clients.values(),
    }
  }
}
