import type { Holder } from './memory-budget.ts'

/**
 * The holders that receive answers of unknown length, in order. Each takes room step by step and holds what it has while it waits for
 * more. If they took all the memory that way, they would wait for each other forever. So all but the eldest may take a part of it only.
 * The rest lets the eldest become whole, and then the next one is the eldest.
 */
export class Growing {
  readonly #most: number
  /** How many answers each holder receives. */
  readonly #answers = new Map<Holder, number>()
  #held = 0

  /** @param most how much all but the eldest may hold together; bytes. */
  constructor(most: number) {
    this.#most = most
  }

  get eldest(): Holder | undefined {
    return this.#answers.keys().next().value
  }

  /** An answer begins to arrive. */
  begin(holder: Holder): void {
    const answers = this.#answers.get(holder) ?? 0
    if (answers === 0) this.#held += holder.held
    this.#answers.set(holder, answers + 1)
  }

  /** An answer is complete, or given up. */
  end(holder: Holder): void {
    const answers = this.#answers.get(holder)
    if (answers === undefined) return
    if (answers > 1) this.#answers.set(holder, answers - 1)
    else this.remove(holder)
  }

  /** Removes a holder with all its answers. */
  remove(holder: Holder): void {
    if (this.#answers.delete(holder)) this.#held -= holder.held
  }

  /** Notes what a holder has taken, or released. */
  add(holder: Holder, bytes: number): void {
    if (this.#answers.size > 0 && this.#answers.has(holder)) this.#held += bytes
  }

  /** Whether a holder may take so much more. Holders that receive no such answer always may. */
  mayTake(holder: Holder, bytes: number): boolean {
    const { eldest } = this
    if (eldest === undefined || holder === eldest || !this.#answers.has(holder)) return true
    return this.#held - eldest.held + bytes <= this.#most
  }
}
