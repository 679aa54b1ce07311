/**
 * A map that keeps a limited number of keys, the smallest. A key that is among the smallest of all keys is also among the smallest
 * of any part of them, so it is never dropped, and its value is complete. So the order of adding makes no difference.
 */
export class Smallest<Key extends string | number, Value> {
  readonly #most: number
  readonly #all = new Map<Key, Value>()
  /** Undefined: not determined since the keys changed. */
  #largest: Key | undefined
  #sorted: readonly Key[] | undefined

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#all.size
  }

  get isFull(): boolean {
    return this.#all.size >= this.#most
  }

  get(key: Key): Value | undefined {
    return this.#all.get(key)
  }

  /** Whether a key is kept, or would be. */
  admits(key: Key): boolean {
    return !this.isFull || this.#all.has(key) || key < (this.largest() as Key)
  }

  /** Sets the value of a key that is admitted. Returns the value that is dropped for it, if any. */
  set(key: Key, value: Value): Value | undefined {
    if (this.#all.has(key)) {
      this.#all.set(key, value)
      return undefined
    }
    const given = this.isFull ? this.largest() : undefined
    const givesWay = given === undefined ? undefined : this.#all.get(given)
    if (given !== undefined) this.#all.delete(given)
    this.#all.set(key, value)
    this.#changed()
    return givesWay
  }

  delete(key: Key): void {
    if (this.#all.delete(key)) this.#changed()
  }

  /** Returns the values in no particular order, without the cost of sorting. */
  each(): Iterable<Value> {
    return this.#all.values()
  }

  /** Returns the largest key; undefined: the map is empty. */
  largest(): Key | undefined {
    if (this.#largest === undefined) {
      for (const key of this.#all.keys()) if (this.#largest === undefined || key > this.#largest) this.#largest = key
    }
    return this.#largest
  }

  /** Returns the keys in order. */
  keys(): readonly Key[] {
    this.#sorted ??= [...this.#all.keys()].sort((a, b) => (a < b ? -1 : 1))
    return this.#sorted
  }

  /** Returns the values in the order of their keys. */
  values(): readonly Value[] {
    return this.keys().map((key) => this.#all.get(key) as Value)
  }

  /** Returns the entries in the order of their keys. */
  entries(): readonly (readonly [Key, Value])[] {
    return this.keys().map((key) => [key, this.#all.get(key) as Value])
  }

  #changed(): void {
    this.#largest = undefined
    this.#sorted = undefined
  }
}

/** Adds numbers to a sorted list that keeps the `most` smallest, each once. */
export function addSmallest(kept: readonly number[], added: readonly number[], most: number): readonly number[] {
  const least = kept.length < most ? Number.POSITIVE_INFINITY : (kept.at(-1) as number)
  if (added.every((one) => one >= least || kept.includes(one))) return kept
  return [...new Set([...kept, ...added])].sort((a, b) => a - b).slice(0, most)
}
