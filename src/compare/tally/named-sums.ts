import { OTHER } from './bounds.ts'
import { Smallest } from './smallest.ts'

/** Sums by name. Beyond the bound, the smallest names are kept and all others are counted together. */
export class NamedSums {
  readonly #named: Smallest<string, number>
  #others = 0

  constructor(most: number) {
    this.#named = new Smallest(most)
  }

  add(name: string, times: number): void {
    if (name === OTHER || !this.#named.admits(name)) this.#others += times
    else this.#others += this.#named.set(name, (this.#named.get(name) ?? 0) + times) ?? 0
  }

  addAll(sums: Iterable<readonly [name: string, times: number]>): void {
    for (const [name, times] of sums) this.add(name, times)
  }

  /** Returns the sums in the order of their names; the sum of all others is last. */
  entries(): readonly (readonly [name: string, times: number])[] {
    return this.#others === 0 ? this.#named.entries() : [...this.#named.entries(), [OTHER, this.#others]]
  }

  get isEmpty(): boolean {
    return this.#others === 0 && this.#named.size === 0
  }

  total(): number {
    return this.entries().reduce((sum, [, times]) => sum + times, 0)
  }
}
