import type { Budget } from './budget.ts'
import { areEqual, ExactNumber, formOf } from './decimal.ts'
import { isNumber, isObject, type JsonValue, typeOf } from './json-value.ts'
import { fingerprintOf, idsOf, textOfId } from './pair-items.ts'

/** Stands for what an answer would have shown that is missing, or says nothing about this place. It equals nothing. */
export const UNKNOWN = Symbol('unknown')

/** A value at a place; undefined: the side shows nothing there. */
export type Shown = JsonValue | undefined | typeof UNKNOWN
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
    const of = (value: Shown): Shown => {
      if (value === UNKNOWN) return UNKNOWN
      return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    return this.#at(of(this.control), of(this.candidate))
  }

  /** The place of an item: the item with the same id, or if it has none, the one at the same index. */
  item(like: JsonValue, index: number): SecondLook {
    return this.#at(this.#find('control', like, index), this.#find('candidate', like, index))
  }

  /**
   * Judges two values that differ. It is drift only if the control's own two answers differ here, and one of the candidate's
   * equals one of them, or lies between them. A null, a missing value, an empty list or another type that the control never
   * showed counts.
   */
  judge(control: Shown, candidate: Shown): Standing {
    const [was, wasAgain] = [this.#textOf(control), this.#textOf(this.control)]
    const isAgain = this.#textOf(this.candidate)
    if (was === wasAgain) return this.candidateWasFirst && isAgain === was ? 'changed meanwhile' : 'counts'
    if (this.isBetween(control, candidate)) return 'drift'
    return this.#isOfKnownKind(control, candidate) && (isAgain === was || isAgain === wasAgain) ? 'drift' : 'counts'
  }

  /** Whether the control's two answers differ here, and the candidate's first equals the second of them or lies between them. */
  isBetween(control: Shown, candidate: Shown): boolean {
    const [was, wasAgain, is] = [this.#textOf(control), this.#textOf(this.control), this.#textOf(candidate)]
    if (was === wasAgain || !this.#isOfKnownKind(control, candidate)) return false
    return is === wasAgain || this.#liesBetween(candidate, control, this.control)
  }

  /**
   * Judges the rows of two lists that differ: their number, their order, and rows that came and went. If the candidate's list is
   * none that the control showed, its rows have drifted only if the control's did, and none is missing that both its answers show.
   */
  judgeRows(control: Items, candidate: Items): Standing {
    const standing = this.judge(control, candidate)
    if (standing !== 'drift' || this.isBetween(control, candidate)) return standing
    const [was, is] = [idsOf(control), idsOf(candidate)]
    if (was === undefined || is === undefined) return 'drift'
    const wasAgain = this.#idsOf('control')
    const haveMoved = String([...was.keys()]) !== String([...wasAgain.keys()])
    return haveMoved && [...was.keys()].every((id) => is.has(id) || !wasAgain.has(id)) ? 'drift' : 'counts'
  }

  /** Judges the form of two equal numbers. Data that change never change it: it is drift only if the control itself writes both. */
  judgeForm(control: number | ExactNumber): Standing {
    const again = this.control
    if (again === UNKNOWN || again === undefined || !isNumber(again)) return 'counts'
    return areEqual(again, control) && formOf(again) !== formOf(control) ? 'drift' : 'counts'
  }

  #isOfKnownKind(control: Shown, candidate: Shown): boolean {
    const kind = kindOf(candidate)
    return kind === kindOf(control) || kind === kindOf(this.control)
  }

  /** Returns what is equal for equal values only; undefined: there is no value. */
  #textOf(value: Shown): string | undefined | symbol {
    if (value === UNKNOWN) return Symbol('equals nothing')
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
    if (items === UNKNOWN) return UNKNOWN
    if (!Array.isArray(items)) return undefined
    const id = isObject(like) && Object.hasOwn(like, 'id') ? textOfId(like.id) : undefined
    if (id === undefined) return items[index]
    const at = this.#idsOf(side).get(id)
    return at === undefined ? undefined : items[at]
  }

  #idsOf(side: 'control' | 'candidate'): ReadonlyMap<string, number> {
    const items = this[side]
    this.#ids[side] ??= (Array.isArray(items) ? idsOf(items) : undefined) ?? new Map()
    return this.#ids[side]
  }
}

function kindOf(value: Shown): string {
  if (value === UNKNOWN) return 'unknown'
  if (value === undefined) return 'nothing'
  return Array.isArray(value) && value.length === 0 ? 'empty list' : typeOf(value)
}

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
