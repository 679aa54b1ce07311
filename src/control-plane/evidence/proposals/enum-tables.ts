import { type Agreement, type Column, MISSING, NULL, UNCLEAR } from './agreement.ts'
import { hashOf, smallest } from './hash-value.ts'
import { type LearnedEnums, MOST_NAMES } from './learned.ts'

/** Longer texts are no names. */
const MOST_CHARACTERS = 42

const NUMERAL = /^"[-+]?[\d.,]+"$/
const DATE = /^"\d{4}-\d\d-\d\d/
const CODE = /^-?\d{1,4}$/

/** Whether a value, as JSON text, can be a name: a short text that is no number and no date, a boolean or a small whole number. */
function isName(text: string): boolean {
  if (text.startsWith('"')) return text.length <= MOST_CHARACTERS && !NUMERAL.test(text) && !DATE.test(text)
  return text === 'true' || text === 'false' || CODE.test(text)
}

const isNumeric = (text: string): boolean => CODE.test(text)

/** Whether the values of a column can be names, because they are few and short. */
export const hasNames = ({ isPersonal, values }: Column): boolean =>
  !isPersonal && values.size > 0 && values.size <= MOST_NAMES && [...values.keys()].every(isName)

/** The most tables per column, and the most items that show whether names are shared. */
const MOST_TABLES = 256
const MOST_ITEMS = 128

/** A source whose values can be names: each value with its number, and the number of each place; undefined: they cannot. */
interface NameColumn {
  readonly names: readonly string[]
  readonly at: readonly number[]
}

const NONE = -1

/** Finds, for columns of names, the sources whose values stand one for one for legacy's. */
export class EnumTables {
  readonly #agreement: Agreement
  readonly #sources = new Map<number, NameColumn | undefined>()
  /** A hash of what each place is about. */
  readonly #identities: readonly string[]

  constructor(agreement: Agreement, identities: readonly string[]) {
    this.#agreement = agreement
    this.#identities = identities
  }

  /** Returns the tables of a column that has names. */
  of(column: Column): LearnedEnums {
    const { names, at } = numbered(column.keys, this.#agreement.places)
    const tables: { v1: string; names: readonly string[] }[] = []
    const isNumbers = names.every(isNumeric)
    for (const [source, path] of this.#agreement.sources.paths.entries()) {
      if (tables.length >= MOST_TABLES || this.#agreement.sources.isPersonal[source] === true) continue
      const other = this.#source(source)
      if (other === undefined || other.names.length !== names.length) continue
      // Two numbers are never names of each other: each price that is 3 % off would be one.
      if (isNumbers && other.names.every(isNumeric)) continue
      const table = tableOf(at, other.at, names.length)
      if (table !== undefined) tables.push({ v1: path, names: table.map((name) => other.names[name] as string) })
    }
    const items = at.flatMap((name, place) => (name === NONE ? [] : [hashOf(`${name} ${this.#identities[place]}`)]))
    return { names, tables, items: smallest(items, MOST_ITEMS) }
  }

  #source(source: number): NameColumn | undefined {
    if (this.#sources.has(source)) return this.#sources.get(source)
    const texts = this.#agreement.texts[source] ?? []
    const column = numbered(texts, this.#agreement.places)
    const found = column.names.length <= MOST_NAMES && column.names.every(isName) ? column : undefined
    this.#sources.set(source, found)
    return found
  }
}

/** Numbers the values of a column in the order in which they come, one more than can be names at most. */
function numbered(texts: readonly (string | undefined)[], places: number): NameColumn {
  const numbers = new Map<string, number>()
  const at: number[] = []
  for (let place = 0; place < places; place++) {
    const text = texts[place]
    if (text === undefined || text === NULL || text === MISSING || text === UNCLEAR) at.push(NONE)
    else {
      let number = numbers.get(text)
      if (number === undefined) {
        if (numbers.size > MOST_NAMES) break
        number = numbers.size
        numbers.set(text, number)
      }
      at.push(number)
    }
  }
  return { names: [...numbers.keys()], at }
}

/** Returns the number of v1's name for each of legacy's; undefined: they do not stand one for one. */
function tableOf(legacy: readonly number[], v1: readonly number[], size: number): readonly number[] | undefined {
  const table = new Array<number>(size).fill(NONE)
  const back = new Array<number>(size).fill(NONE)
  for (let place = 0; place < legacy.length; place++) {
    const [name, other] = [legacy[place] as number, v1[place] as number]
    if (name === NONE) {
      // Where legacy has nothing, v1 must not have a name.
      if (other !== NONE) return undefined
      continue
    }
    if (other === NONE || (table[name] !== NONE && table[name] !== other)) return undefined
    if (back[other] !== NONE && back[other] !== name) return undefined
    table[name] = other
    back[other] = name
  }
  return table
}
