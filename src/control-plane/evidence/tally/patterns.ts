import { hash } from 'node:crypto'
import type { Stratum } from '../observation.ts'
import type { Bounds } from './bounds.ts'
import { Smallest } from './bounds.ts'
import type { DifferenceClass } from './difference-classes.ts'
import type { OperationState } from './operation-state.ts'

/** Exchanges that show the same classes. */
export interface Pattern {
  readonly stratum: Stratum
  /** Whether no difference counted when they were compared. */
  readonly ignored: boolean
  /** Unique, even when changes are no longer kept one by one. Patterns that differ at the same places have the same first half. */
  readonly id: string
  /** The largest place. */
  readonly last: string
  classes: readonly DifferenceClass[]
  requests: number
}

/** Hexadecimal digits of a hash: 60 bits. */
const DIGITS = 15
const hashOf = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGITS)
const shapeOf = ({ id }: Pattern): string => id.slice(0, DIGITS)
/** Sorts by the largest place first, because those patterns are dropped first when places are no longer kept. */
const keyOf = ({ last, id }: Pattern): string => `${last}\n${id}`

/** Returns the id of a pattern. `changes` are in the order of `places`; see `changeKey`. */
export function patternId(
  { stratum, ignored }: Pick<Pattern, 'stratum' | 'ignored'>,
  places: readonly string[],
  changes: readonly string[],
): string {
  const inFull = places.map((place, at) => `${place}\t${JSON.stringify(changes[at])}`)
  const shape = [stratum, ...[...places].sort()].join('\n')
  return `${hashOf(shape)}${hashOf([`${stratum} ${ignored}`, ...inFull.sort()].join('\n'))}`
}

/**
 * Counts exchanges by the classes that they show, so that they can be judged again when the rules change. There are few such
 * patterns. One bound limits patterns at the same places, and another all patterns. Beyond a bound the smallest are kept, and the
 * exchanges of all others are judged for good, with the outcome of their comparison.
 */
export class Patterns {
  readonly #bounds: Bounds
  readonly #judged: OperationState['judged']
  readonly #all: Smallest<string, Pattern>
  readonly #shapes = new Map<string, Smallest<string, Pattern>>()

  constructor(bounds: Bounds, judged: OperationState['judged']) {
    this.#bounds = bounds
    this.#judged = judged
    this.#all = new Smallest(bounds.patterns)
  }

  /** Returns all patterns, in order. */
  values(): readonly Pattern[] {
    return this.#all.values()
  }

  add(pattern: Pattern): void {
    const key = keyOf(pattern)
    const same = this.#all.get(key)
    if (same !== undefined) {
      same.requests += pattern.requests
      return
    }
    const shape = shapeOf(pattern)
    const alike = this.#shapes.get(shape) ?? new Smallest<string, Pattern>(this.#bounds.details)
    if (!alike.admits(pattern.id) || !this.#all.admits(key)) {
      this.judge(pattern)
      return
    }
    this.#shapes.set(shape, alike)
    const largestAlike = alike.set(pattern.id, pattern)
    if (largestAlike !== undefined) this.#drop(largestAlike)
    const largest = this.#all.set(key, pattern)
    if (largest !== undefined) this.#drop(largest)
  }

  /** Judges exchanges for good. */
  judge({ stratum, ignored, requests }: Pick<Pattern, 'stratum' | 'ignored' | 'requests'>): void {
    this.#judged[stratum][ignored ? 'ignored' : 'mismatched'] += requests
  }

  /** Judges for good all exchanges that show this place or a larger one. */
  judgeFrom(place: string): void {
    for (const pattern of this.#all.each()) if (pattern.last >= place) this.#drop(pattern)
  }

  /** Replaces a class that became part of another. */
  merged(from: DifferenceClass, into: DifferenceClass): void {
    for (const pattern of this.#all.each()) {
      if (pattern.classes.includes(from)) {
        pattern.classes = pattern.classes.map((found) => (found === from ? into : found))
      }
    }
  }

  #drop(pattern: Pattern): void {
    this.judge(pattern)
    this.#all.delete(keyOf(pattern))
    const alike = this.#shapes.get(shapeOf(pattern))
    alike?.delete(pattern.id)
    if (alike?.size === 0) this.#shapes.delete(shapeOf(pattern))
  }
}
