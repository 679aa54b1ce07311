import type { Budget } from './budget.ts'
import { ExactNumber } from './decimal.ts'
import { fingerprintOf } from './fingerprint.ts'
import { isObject, type JsonValue, typeOf } from './json-value.ts'
import { idsOf, textOfId } from './pair-items.ts'

/** A value at a place; undefined: the side shows nothing there. */
type Shown = JsonValue | undefined
type Items = readonly JsonValue[]

/**
 * How a difference stands after both sides were asked again. `drift`: the data changed, so it does not count. `changed
 * meanwhile`: either the data changed or the candidate was wrong once, and nothing can tell which.
 */
export type Standing = 'counts' | 'drift' | 'changed meanwhile'

/**
 * The values of both second answers at one place. The comparison descends into them together with the first answers, and they
 * decide how each difference stands (docs/decisions/0060).
 */
export class SecondLook {
  readonly control: Shown
  readonly candidate: Shown
  /** The candidate's first answer came before the control's. */
  readonly candidateWasFirst: boolean
  readonly #budget: Budget
  readonly #ids: Partial<Record<'control' | 'candidate', ReadonlyMap<string, number>>> = {}

  constructor(control: Shown, candidate: Shown, candidateWasFirst: boolean, budget: Budget) {
    this.#budget = budget
    this.control = control
    this.candidate = candidate
    this.candidateWasFirst = candidateWasFirst
  }

  /** The place of a member. */
  member(name: string): SecondLook {
    const of = (value: Shown): Shown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)
    return this.#at(of(this.control), of(this.candidate))
  }

  /** The place of an item: the item with the same id, or if it has none, the one at the same index. */
  item(like: JsonValue, index: number): SecondLook {
    return this.#at(this.#find('control', like, index), this.#find('candidate', like, index))
  }

  /**
   * Judges two values that differ. It is drift only if the control's own two answers differ here, and one of the candidate's
   * equals one of them, or lies between them. A null, a missing value or another type that the control never showed counts.
   */
  judge(control: Shown, candidate: Shown): Standing {
    const [was, is] = [this.#textOf(control), this.#textOf(candidate)]
    const [wasAgain, isAgain] = [this.#textOf(this.control), this.#textOf(this.candidate)]
    if (was === wasAgain) return this.candidateWasFirst && isAgain === was ? 'changed meanwhile' : 'counts'
    if (kindOf(candidate) !== kindOf(control) && kindOf(candidate) !== kindOf(this.control)) return 'counts'
    const isShown = [is, isAgain].some((text) => text === was || text === wasAgain)
    return isShown || this.#liesBetween(candidate, control, this.control) ? 'drift' : 'counts'
  }

  /** Returns a text that is equal for equal values; undefined: there is no value. */
  #textOf(value: Shown): string | undefined {
    return value === undefined ? undefined : fingerprintOf(value, this.#budget)
  }

  #liesBetween(value: Shown, one: Shown, other: Shown): boolean {
    const numbers = numbersOf(value, one, other)
    if (numbers !== undefined) return isWithin(numbers, WIDENED * Math.max(Math.abs(numbers[1]), Math.abs(numbers[2])))
    const times = timesOf(value, one, other)
    if (times !== undefined) return isWithin(times, WIDENED_MS)
    return Array.isArray(value) && Array.isArray(one) && Array.isArray(other) && this.#isMadeOf(value, one, other)
  }

  /** Whether each item is in one of two lists, and the number of items lies between theirs. */
  #isMadeOf(items: Items, one: Items, other: Items): boolean {
    if (!isWithin([items.length, one.length, other.length], 0)) return false
    const known = new Set([...one, ...other].map((item) => fingerprintOf(item, this.#budget)))
    return items.every((item) => known.has(fingerprintOf(item, this.#budget)))
  }

  #at(control: Shown, candidate: Shown): SecondLook {
    return new SecondLook(control, candidate, this.candidateWasFirst, this.#budget)
  }

  #find(side: 'control' | 'candidate', like: JsonValue, index: number): Shown {
    const items = this[side]
    if (!Array.isArray(items)) return undefined
    const id = isObject(like) && Object.hasOwn(like, 'id') ? textOfId(like.id) : undefined
    if (id === undefined) return items[index]
    this.#ids[side] ??= idsOf(items) ?? new Map()
    const at = this.#ids[side].get(id)
    return at === undefined ? undefined : items[at]
  }
}

const kindOf = (value: Shown): string => (value === undefined ? 'nothing' : typeOf(value))

/** How far a value may lie beyond the two, because the sides were asked in turn: a share of the larger number, and milliseconds. */
const WIDENED = 0.05
const WIDENED_MS = 5_000

type Three = readonly [number, number, number]

const isWithin = ([value, one, other]: Three, by: number): boolean =>
  value >= Math.min(one, other) - by && value <= Math.max(one, other) + by

function numbersOf(...values: readonly Shown[]): Three | undefined {
  const numbers = values.map((value) => (value instanceof ExactNumber ? Number(value.text) : value))
  return numbers.every((number) => typeof number === 'number') ? (numbers as unknown as Three) : undefined
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/

function timesOf(...values: readonly Shown[]): Three | undefined {
  const times = values.map((value) =>
    typeof value === 'string' && TIMESTAMP.test(value) ? Date.parse(value) : Number.NaN,
  )
  return times.every((time) => !Number.isNaN(time)) ? (times as unknown as Three) : undefined
}
