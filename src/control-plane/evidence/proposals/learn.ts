import { Budget, NO_LIMIT, TooCostly } from '../diff/budget.ts'
import type { Difference, Kind } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import type { Pairs } from '../diff/pair-items.ts'
import { isCut, memberPath, pathOf, segmentsOf } from '../diff/path.ts'
import { SecondLook, UNKNOWN } from '../diff/second-look.ts'
import type { Expectations } from '../expected/expectations.ts'
import { Agreement, columnOf, keyOf } from './agreement.ts'
import { EnumTables } from './enum-tables.ts'
import {
  type Learned,
  type LearnedDifference,
  type LearnedPath,
  type LearnedRequest,
  MOST_PATHS,
  type Watched,
} from './learned.ts'
import { learnedOf, type Past } from './learned-path.ts'
import { isPersonalPath, scalarsOf } from './personal.ts'
import { type Bodies, type Container, containerOf, eachPlace, type Place, valueAt } from './places.ts'
import { readV1Body } from './v1-body.ts'
import { Sources } from './v1-sources.ts'

/** One exchange whose answers were compared. */
export interface LearnedFrom {
  readonly expectations: Pick<Expectations, 'response' | 'v1Path'>
  /** Legacy's body and the gateway's, as they were compared. */
  readonly control: JsonValue
  readonly candidate: JsonValue
  /** v1's own body; for whole lists and pages one body with all rows in the candidate's order. */
  readonly v1: Uint8Array
  /** The items that the comparison paired; see `diff`. */
  readonly pairs: Pairs
  /** The differences of the answers' bodies that count. */
  readonly differences: readonly Pick<Difference, 'kind' | 'path'>[]
  /** Legacy's second answer; undefined: it was not asked again. */
  readonly again?: JsonValue | undefined
  readonly watched?: Watched | undefined
  readonly requests?: readonly LearnedRequest[] | undefined
}

/** Members of objects at these kinds of difference have lines. */
const OF_MEMBERS: ReadonlySet<Kind> = new Set(['missing', 'extra', 'type', 'changed'])

/** How much processor time learning from an exchange may take, and which shares of it have passed when rows and paths are cut off; ms. */
const MOST_MS = 20
const UNTIL_ROWS = 0.45
const UNTIL_PATHS = 0.7

/**
 * Learns from one exchange which lines could explain its differences. If that takes too long, fewer places and paths are looked at, and
 * `limits` says so. Never throws.
 */
export function learn(from: LearnedFrom, milliseconds = MOST_MS): Learned {
  const limits = new Set<string>()
  const budgets = { rows: new Budget(UNTIL_ROWS * milliseconds), paths: new Budget(UNTIL_PATHS * milliseconds) }
  const body = readV1Body(from.v1)
  const differences = from.differences.slice(0, MOST_DIFFERENCES).map((each) => differenceOf(each, from))
  const { requests = [] } = from
  if (body.json === undefined) return { paths: [], differences, requests, limits: ['v1’s body is not JSON'] }
  if (body.isCut) limits.add('of a large answer of v1, only the first rows were looked at')
  const bodies: Bodies = {
    control: from.control,
    candidate: from.candidate,
    v1: body.json,
    pairs: from.pairs,
    again: from.again === undefined ? undefined : new SecondLook(from.again, UNKNOWN, false, NO_LIMIT),
  }
  const paths = new Set(from.watched?.paths ?? [])
  for (const { kind, path } of from.differences) {
    if (!OF_MEMBERS.has(kind) || path === '' || path.endsWith('[]')) continue
    if (isCut(path)) limits.add('a path is too long to be corrected')
    else paths.add(path)
  }
  if (paths.size > MOST_PATHS) limits.add(`only ${MOST_PATHS} differing paths were looked at`)
  const { paths: before = [], noValues = [], noEnums = [] } = from.watched ?? {}
  const withoutNames = new Set(noEnums)
  const hadValues = new Set(before)
  for (const path of noValues) hadValues.delete(path)
  const past: Past = { hadValue: (path) => hadValues.has(path), hasNoNames: (path) => withoutNames.has(path) }
  const learned = new LearnedPaths(budgets.paths, limits)
  // Another one comes first in other exchanges, so that in the end each has its turn.
  const turn = from.v1.length
  for (const { container, legacy } of rotated(byContainer([...paths].slice(0, MOST_PATHS), from), turn)) {
    addContainer(container, legacy, bodies, turn, past, budgets.rows, learned, limits)
  }
  return { paths: learned.all, differences, requests, limits: [...limits] }
}

const MOST_DIFFERENCES = 500

const rotated = <T>(all: readonly T[], by: number): readonly T[] =>
  all.map((_, index) => all[(index + by) % all.length] as T)

/** The most candidates that one exchange reports. */
const MOST_CANDIDATES = 4_000

/** What is reported of paths, within bounds. */
class LearnedPaths {
  readonly all: LearnedPath[] = []
  readonly #budget: Budget
  readonly #limits: Set<string>
  #candidates = 0

  constructor(budget: Budget, limits: Set<string>) {
    this.#budget = budget
    this.#limits = limits
  }

  /** Adds a path, unless a bound is reached. @param steps how much `find` takes. */
  add(steps: number, find: () => LearnedPath): void {
    try {
      for (let step = 0; step < steps; step++) this.#budget.step()
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      this.#limits.add('of an exchange, only the paths that 20 ms allow were looked at')
      return
    }
    if (this.all.length >= MOST_PATHS) return
    const path = find()
    this.#candidates += path.sources.length + path.joins.length + (path.enums?.tables.length ?? 0)
    if (this.#candidates <= MOST_CANDIDATES || path.sources.length === 0) this.all.push(path)
    else this.#limits.add(`of an exchange, only ${MOST_CANDIDATES} candidates were looked at`)
  }
}

function differenceOf(
  { kind, path }: Pick<Difference, 'kind' | 'path'>,
  { expectations, candidate }: LearnedFrom,
): LearnedDifference {
  const v1Path = expectations.v1Path({ part: 'answer', kind, path })
  const leaves = kind === 'extra' ? leavesOf(firstAt(candidate, segmentsOf(path))) : []
  return { kind, path, v1Path, leaves }
}

/** In how many items an object is looked for. */
const MOST_TRIED = 50

/** Returns the first value at a path that is an object. */
function firstAt(value: JsonValue | undefined, [segment, ...rest]: readonly (string | null)[]): JsonValue | undefined {
  if (segment === undefined) return isObject(value) ? value : undefined
  if (segment !== null) return firstAt(valueAt(value, [segment]), rest)
  if (!Array.isArray(value)) return undefined
  for (const item of value.slice(0, MOST_TRIED)) {
    const found = firstAt(item, rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** The most values of an object that have lines of their own. */
const MOST_LEAVES = 30

/** Returns the paths of the values in an object, from the object; empty: it is none. */
function leavesOf(value: JsonValue | undefined, path = '', leaves: string[] = []): readonly string[] {
  if (!isObject(value)) return leaves
  for (const name of Object.keys(value)) {
    const at = memberPath(path, name)
    const inner = value[name]
    if (leaves.length >= MOST_LEAVES) break
    if (isObject(inner) && Object.keys(inner).length > 0) leavesOf(inner, at, leaves)
    else leaves.push(at)
  }
  return leaves
}

interface InContainer {
  readonly container: Container
  readonly legacy: readonly string[]
}

function byContainer(paths: readonly string[], { expectations }: LearnedFrom): readonly InContainer[] {
  const containers = new Map<string, { container: Container; legacy: string[] }>()
  for (const path of paths) {
    const container = containerOf(path, expectations)
    if (container === undefined || container.legacy === path) continue
    const same = containers.get(container.legacy)
    if (same === undefined) containers.set(container.legacy, { container, legacy: [path] })
    else same.legacy.push(path)
  }
  return [...containers.values()]
}

const namesIn = (container: Container, path: string): readonly string[] =>
  segmentsOf(path)
    .slice(segmentsOf(container.legacy).length)
    .filter((name) => name !== null)

function addContainer(
  container: Container,
  legacy: readonly string[],
  bodies: Bodies,
  turn: number,
  past: Past,
  budget: Budget,
  learned: LearnedPaths,
  limits: Set<string>,
): void {
  const all = new Set(legacy)
  for (const [path, object] of firstObjects(container, bodies, legacy)) {
    for (const leaf of leavesOf(object)) all.add(pathOf([...segmentsOf(path), ...segmentsOf(leaf)]))
  }
  const columns = [...all]
    .slice(0, MOST_PATHS)
    .map((path) => columnOf(path, namesIn(container, path), isPersonalPath(path)))
  const agreement = new Agreement(columns, new Sources(container.chain), budget)
  const identities: string[] = []
  try {
    eachPlace(container, bodies, turn, (place) => {
      agreement.add(place)
      identities.push(identityOf(place))
    })
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    limits.add('of an exchange, only the rows that 20 ms allow were looked at')
  }
  if (agreement.sources.isCut) limits.add('an object of v1 has too many members, and some were not looked at')
  const enums = new EnumTables(agreement, identities)
  for (const [index, column] of rotated([...columns.entries()], turn)) {
    if (column.keys.length === 0) continue
    const steps = STEPS_A_SOURCE * agreement.sources.paths.length + agreement.places
    learned.add(steps, () => learnedOf(column, index, container, agreement, past, enums))
  }
}

/** What reporting on a source takes, compared with counting a place. */
const STEPS_A_SOURCE = 10

/** Thrown to end a walk. */
const ENOUGH = new Error('enough places')

/** Returns the first object at each path, where one of the first places has one. */
function firstObjects(container: Container, bodies: Bodies, paths: readonly string[]): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>()
  const left = new Map(paths.map((path) => [path, namesIn(container, path)]))
  let tried = 0
  try {
    eachPlace(container, bodies, 0, ({ legacy }) => {
      for (const [path, names] of left) {
        const value = valueAt(legacy, names)
        if (value === undefined || value === null) continue
        if (isObject(value)) found.set(path, value)
        left.delete(path)
      }
      if (left.size === 0 || ++tried === MOST_TRIED) throw ENOUGH
    })
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return found
}

/** Returns what tells a place from others: the id of the innermost object, or its values, without personal ones. */
function identityOf({ chain }: Place): string {
  const innermost = chain.at(-1)
  if (isObject(innermost) && typeof innermost.id !== 'object' && innermost.id !== undefined) return String(innermost.id)
  return isObject(innermost) ? keyOf(scalarsOf(innermost)) : ''
}
