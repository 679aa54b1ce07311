/** The most hashes in a sketch, which keeps the smallest. For larger sets the size is estimated, within about 3 %. */
export const SKETCH_SIZE = 4_096
/** Hashes are whole numbers below this: 48 bits. */
export const HASH_LIMIT = 2 ** 48

/** The number of different hashes; `isEstimated`: there were more than a sketch holds. */
export interface Distinct {
  readonly distinct: number
  readonly isEstimated: boolean
}

/**
 * Counts the different hashes of a set that may be large (the k minimum values: Bar-Yossef and others, 2002). The order of adding
 * makes no difference, so sketches of several processes can be added up.
 */
export class Sketch {
  #hashes = new Set<number>()
  /** Larger hashes are not kept. */
  #most = HASH_LIMIT
  /** The smallest hashes, in order; undefined: not sorted since the last one was added. */
  #sorted: readonly number[] | undefined

  add(hash: number): void {
    if (hash >= this.#most) return
    this.#sorted = undefined
    this.#hashes.add(hash)
    if (this.#hashes.size >= 2 * SKETCH_SIZE) this.#prune()
  }

  /** Returns the smallest hashes, in order. */
  hashes(): readonly number[] {
    this.#sorted ??= Array.from(Float64Array.from(this.#hashes).sort()).slice(0, SKETCH_SIZE)
    return this.#sorted
  }

  count(): Distinct {
    if (this.#hashes.size < SKETCH_SIZE) return { distinct: this.#hashes.size, isEstimated: false }
    const largest = this.hashes()[SKETCH_SIZE - 1] as number
    return { distinct: Math.round((SKETCH_SIZE - 1) / (largest / HASH_LIMIT)), isEstimated: true }
  }

  #prune(): void {
    const kept = this.hashes()
    this.#hashes = new Set(kept)
    this.#most = kept[SKETCH_SIZE - 1] as number
  }
}
