import type { Form } from '../../../mapping/corrections/corrections.ts'
import { type Budget, TooCostly } from '../diff/budget.ts'
import type { Difference, Kind } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import type { Pairs } from '../diff/pair-items.ts'
import { isCut, memberPath, pathOf, segmentsOf } from '../diff/path.ts'
import { SecondLook, UNKNOWN } from '../diff/second-look.ts'
import type { Expectations } from '../expected/expectations.ts'
import { Agreement, type Column, columnOf, keyOf, MISSING, NULL, UNCLEAR } from './agreement.ts'
import { EnumTables, hasNames } from './enum-tables.ts'
import { FORMS, keyInForm, keyOfText, MOST_SCALE } from './forms.ts'
import { hashOf } from './hash-value.ts'
import { joinsOf } from './join-texts.ts'
import {
  type Exception,
  type Learned,
  type LearnedDifference,
  type LearnedPath,
  type LearnedRequest,
  type LearnedSource,
  MOST_PATHS,
  type Watched,
} from './learned.ts'
import { isPersonalPath } from './personal.ts'
import { type Bodies, type Container, containerOf, eachPlace, type Place, valueAt } from './places.ts'
import { Sources } from './sources.ts'
import { readV1Body } from './v1-body.ts'

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

/**
 * Learns from one exchange which lines could explain its differences. If the budget is used up, fewer places are looked at, and
 * `limits` says so. Never throws.
 */
export function learn(from: LearnedFrom, budget: Budget): Learned {
  const limits = new Set<string>()
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
    again: from.again === undefined ? undefined : new SecondLook(from.again, UNKNOWN, false, budget),
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
  const learned: LearnedPath[] = []
  for (const { container, legacy } of byContainer([...paths].slice(0, MOST_PATHS), from)) {
    learned.push(...inContainer(container, legacy, bodies, from.v1.length, past, budget, limits))
  }
  return { paths: learned.slice(0, MOST_PATHS), differences, requests, limits: [...limits] }
}

const MOST_DIFFERENCES = 500

function differenceOf(
  { kind, path }: Pick<Difference, 'kind' | 'path'>,
  { expectations, candidate }: LearnedFrom,
): LearnedDifference {
  const v1Path = expectations.v1Path({ part: 'answer', kind, path })
  const leaves = kind === 'extra' ? leavesOf(firstAt(candidate, segmentsOf(path))) : []
  return { kind, path, v1Path, leaves }
}

/** Returns the first value at a path that is an object. */
function firstAt(value: JsonValue | undefined, [segment, ...rest]: readonly (string | null)[]): JsonValue | undefined {
  if (segment === undefined) return isObject(value) ? value : undefined
  if (segment !== null) return firstAt(valueAt(value, [segment]), rest)
  if (!Array.isArray(value)) return undefined
  for (const item of value) {
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

/** What earlier exchanges say about legacy paths. */
interface Past {
  hadValue(path: string): boolean
  hasNoNames(path: string): boolean
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

function inContainer(
  container: Container,
  legacy: readonly string[],
  bodies: Bodies,
  start: number,
  past: Past,
  budget: Budget,
  limits: Set<string>,
): readonly LearnedPath[] {
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
    eachPlace(container, bodies, start, (place) => {
      agreement.add(place)
      identities.push(identityOf(place))
    })
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    limits.add('of an exchange, only the rows that 20 ms allow were looked at')
  }
  if (agreement.sources.isCut) limits.add('an object of v1 has too many members, and some were not looked at')
  const enums = new EnumTables(agreement, identities)
  return columns.flatMap((column, index) =>
    column.keys.length === 0 ? [] : [learnedOf(column, index, container, agreement, past, enums)],
  )
}

/** Thrown to end a walk. */
const ENOUGH = new Error('enough places')
/** In how many places an object is looked for. */
const MOST_TRIED = 50

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

/** Returns what tells a place from others: the id of the innermost object, or all that is in it. */
function identityOf({ chain }: Place): string {
  const innermost = chain.at(-1)
  if (isObject(innermost) && typeof innermost.id !== 'object' && innermost.id !== undefined) return String(innermost.id)
  return innermost === undefined ? '' : keyOf(innermost)
}

/** The most hashes of values of one path. */
const MOST_VALUES = 96
/** Longer constants are not kept; characters. */
const MOST_CONSTANT = 64

function learnedOf(
  column: Column,
  index: number,
  container: Container,
  agreement: Agreement,
  past: Past,
  enums: EnumTables,
): LearnedPath {
  const sources = column.places > 0 || past.hadValue(column.legacy) ? sourcesOf(index, agreement) : []
  const personalSources = sources.filter((_, at) => agreement.sources.isPersonal[sources[at]?.id as number] === true)
  const isPersonal =
    column.isPersonal || personalSources.some(({ agreed }) => column.places > 0 && 2 * agreed >= column.places)
  const { keys: _keys, names: _names, values, types, ...counts } = column
  const [onlyValue] = values.keys()
  const isShort = values.size === 1 && onlyValue !== undefined && onlyValue.length <= MOST_CONSTANT
  const joins = joinsOf(column, agreement)
  const hidden =
    isPersonal || joins.some(({ parts }) => parts.some((part) => typeof part === 'string' && isPersonalPath(part)))
  return {
    ...{ ...counts, container: container.legacy, types: Object.fromEntries(types), isPersonal: hidden },
    distinct: values.size,
    values: hidden
      ? []
      : [...values]
          .map(([key, times]) => [hashOf(key), times] as const)
          .sort(([one], [other]) => one - other)
          .slice(0, MOST_VALUES),
    sources: sources.map(({ id: _, ...source }) => source),
    joins,
    enums: !hidden && !past.hasNoNames(column.legacy) && hasNames(column) ? enums.of(column) : undefined,
    constant: !hidden && !column.isWhole && isShort ? onlyValue : undefined,
    isElsewhere: isElsewhere(column, sources, agreement),
    exceptions: hidden ? [] : exceptionsOf(column, sources, agreement),
  }
}

interface NumberedSource extends LearnedSource {
  readonly id: number
}

function sourcesOf(column: number, agreement: Agreement): readonly NumberedSource[] {
  const { places = 0 } = agreement.columns[column] ?? {}
  const { againstNull, againstMissing, nullNull, nullMissing } = agreement
  return agreement.sources.paths.flatMap((v1, id): readonly NumberedSource[] => {
    if (places > 0 && agreement.found.of(column, id) === 0) return []
    const agreed = agreement.agreed.of(column, id)
    const forms: Partial<Record<Form, number>> = {}
    let [neverIn, most] = [0, agreed]
    for (const [bit, form] of FORMS.entries()) {
      const times = agreement.inForm(form, column, id)
      most = Math.max(most, times)
      if (times === 0 && agreed > 0) neverIn |= 1 << bit
      else if (times !== agreed) forms[form] = times
    }
    const scales: Record<number, number> = {}
    const unscaled = agreement.unscaled.of(column, id)
    for (let scale = 1; scale <= MOST_SCALE; scale++) {
      const times = agreement.inScale(scale, column, id)
      most = Math.max(most, times + unscaled)
      if (times > 0) scales[scale] = times
    }
    const withoutValue = {
      ...{ againstNull: againstNull.of(column, id), againstMissing: againstMissing.of(column, id) },
      ...{ nullNull: nullNull.of(column, id), nullMissing: nullMissing.of(column, id) },
    }
    const isFound =
      places > 0 ? most > 0 && 10 * most >= places : Object.values(withoutValue).some((times) => times > 0)
    return isFound ? [{ id, v1, agreed, forms, neverIn, unscaled, scales, ...withoutValue }] : []
  })
}

/** Whether a source has the same values as a column, each as often, but not in the same items. Then rows are paired wrongly, or shuffled. */
function isElsewhere(column: Column, sources: readonly LearnedSource[], { texts, places }: Agreement): boolean {
  if (column.values.size < 2 || column.isWhole || sources.some(({ agreed }) => agreed === column.places)) return false
  const keys = column.keys.filter(isValue).sort().join('\n')
  return texts.some((source) => {
    const others = source.slice(0, places).filter((text) => text !== undefined && isValue(text))
    if (others.length !== column.places) return false
    const inForm = (form: Form | undefined): string =>
      others
        .map((text) => (form === undefined ? undefined : keyInForm(form, text)) ?? keyOfText(text))
        .sort()
        .join('\n')
    return inForm(undefined) === keys || inForm('string') === keys || inForm('number') === keys
  })
}

const isValue = (key: string): boolean => key !== NULL && key !== MISSING && key !== UNCLEAR

/** Returns the two commonest places where the best source has another value, if it agrees in most. */
function exceptionsOf(
  column: Column,
  sources: readonly NumberedSource[],
  { texts, places }: Agreement,
): readonly Exception[] {
  const best = sources.reduce<NumberedSource | undefined>(
    (before, source) => (before === undefined || source.agreed > before.agreed ? source : before),
    undefined,
  )
  if (best === undefined || best.agreed === column.places || 2 * best.agreed < column.places) return []
  const found = new Map<string, { legacy: string; v1: string; times: number }>()
  for (let place = 0; place < places; place++) {
    const legacy = column.keys[place] ?? MISSING
    const v1 = texts[best.id]?.[place] ?? MISSING
    if (!isValue(legacy) || keyOfText(v1) === legacy) continue
    const same = found.get(`${legacy}\n${v1}`)
    if (same !== undefined) same.times++
    else if (found.size < MOST_VALUES) found.set(`${legacy}\n${v1}`, { legacy, v1, times: 1 })
  }
  return [...found.values()]
    .sort((one, other) => other.times - one.times)
    .slice(0, 2)
    .map(({ legacy, v1, times }) => ({ legacy: hashOf(legacy), v1: hashOf(v1), times }))
}
