/**
 * A map that keeps its smallest keys: so many at most. A key that is among the smallest of all is among the smallest of every
 * part, so it is never dropped before, and its value is whole: the order in which keys come makes no difference.
 */
export class Smallest<Key extends string | number, Value> {
  readonly #most: number
  readonly #all = new Map<Key, Value>()
  /** Undefined: not since the keys changed. */
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

  /** Sets the value of a key that is admitted. Returns the value that gives way to it, if one does. */
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

  /** In no order, and without the cost of one. */
  each(): Iterable<Value> {
    return this.#all.values()
  }

  /** Undefined: there is none. */
  largest(): Key | undefined {
    if (this.#largest === undefined) {
      for (const key of this.#all.keys()) if (this.#largest === undefined || key > this.#largest) this.#largest = key
    }
    return this.#largest
  }

  /** In order. */
  keys(): readonly Key[] {
    this.#sorted ??= [...this.#all.keys()].sort((a, b) => (a < b ? -1 : 1))
    return this.#sorted
  }

  /** In the order of the keys. */
  values(): readonly Value[] {
    return this.keys().map((key) => this.#all.get(key) as Value)
  }

  /** In the order of the keys. */
  entries(): readonly (readonly [Key, Value])[] {
    return this.keys().map((key) => [key, this.#all.get(key) as Value])
  }

  #changed(): void {
    this.#largest = undefined
    this.#sorted = undefined
  }
}

/** Adds numbers to a list of the smallest ones: in order, each once, and so many at most. */
export function addSmallest(kept: readonly number[], added: readonly number[], most: number): readonly number[] {
  const least = kept.length < most ? Number.POSITIVE_INFINITY : (kept.at(-1) as number)
  if (added.every((one) => one >= least || kept.includes(one))) return kept
  return [...new Set([...kept, ...added])].sort((a, b) => a - b).slice(0, most)
}
