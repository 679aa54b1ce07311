import type { Direction, RewriteContext } from '../../../src/engine/rewrite/rewrite-plan.ts'
import type { ContextRule, FieldRule, LostRule, Rule, Shape } from '../../../src/mapping/shape.ts'
import { arrayOf, isNull, leaf, objectOf, type Tree } from './json-tree.ts'
import { naiveConverted } from './naive-conversions.ts'

/** The expected rewrite, made the simple way from the tables only: from tree to tree, member by member. */
export function naiveRewrite(shape: Shape, direction: Direction, tree: Tree, context: RewriteContext): Tree {
  return rewriteRow(shape, direction, tree, [], { context, index: 0, count: 0 })
}

interface Place {
  readonly context: RewriteContext
  readonly index: number
  readonly count: number
}

type Path = readonly string[]

/** A record or row that is read, with the paths in it that lines read or leave out. */
interface Read {
  readonly tree: Tree
  readonly taken: readonly Path[]
  readonly leftOut: readonly Path[]
  /** On the way to v1: the paths that lines and objects of the scope read. */
  readonly moved: readonly Path[]
}

/** A line, or an object that has a shape (the root has no rule), with its paths from the record or row. */
interface Entry {
  readonly rule: Rule | undefined
  readonly shape: Shape
  readonly isObject: boolean
  readonly legacy: Path
  readonly level: number
  /** Of a line without a v1 path: that of its object. */
  readonly v1: Path
}

/** Stands for the first item of a list in a path. */
const FIRST = '0 of the list'

function entriesOf(shape: Shape): readonly Entry[] {
  const entries: Entry[] = []
  const collect = (object: Entry): void => {
    entries.push(object)
    for (const [path, rule] of Object.entries(object.shape.rules)) {
      const legacy = [...object.legacy, ...path.split('.')]
      const at = rule.kind === 'field' ? resolved(object, rule.v1 ?? path, rule.anchor) : object
      const entry = { ...object, rule, isObject: false, legacy, level: at.level, v1: at.v1 }
      if (rule.kind === 'field' && rule.value.kind === 'object')
        collect({ ...entry, shape: rule.value.shape, isObject: true })
      else entries.push(entry)
    }
  }
  collect({ rule: undefined, shape, isObject: true, legacy: [], level: 0, v1: [] })
  return entries
}

const resolved = (object: Pick<Entry, 'level' | 'v1'>, path: string, anchor: number | undefined) =>
  anchor === undefined
    ? { level: object.level, v1: [...object.v1, ...path.split('.')] }
    : { level: anchor, v1: path.split('.') }

/** What a scope and its lists read, from this scope (level 0) and those around it. */
function readsOf(shape: Shape): readonly { readonly level: number; readonly v1: Path }[] {
  return entriesOf(shape).flatMap((entry) => {
    const { rule } = entry
    if (rule?.kind === 'context' && rule.source.from === 'join')
      return rule.source.parts.flatMap((part) => ('text' in part ? [] : [resolved(entry, part.path, part.anchor)]))
    if (rule?.kind !== 'field') return []
    const inner = rule.value.kind === 'list' ? readsOf(rule.value.shape) : []
    return [entry, ...inner.map((read) => ({ ...read, level: read.level - 1 })).filter(({ level }) => level >= 0)]
  })
}

/** The members that only v1 has: of a scope's objects, and of those in its lists, from this scope (level 0) and those around it. */
function leftOutOf(shape: Shape): readonly { readonly level: number; readonly v1: Path }[] {
  return entriesOf(shape).flatMap(({ rule, isObject, shape, level, v1 }) => {
    if (isObject) return Object.keys(shape.v1Only).map((path) => ({ level, v1: [...v1, ...path.split('.')] }))
    const inner = rule?.kind === 'field' && rule.value.kind === 'list' ? leftOutOf(rule.value.shape) : []
    return inner.flatMap((one) => (one.level > 0 ? [{ ...one, level: one.level - 1 }] : []))
  })
}

/** The entries of the rows in a scope's lists that lead out of their rows, by way of the first row. */
function outerEntries(shape: Shape): readonly Entry[] {
  return entriesOf(shape).flatMap(({ rule, legacy }) =>
    rule?.kind === 'field' && rule.value.kind === 'list'
      ? [
          ...entriesOf(rule.value.shape).filter((entry) => entry.rule?.kind === 'field'),
          ...outerEntries(rule.value.shape),
        ]
          .filter(({ level }) => level > 0)
          .map((entry) => ({ ...entry, level: entry.level - 1, legacy: [...legacy, FIRST, ...entry.legacy] }))
      : [],
  )
}

function rewriteRow(shape: Shape, direction: Direction, tree: Tree, around: readonly Read[], place: Place): Tree {
  if (tree.kind !== 'object') return tree
  const entries = entriesOf(shape)
  const isToLegacy = direction === 'toLegacy'
  const read: Read = isToLegacy
    ? {
        tree,
        taken: readsOf(shape).flatMap(({ level, v1 }) => (level === 0 ? [v1] : [])),
        leftOut: leftOutOf(shape).flatMap(({ level, v1 }) => (level === 0 ? [v1] : [])),
        moved: [],
      }
    : {
        tree,
        taken: entries.slice(1).map(({ legacy }) => legacy),
        leftOut: [],
        moved: entries.flatMap(({ rule, legacy }) => (rule?.kind === 'field' ? [legacy] : [])),
      }
  const rows = [read, ...around]
  const written = isToLegacy
    ? entries
    : [...entries.filter(({ rule }) => rule === undefined || rule.kind === 'field'), ...outerEntries(shape)].filter(
        ({ level }) => level === 0,
      )
  const items = written.map((entry): Item => {
    const [target, source] = isToLegacy ? [entry.legacy, entry.v1] : [entry.v1, entry.legacy]
    return { ...entry, target, source, level: isToLegacy ? entry.level : 0 }
  })
  return build([], items, direction, rows, place) ?? tree
}

interface Item extends Entry {
  readonly target: Path
  readonly source: Path
}

const samePath = (one: Path, other: Path): boolean => one.length === other.length && isBeneath(one, other)

const isBeneath = (path: Path, above: Path): boolean => above.every((name, index) => path[index] === name)

function build(
  at: Path,
  items: readonly Item[],
  direction: Direction,
  rows: readonly Read[],
  place: Place,
): Tree | undefined {
  const readAt = ({ level, source }: { readonly level: number; readonly source: Path }): Tree | undefined =>
    valueAt(rows[level]?.tree, source)
  const here = items.filter(({ target }) => target.length === at.length)
  const beneath = items.filter(({ target }) => target.length > at.length)
  for (const item of here.filter(({ isObject }) => !isObject)) {
    const { rule } = item
    const value = rule?.kind === 'field' ? shown(rule, readAt(item), direction) : added(item, rows, place)
    if (value !== undefined) return rule?.kind === 'field' ? rewriteValue(rule, direction, value, rows, place) : value
  }
  const members = (): readonly (readonly [string, Tree])[] =>
    [...new Set(beneath.map(({ target }) => target[at.length] ?? ''))].flatMap((name) => {
      const inner = beneath.filter(({ target }) => target[at.length] === name)
      const value = build([...at, name], inner, direction, rows, place)
      return value === undefined ? [] : [[name, value] as const]
    })
  const pairs = here.filter(({ isObject }) => isObject)
  const pair = pairs.find((one) => readAt(one) !== undefined) ?? pairs[0]
  if (pair === undefined) {
    const all = beneath.length === 0 ? [] : members()
    return all.length === 0 ? undefined : objectOf(all)
  }
  const object = readAt(pair)
  const isInside = ({ level, source }: { readonly level: number; readonly source: Path }): boolean =>
    pairs.some((one) => one.level === level && isBeneath(source, one.source))
  if (object?.kind === 'object') {
    const names = new Set(beneath.map(({ target }) => target[at.length]))
    const { taken = [], leftOut = [] } = rows[pair.level] ?? {}
    const within = (paths: readonly Path[]): readonly Path[] =>
      paths
        .filter((path) => path.length > pair.source.length && isBeneath(path, pair.source))
        .map((path) => path.slice(pair.source.length))
    const left = pair.shape.closed
      ? []
      : [...leftOf(object, within(taken), within(leftOut))].filter(([name]) => !names.has(name))
    const all = [...members(), ...left]
    // In v1, an object is not sent if all that it had went elsewhere.
    const isMovedAway = (rows[0]?.moved ?? []).some(
      (source) =>
        isInside({ level: 0, source }) &&
        !items.some((item) => samePath(item.source, source)) &&
        readAt({ level: 0, source }) !== undefined,
    )
    return at.length > 0 && all.length === 0 && isMovedAway ? undefined : objectOf(all)
  }
  const outside = beneath.some((item) =>
    sourcesOf(item).some((sources) => {
      const values = sources.map(readAt)
      return (
        sources.some((source) => !isInside(source)) &&
        values.every((value) => value !== undefined && (object === undefined || !isNull(value)))
      )
    }),
  )
  if (outside) return objectOf(members())
  return pair.rule?.kind === 'field' ? shown(pair.rule, object, direction) : undefined
}

/** The paths of each value that an item takes. */
function sourcesOf(item: Item): readonly (readonly { readonly level: number; readonly source: Path }[])[] {
  const { rule } = item
  if (rule?.kind === 'field') return [[item]]
  if (rule?.kind !== 'context' || rule.source.from !== 'join') return []
  return [joinedPaths(item, rule)]
}

const joinedPaths = (object: Pick<Entry, 'level' | 'v1'>, { source }: ContextRule) =>
  source.from !== 'join'
    ? []
    : source.parts.flatMap((part) => {
        if ('text' in part) return []
        const { level, v1 } = resolved(object, part.path, part.anchor)
        return [{ level, source: v1 }]
      })

/** The value of a line, with what legacy shows in place of null and nothing. */
function shown({ absent }: FieldRule, value: Tree | undefined, direction: Direction): Tree | undefined {
  if (direction === 'toV1') return value
  if (absent === 'missing' && value !== undefined && isNull(value)) return undefined
  return value ?? (absent === 'null' ? leaf('null') : undefined)
}

function rewriteValue(rule: FieldRule, direction: Direction, value: Tree, rows: readonly Read[], place: Place): Tree {
  if (rule.value.kind === 'converted') return naiveConverted(rule.value.by, direction, value)
  if (rule.value.kind !== 'list' || value.kind !== 'array') return value
  const { shape } = rule.value
  const count = value.items.length
  return arrayOf(value.items.map((item, index) => rewriteRow(shape, direction, item, rows, { ...place, index, count })))
}

/** The value at a path; null when an object on the path is null, undefined when it is missing. */
function valueAt(tree: Tree | undefined, [name, ...rest]: Path): Tree | undefined {
  if (name === undefined || tree === undefined) return tree
  if (name === FIRST) return tree.kind === 'array' ? valueAt(tree.items[0], rest) : undefined
  if (isNull(tree)) return rest.includes(FIRST) ? undefined : tree
  return tree.kind === 'object' ? valueAt(tree.members.get(name), rest) : undefined
}

/**
 * The members of an object that no path leads to. An object that lines took apart is omitted when it is empty; one that lost only
 * v1's own members stays, even if empty.
 */
function leftOf(
  tree: Tree & { readonly kind: 'object' },
  taken: readonly Path[],
  leftOut: readonly Path[],
): ReadonlyMap<string, Tree> {
  const left = new Map<string, Tree>()
  for (const [name, value] of tree.members) {
    const beneath = (paths: readonly Path[]): readonly Path[] =>
      paths.filter(([first, ...rest]) => first === name && rest.length > 0).map(([, ...rest]) => rest)
    const isTakenApart = beneath(taken).length > 0
    if ([...taken, ...leftOut].some((path) => path.length === 1 && path[0] === name)) continue
    if (value.kind === 'object') {
      const rest = leftOf(value, beneath(taken), beneath(leftOut))
      if (rest.size > 0 || !isTakenApart) left.set(name, objectOf(rest))
    } else if (!isTakenApart || !isNull(value)) left.set(name, value)
  }
  return left
}

/** The value of a line that has no v1 path. */
function added(entry: Entry, rows: readonly Read[], { context, index, count }: Place): Tree {
  const rule = entry.rule as LostRule | ContextRule
  if (rule.kind === 'lost') return leaf('null')
  const { source } = rule
  const at = (path: string, anchor?: number): Tree | undefined => {
    const { level, v1 } = resolved(entry, path, anchor)
    return valueAt(rows[level]?.tree, v1)
  }
  if (source.from === 'constant') return leaf(source.json)
  if (source.from === 'join') {
    const texts = source.parts.map((part) =>
      'text' in part ? JSON.stringify(part.text).slice(1, -1) : textOf(at(part.path, part.anchor)),
    )
    return leaf(texts.includes(undefined) ? 'null' : `"${texts.join('')}"`)
  }
  let found: Uint8Array | undefined
  if (source.from === 'request-row') found = context.requestRow?.(source.list, source.take, index, count)
  else {
    const sibling = at(source.sibling)
    const isText = sibling?.kind === 'leaf' && sibling.text.startsWith('"')
    if (isText) found = context.reference?.(source.list, source.match, JSON.parse(sibling.text) as string, source.take)
  }
  const value = leaf(found === undefined ? 'null' : Buffer.from(found).toString())
  return rule.value.kind === 'converted' ? naiveConverted(rule.value.by, 'toLegacy', value) : value
}

/** A text as it stands between its quotes, a number as it is written, or a boolean; undefined for anything else. */
function textOf(value: Tree | undefined): string | undefined {
  if (value?.kind !== 'leaf' || isNull(value)) return undefined
  return value.text.startsWith('"') ? value.text.slice(1, -1) : value.text
}
