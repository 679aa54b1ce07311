/** Numbers that are the same for a seed. */
export interface Random {
  /** From 0 to below 1. */
  share(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** A small generator (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(share() * limit)
  return {
    ...{ share, below },
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => share() < probability,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  }
}

/** Something that may end or pause at any time: a process, or its thread. Nothing of it happens afterwards, or meanwhile. */
export class Life {
  readonly #of: Life | undefined
  readonly #atEnd: (() => void)[] = []
  #isOver = false
  #pausedUntil = 0

  /** @param of with this one, it ends and pauses too. */
  constructor(of?: Life) {
    this.#of = of
    of?.atEnd(() => this.end())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get pausedUntil(): number {
    return Math.max(this.#pausedUntil, this.#of?.pausedUntil ?? 0)
  }

  atEnd(work: () => void): void {
    this.#atEnd.push(work)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const work of this.#atEnd.splice(0)) work()
  }

  pauseUntil(at: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, at)
  }
}

interface Planned {
  readonly at: number
  /** The order of what is due at the same time. */
  readonly nth: number
  readonly of: Life | undefined
  readonly work: () => void
}

/** Time that passes only from one event to the next. No event happens before the work of the one before is done, or gives way to others. */
export class VirtualTime {
  readonly #planned: Planned[] = []
  #now = 0
  #skipped = 0
  #count = 0

  /** Ms since the history began. */
  now(): number {
    return this.#now + this.#skipped
  }

  /** Does something after so many ms. @param of whose work it is. */
  after(ms: number, work: () => void, of?: Life): void {
    this.#add({ at: this.#now + Math.max(ms, 0), nth: this.#count++, of, work })
  }

  sleep(ms: number, of?: Life): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve, of))
  }

  /** So much time passes at once, in which nobody does anything. */
  skip(ms: number): void {
    this.#skipped += ms
  }

  /** Lets so many ms pass. Everything that is due happens. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    for (let next = this.#planned[0]; next !== undefined && next.at <= until; next = this.#planned[0]) {
      this.#planned.shift()
      this.#now = next.at
      if (next.of?.isOver === true) continue
      const pausedUntil = (next.of?.pausedUntil ?? 0) - this.#skipped
      if (pausedUntil > this.#now) {
        this.#add({ ...next, at: pausedUntil })
        continue
      }
      next.work()
      await whenDone()
    }
    this.#now = until
  }

  #add(planned: Planned): void {
    let [from, to] = [0, this.#planned.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const there = this.#planned[middle] as Planned
      if (there.at < planned.at || (there.at === planned.at && there.nth < planned.nth)) from = middle + 1
      else to = middle
    }
    this.#planned.splice(from, 0, planned)
  }
}

/** Resolves when no promise has anything left to do. That takes no clock: the event loop takes its next turn only then. */
const whenDone = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
