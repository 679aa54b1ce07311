import { covers, moved } from '../diff/path.ts'
import { Smallest } from '../tally/bounds.ts'
import { smallest } from './hash-value.ts'
import { type Around, type Exception, type LearnedPath, MOST_NAMES, type Part } from './learned.ts'
import { SourceSum } from './source-sum.ts'

/** Who showed something, by hashes; undefined: unknown. `line` is that of a recording. */
export interface ShownIn {
  readonly input: number | undefined
  readonly client: number | undefined
}

/** Beyond these, numbers are estimated or the least are left out. */
const MOST = { values: 128, inputs: 96, clients: 16, sources: 64, items: 128 } as const

/** An enum of one v1 path: v1's names by legacy's, as JSON texts. */
export type EnumTable = Map<string, string>

/** What all exchanges so far say about a legacy path. Holds hashes and counts; values only as names of an enum, or the only value. */
export class PathEvidence {
  readonly legacy: string
  readonly container: string
  readonly #around: readonly Around[]
  /** The exchanges in which legacy has a value, and those in which only the candidate has one. */
  exchanges = 0
  extraExchanges = 0
  places = 0
  /** Places since the first exchange in which legacy has a value. */
  nulls = 0
  missings = 0
  /** Places before it where legacy has null. */
  earlierNulls = 0
  aligned = 0
  candidateHas = 0
  extras = 0
  extraNulls = 0
  isWhole = false
  isPersonal = false
  readonly types = new Map<string, number>()
  /** In how many exchanges a v1 path has the same values in other items, and the latest such path. */
  elsewhere = 0
  elsewhereAt = ''
  /** Sources that are still looked at, by v1 path. */
  readonly sources = new Map<string, SourceSum>()
  /** Whether a source that agreed in all places was left out, because too many did. */
  isCut = false
  /** Joins that agree in all places, by their parts; undefined: no exchange had a value yet. */
  joins: Map<string, readonly Part[]> | undefined
  /** Enums that hold, by v1 path; undefined: no exchange had a value yet. */
  enums: Map<string, EnumTable> | undefined
  /** The only value; null: there are several. */
  constant: string | null | undefined
  exceptions: readonly Exception[] = []
  #values = new Smallest<number, number>(MOST.values)
  #mostDistinct = 0
  #inputs: readonly number[] = []
  #items: readonly number[] = []
  readonly #clients = new Map<number, number>()

  constructor({ legacy, container, around }: Pick<LearnedPath, 'legacy' | 'container' | 'around'>) {
    this.legacy = legacy
    this.container = container
    this.#around = around
  }

  add(path: LearnedPath, { input, client }: ShownIn): void {
    if (path.places > 0) this.exchanges++
    if (path.extras > 0) this.extraExchanges++
    if (this.places + path.places > 0) {
      this.#addSources(path)
      this.places += path.places
      this.nulls += path.nulls
      this.missings += path.missings
    } else this.earlierNulls += path.nulls
    this.aligned += path.aligned
    this.candidateHas += path.candidateHas
    this.extras += path.extras
    this.extraNulls += path.extraNulls
    this.isWhole ||= path.isWhole
    if (path.elsewhere !== undefined) {
      this.elsewhere++
      this.elsewhereAt = path.elsewhere
    }
    for (const [type, times] of Object.entries(path.types)) this.types.set(type, (this.types.get(type) ?? 0) + times)
    if (input !== undefined) this.#inputs = smallest([...this.#inputs, input], MOST.inputs)
    if (client !== undefined && (this.#clients.has(client) || this.#clients.size < MOST.clients)) {
      const shown = path.places + path.extras
      this.#clients.set(client, (this.#clients.get(client) ?? 0) + shown)
    }
    if (path.isPersonal) this.#forgetValues()
    this.#mostDistinct = Math.max(this.#mostDistinct, path.distinct)
    if (path.places === 0) return
    this.#addJoins(path)
    this.#addEnums(path)
    this.#addValues(path)
  }

  /** The number of different values; more than 128 are estimated, and of personal ones it is the most in one exchange. */
  get distinct(): number {
    if (this.isPersonal) return this.#mostDistinct
    return Math.max(this.#mostDistinct, estimate(this.#values.keys(), MOST.values, VALUE_HASHES))
  }

  /** How often the rarest value occurs. */
  get rarest(): number {
    return this.#values.size === 0 ? 0 : Math.min(...this.#values.values())
  }

  get inputs(): number {
    return estimate(this.#inputs, MOST.inputs, INPUT_HASHES)
  }

  /** The number of clients, and how many places all but the one with most of them have. */
  get clients(): { readonly count: number; readonly placesOfOthers: number } {
    const places = [...this.#clients.values()]
    const all = places.reduce((sum, each) => sum + each, 0)
    return { count: places.length, placesOfOthers: all - Math.max(0, ...places) }
  }

  /** Returns the legacy path that a v1 path has under its own name. */
  ownPath(v1: string): string {
    const around = this.#around.findLast((each) => covers(each.v1, v1))
    return around === undefined ? v1 : moved(v1, around.v1, around.legacy)
  }

  /** Whether both sides have the member, at least at times. */
  get isOnBothSides(): boolean {
    return this.candidateHas > 0 && this.places + this.nulls + this.earlierNulls > 0
  }

  /** The number of different items with a value, at least. */
  get items(): number {
    return this.#items.length
  }

  /** The memory that it takes, in bytes, roughly. */
  get bytes(): number {
    let names = 0
    for (const table of this.enums?.values() ?? [])
      for (const [legacy, v1] of table) names += 64 + 2 * (legacy.length + v1.length)
    let sources = 0
    for (const v1 of this.sources.keys()) sources += 500 + 2 * v1.length
    const joins = (this.joins?.size ?? 0) * 300
    return (
      2_000 +
      2 * this.legacy.length +
      names +
      sources +
      joins +
      this.#values.size * 40 +
      (this.#inputs.length + this.#items.length) * 8
    )
  }

  #addSources(path: LearnedPath): void {
    for (const source of path.sources) {
      let sum = this.sources.get(source.v1)
      if (sum === undefined) {
        sum = new SourceSum(source.v1)
        this.sources.set(source.v1, sum)
      }
      sum.add(source)
    }
    if (this.sources.size <= MOST.sources) return
    const places = this.places + path.places
    const ranked = [...this.sources.values()].map((sum) => ({ sum, most: sum.most() })).sort((a, b) => b.most - a.most)
    for (const { sum, most } of ranked.slice(MOST.sources)) {
      if (places > 0 && most === places) this.isCut = true
      this.sources.delete(sum.v1)
    }
  }

  #addJoins({ joins }: LearnedPath): void {
    const learned = new Map(joins.map(({ parts }) => [JSON.stringify(parts), parts]))
    if (this.joins === undefined) this.joins = learned
    else for (const key of this.joins.keys()) if (!learned.has(key)) this.joins.delete(key)
  }

  #addEnums({ enums }: LearnedPath): void {
    if (enums === undefined) {
      this.enums = new Map()
      return
    }
    const tables = enums.tables.map(
      ({ v1, names }) => [v1, new Map(names.map((name, at) => [enums.names[at] as string, name]))] as const,
    )
    this.#items = smallest([...this.#items, ...enums.items], MOST.items)
    if (this.enums === undefined) {
      this.enums = new Map(tables)
      return
    }
    const learned = new Map(tables)
    for (const [v1, table] of this.enums) {
      const more = learned.get(v1)
      if (more === undefined || !merge(table, more)) this.enums.delete(v1)
    }
  }

  #addValues(path: LearnedPath): void {
    for (const [hash, times] of path.values) this.#values.add(hash, times, (one, other) => one + other)
    if (this.constant === undefined) this.constant = path.constant ?? null
    else if (this.constant !== path.constant) this.constant = null
    if (path.exceptions.length > 0) {
      const sums = new Map(this.exceptions.map((each) => [`${each.legacy} ${each.v1}`, each]))
      for (const each of path.exceptions) {
        const key = `${each.legacy} ${each.v1}`
        sums.set(key, { ...each, times: each.times + (sums.get(key)?.times ?? 0) })
      }
      this.exceptions = [...sums.values()].sort((one, other) => other.times - one.times).slice(0, 8)
    }
  }

  #forgetValues(): void {
    this.isPersonal = true
    this.#values = new Smallest(MOST.values)
    this.#items = []
    this.exceptions = []
    this.constant = null
    this.enums = new Map()
  }
}

/** Adds names to a table; returns whether each still stands for one, and there are not too many. */
function merge(table: EnumTable, more: EnumTable): boolean {
  for (const [legacy, v1] of more) {
    const before = table.get(legacy)
    if (before === v1) continue
    if (before !== undefined || [...table.values()].includes(v1)) return false
    table.set(legacy, v1)
  }
  return table.size <= MOST_NAMES
}

/** Hashes are whole numbers below these. */
const VALUE_HASHES = 2 ** 48
const INPUT_HASHES = 2 ** 32

/** Returns how many different hashes there were, of which the smallest are kept. */
function estimate(hashes: readonly number[], most: number, limit: number): number {
  return hashes.length < most ? hashes.length : Math.round((most - 1) / ((hashes.at(-1) as number) / limit))
}
