import { addSmallest } from './bounds.ts'

/** The most hashes in a sketch, which keeps the smallest. For larger sets the size is estimated, within about 3 %. */
export const SKETCH_SIZE = 4_096
/** Hashes are whole numbers below this: 48 bits. */
export const HASH_LIMIT = 2 ** 48

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
  readonly #size: number

  /** @param size the most hashes to keep. */
  constructor(size = SKETCH_SIZE) {
    this.#size = size
  }

  /** Hashes from this one on may be missing. */
  get limit(): number {
    return this.#hashes.size < this.#size ? HASH_LIMIT : (this.hashes().at(-1) as number) + 1
  }

  add(hash: number): void {
    if (hash >= this.#most) return
    this.#sorted = undefined
    this.#hashes.add(hash)
    if (this.#hashes.size >= 2 * this.#size) this.#prune()
  }

  /** Returns the smallest hashes, in order. */
  hashes(): readonly number[] {
    this.#sorted ??= Array.from(Float64Array.from(this.#hashes).sort()).slice(0, this.#size)
    return this.#sorted
  }

  /** Returns the number of different hashes; `estimated`: there were more than a sketch holds. */
  count(): { readonly distinct: number; readonly estimated: boolean } {
    if (this.#hashes.size < this.#size) return { distinct: this.#hashes.size, estimated: false }
    const largest = this.hashes()[this.#size - 1] as number
    return { distinct: Math.round((this.#size - 1) / (largest / HASH_LIMIT)), estimated: true }
  }

  #prune(): void {
    const kept = this.hashes()
    this.#hashes = new Set(kept)
    this.#most = kept[this.#size - 1] as number
  }
}

/** The most hashes kept per class of difference: the smallest ones. */
export const CLIENTS_KEPT = 32

/** Clients are told apart by hashes of 32 bits. */
const CLIENT_HASH_LIMIT = 2 ** 32

/** Adds clients to a sketch, which stays sorted and has at most `CLIENTS_KEPT`. The order of adding makes no difference. */
export const addClients = (kept: readonly number[], added: readonly number[]): readonly number[] =>
  addSmallest(kept, added, CLIENTS_KEPT)

/**
 * Returns the number of clients; `estimated`: there were more than a sketch holds, and it is right within about 18 % (see `Sketch`).
 * @param all the clients of the operation, in order; undefined: not all of them are known. Then the number is never above theirs, and
 * it is theirs if none of them is missing among the smallest.
 */
export function countClients(
  kept: readonly number[],
  all?: readonly number[],
): { readonly distinct: number; readonly estimated: boolean } {
  if (kept.length < CLIENTS_KEPT) return { distinct: kept.length, estimated: false }
  const largest = kept.at(-1) as number
  const asSmall = all?.filter((client) => client <= largest).length ?? 0
  if (all !== undefined && asSmall >= kept.length) {
    return { distinct: Math.round((kept.length / asSmall) * all.length), estimated: all.length > kept.length }
  }
  return { distinct: Math.round((CLIENTS_KEPT - 1) / (largest / CLIENT_HASH_LIMIT)), estimated: true }
}
