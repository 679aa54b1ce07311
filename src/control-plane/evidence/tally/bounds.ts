/**
 * How much is kept per lineage of an operation. Beyond a bound the smallest keys are kept, not the first ones, so that the results
 * do not depend on the order and the portions in which counts are added (docs/decisions/0070).
 */
export const BOUNDS = {
  classes: 500,
  patterns: 500,
  inputs: 1_000,
  clients: 1_000,
  lists: 1_000,
  reasons: 20,
  /** The most changes told apart at one place, and the most patterns at the same places. */
  details: 50,
  lines: 20,
  droppedMembers: 50,
  notSent: 50,
  /** The most changes for which it is kept who shows them, and the most features of the requests of each. */
  circumstances: 60,
  features: 40,
} as const

export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>

/** The name under which changes and reasons beyond the bound are counted. */
export const OTHER = 'other'

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

  /** Adds to the value of a key. Returns what is not kept: the added value, or the one that is dropped for it; undefined: all is kept. */
  add(key: Key, added: Value, sumOf: (one: Value, other: Value) => Value): Value | undefined {
    if (!this.admits(key)) return added
    const before = this.#all.get(key)
    return this.set(key, before === undefined ? added : sumOf(before, added))
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

export const plus = (one: number, other: number): number => one + other

/** Sums by name. Beyond the bound, the smallest names are kept and all others are counted together. */
export class NamedSums {
  readonly #named: Smallest<string, number>
  #others = 0

  constructor(most: number) {
    this.#named = new Smallest(most)
  }

  add(name: string, times: number): void {
    this.#others += name === OTHER ? times : (this.#named.add(name, times, plus) ?? 0)
  }

  addAll(sums: Iterable<readonly [name: string, times: number]>): void {
    for (const [name, times] of sums) this.add(name, times)
  }

  /** Returns the sums in the order of their names; the sum of all others is last. */
  entries(): readonly (readonly [name: string, times: number])[] {
    return this.#others === 0 ? this.#named.entries() : [...this.#named.entries(), [OTHER, this.#others]]
  }

  /** Returns the same as an object. */
  record(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.entries())
  }

  get isEmpty(): boolean {
    return this.#others === 0 && this.#named.size === 0
  }

  total(): number {
    return this.entries().reduce((sum, [, times]) => sum + times, 0)
  }
}
