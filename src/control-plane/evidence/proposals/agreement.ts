import type { Form } from '../../../mapping/corrections/corrections.ts'
import { type Budget, NO_LIMIT } from '../diff/budget.ts'
import { canonicalText, isNumber, isObject, type JsonValue } from '../diff/json-value.ts'
import { fingerprintOf } from '../diff/pair-items.ts'
import { FORMS, formsOf, keyInForm, keyInScale, keyOfText, MOST_SCALE, numberIn, scaleBetween } from './forms.ts'
import { MOST_SOURCES } from './learned.ts'
import { holdsPersonal } from './personal.ts'
import { hasChanged, type Place, valueAt } from './places.ts'
import { writtenText } from './v1-body.ts'
import type { Sources } from './v1-sources.ts'

/** Stands in a column for null, for no such member, and for a value that says nothing. All others are keys. */
export const NULL = 'null'
export const MISSING = ''
export const UNCLEAR = '?'

/** A legacy path in a container, and what its places have. */
export interface Column {
  readonly legacy: string
  readonly names: readonly string[]
  isPersonal: boolean
  /** What each place has: a key, NULL, MISSING or UNCLEAR. */
  readonly keys: string[]
  /** How often each value occurs, by key. */
  readonly values: Map<string, number>
  readonly types: Map<string, number>
  places: number
  nulls: number
  missings: number
  aligned: number
  candidateHas: number
  extras: number
  extraNulls: number
  isWhole: boolean
}

export const columnOf = (legacy: string, names: readonly string[], isPersonal: boolean): Column => ({
  ...{ legacy, names, isPersonal, keys: [], values: new Map(), types: new Map() },
  ...{ places: 0, nulls: 0, missings: 0, aligned: 0, candidateHas: 0, extras: 0, extraNulls: 0, isWhole: false },
})

/** Counts for each legacy path and source of a container, in one array. */
class Counts {
  readonly #counts: Uint16Array

  constructor(columns: number) {
    this.#counts = new Uint16Array(columns * MOST_SOURCES)
  }

  add(column: number, source: number): void {
    const at = column * MOST_SOURCES + source
    this.#counts[at] = (this.#counts[at] as number) + 1
  }

  of(column: number, source: number): number {
    return this.#counts[column * MOST_SOURCES + source] as number
  }
}

/** Counts, place by place, in how many each source has what legacy has, as it is and in other forms. */
export class Agreement {
  readonly columns: readonly Column[]
  readonly sources: Sources
  /** What v1 has at each place, by source: JSON texts, a fingerprint of a list or object, NULL or MISSING (undefined). */
  readonly texts: string[][] = []
  /** The number of places that were looked at. */
  places = 0
  /** How often a source agrees in any way. */
  readonly found: Counts
  readonly agreed: Counts
  readonly unscaled: Counts
  readonly againstNull: Counts
  readonly againstMissing: Counts
  readonly nullNull: Counts
  readonly nullMissing: Counts
  readonly #forms = new Map<Form, Counts>()
  readonly #scales = new Map<number, Counts>()
  readonly #budget: Budget
  /** The columns that have a value at the current place, by key; those that have a number; and those without a value. */
  readonly #byKey = new Map<string, number[]>()
  #numbers: (readonly [column: number, number: number, isText: boolean])[] = []
  #nulls: number[] = []
  #missings: number[] = []

  constructor(columns: readonly Column[], sources: Sources, budget: Budget) {
    this.columns = columns
    this.sources = sources
    this.#budget = budget
    const counts = (): Counts => new Counts(columns.length)
    this.found = counts()
    this.agreed = counts()
    this.unscaled = counts()
    this.againstNull = counts()
    this.againstMissing = counts()
    this.nullNull = counts()
    this.nullMissing = counts()
  }

  /** How often a source agrees in a form. */
  inForm(form: Form, column: number, source: number): number {
    return this.#forms.get(form)?.of(column, source) ?? 0
  }

  /** How often it agrees in a scale, beside `unscaled`. */
  inScale(scale: number, column: number, source: number): number {
    return this.#scales.get(scale)?.of(column, source) ?? 0
  }

  /** Adds a place; up to 65,535. @throws TooCostly when the budget is used up; then it is not added. */
  add(place: Place): void {
    // Only here, so that each place is counted whole.
    for (let step = this.columns.length + this.sources.paths.length; step >= 0; step--) this.#budget.step()
    let hasWhole = false
    this.#byKey.clear()
    this.#numbers = []
    this.#nulls = []
    this.#missings = []
    for (const [index, column] of this.columns.entries()) {
      if (this.#readColumn(index, column, place)) hasWhole = true
    }
    const at = this.places++
    this.sources.read(place.chain, (source, value) => this.#readSource(source, value, at, hasWhole))
  }

  /** Reads what legacy has at a place; returns whether it is a list or an object. */
  #readColumn(index: number, column: Column, { legacy, candidate, again, isAligned }: Place): boolean {
    const value = stateAt(legacy, column.names)
    if (value === NOWHERE || hasChanged(value, again, column.names, keyOf)) {
      column.keys.push(UNCLEAR)
      if (value === NOWHERE) column.places++
      return false
    }
    const other = valueAt(candidate, column.names)
    if (other !== undefined) column.candidateHas++
    if (value === undefined || value === null) {
      column.keys.push(value === null ? NULL : MISSING)
      if (value === null) {
        column.nulls++
        this.#nulls.push(index)
      } else {
        column.missings++
        this.#missings.push(index)
        if (other === null) column.extraNulls++
        else if (other !== undefined) column.extras++
      }
      return false
    }
    const isWhole = typeof value === 'object' && !isNumber(value)
    const key = keyOf(value)
    column.keys.push(key)
    column.places++
    if (isAligned) column.aligned++
    if (isWhole) {
      column.isWhole = true
      column.isPersonal ||= holdsPersonal(value)
    }
    column.values.set(key, (column.values.get(key) ?? 0) + 1)
    const type = isWhole ? (Array.isArray(value) ? 'array' : 'object') : isNumber(value) ? 'number' : typeof value
    column.types.set(type, (column.types.get(type) ?? 0) + 1)
    const same = this.#byKey.get(key)
    if (same === undefined) this.#byKey.set(key, [index])
    else same.push(index)
    const number = isWhole ? undefined : numberIn(key)
    if (number !== undefined) this.#numbers.push([index, number, key.startsWith('"')])
    return isWhole
  }

  #readSource(source: number, value: JsonValue, at: number, hasWhole: boolean): void {
    const texts = this.texts[source]
    const column = texts ?? []
    if (texts === undefined) this.texts[source] = column
    if (value === null) {
      column[at] = NULL
      for (const index of this.#nulls) this.nullNull.add(index, source)
      for (const index of this.#missings) this.nullMissing.add(index, source)
      return
    }
    for (const index of this.#nulls) this.againstNull.add(index, source)
    for (const index of this.#missings) this.againstMissing.add(index, source)
    if (Array.isArray(value) || isObject(value)) {
      const key = hasWhole ? fingerprintOf(value, NO_LIMIT) : UNCLEAR
      column[at] = key
      for (const index of this.#byKey.get(key) ?? []) {
        this.found.add(index, source)
        this.agreed.add(index, source)
        this.unscaled.add(index, source)
        for (const form of FORMS) this.#form(form).add(index, source)
      }
      return
    }
    const text = writtenText(value)
    column[at] = text
    this.#compare(source, text)
  }

  #compare(source: number, text: string): void {
    const asIs = this.#byKey.get(keyOfText(text))
    const changing = formsOf(text)
    let changed: Form[] | undefined
    for (const form of changing) {
      const key = keyInForm(form, text)
      if (key === undefined) continue
      changed = changed === undefined ? [form] : [...changed, form]
      const columns = this.#byKey.get(key)
      for (const index of columns ?? []) {
        this.found.add(index, source)
        this.#form(form).add(index, source)
      }
    }
    const number = this.#numbers.length === 0 && asIs === undefined ? undefined : numberIn(text)
    if (asIs !== undefined) {
      for (const index of asIs) {
        this.found.add(index, source)
        this.agreed.add(index, source)
        if (number === undefined || number === 0) this.unscaled.add(index, source)
        for (const form of FORMS) if (changed?.includes(form) !== true) this.#form(form).add(index, source)
      }
    }
    if (number !== undefined) this.#compareScales(source, text, number)
  }

  #compareScales(source: number, text: string, number: number): void {
    const isText = text.startsWith('"')
    const key = keyOfText(text)
    for (const [index, legacy, isLegacyText] of this.#numbers) {
      if (isText !== isLegacyText) continue
      const legacyKey = this.columns[index]?.keys.at(-1)
      if (number === 0 && legacy === 0) {
        // The texts "0.00" and "0" differ, the numbers do not.
        if (legacyKey === key) continue
        for (let scale = 1; scale <= MOST_SCALE; scale++) {
          if (keyInScale(scale, text) === legacyKey) this.#addScale(scale, index, source)
        }
      } else if (legacy !== 0) {
        const scale = scaleBetween(legacy, number)
        if (scale !== undefined && keyInScale(scale, text) === legacyKey) this.#addScale(scale, index, source)
      }
    }
  }

  #form(form: Form): Counts {
    return this.#counts(this.#forms, form)
  }

  #addScale(scale: number, index: number, source: number): void {
    this.found.add(index, source)
    this.#counts(this.#scales, scale).add(index, source)
  }

  #counts<Key>(all: Map<Key, Counts>, key: Key): Counts {
    let counts = all.get(key)
    if (counts === undefined) {
      counts = new Counts(this.columns.length)
      all.set(key, counts)
    }
    return counts
  }
}

/** Returns what is equal for equal values only. */
export const keyOf = (value: JsonValue): string =>
  typeof value === 'object' && value !== null && !isNumber(value)
    ? fingerprintOf(value, NO_LIMIT)
    : canonicalText(value)

const NOWHERE = Symbol('nowhere')

/** Returns legacy's value at names. NOWHERE: no line can say what is there, because something around it is null or no object. */
function stateAt(object: JsonValue, names: readonly string[]): JsonValue | undefined | typeof NOWHERE {
  let at: JsonValue | undefined = object
  for (const name of names) {
    if (at === undefined) return undefined
    if (!isObject(at)) return NOWHERE
    at = Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}
