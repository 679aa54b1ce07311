import fc from 'fast-check'
import { timestampConverter } from '../../../src/mapping/converter.ts'
import { type Rule, type Shape, same } from '../../../src/mapping/shape.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { arrayOf, leaf, objectOf, type Style, type Tree } from './json-tree.ts'

export type Side = 'v1' | 'legacy'

/**
 * `any`: everything possible, with unknown members if the shape is open. `reversible`: only what a shape carries over
 * both ways: no leftovers, no milliseconds, no names that the other side uses for something else.
 */
export type Manner = 'any' | 'reversible'

const texts = fc.string({ unit: anyCharacter, maxLength: 8 }).map((text) => JSON.stringify(text))
const numbers = fc.constantFrom(
  ...['0', '-0', '100.00', '1E+2', '-1.50e-3', '12345678901234567890', '0.1000000000000000055511151231257827', '1e400'],
)
const oddTexts = fc.constantFrom('"\\u0041"', '"\\ud83d"', '"\\/\\b"', '"}]\\",\\\\"', '"2025-01-01T10:24:19.000Z"')
const leaves = fc.oneof(fc.constantFrom('null', 'true', 'false', '""'), texts, numbers, oddTexts).map(leaf)
const names = fc.constantFrom('other', 'x-y', 'a.b', '', 'toString', '__proto__', 'ünï"\\', 'id2', 'Id')
const anything: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 5, arbitrary: leaves },
  { weight: 1, arbitrary: fc.array(leaves, { maxLength: 3 }).map(arrayOf) },
  { weight: 1, arbitrary: fc.array(fc.tuple(names, leaves), { maxLength: 3 }).map(objectOf) },
)
const notObject = anything.filter(({ kind }) => kind !== 'object')

const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'))
const seconds = fc
  .tuple(two(39), two(14), two(33), two(25), two(61), two(61))
  .map(([year, month, day, hour, minute, second]) => `20${year}-${month}-${day}T${hour}:${minute}:${second}`)
const fractions = fc.constantFrom('', '.000', '.123', '.1', '.123456789', '.', ',000', '.00a')
const zones = fc.constantFrom('Z', 'Z', 'Z', '+00:00', '+00:00', '+03:00', '-00:00', 'z', '', '+0000', ' Z')
const timelike = fc.tuple(seconds, fractions, zones).map((parts) => leaf(`"${parts.join('')}"`))

const shuffled = (members: readonly fc.Arbitrary<readonly [string, Tree] | undefined>[]): fc.Arbitrary<Tree> =>
  fc
    .tuple(...members.map((member) => fc.tuple(fc.nat(999), member)))
    .map((ranked) =>
      ranked.toSorted(([a], [b]) => a - b).flatMap(([, member]) => (member === undefined ? [] : [member])),
    )
    .map(objectOf)

interface Branch {
  readonly children: Map<string, Branch>
  rule: Rule | 'v1 only' | undefined
}

/** Lines of objects and lists within a shape that lead out of them, to a row or record this many levels out. */
function leadingOut(shape: Shape, isOwn: boolean): readonly { level: number; path: string; rule: Rule }[] {
  return Object.entries(shape.rules).flatMap(([legacy, rule]) => {
    const own: { level: number; path: string; rule: Rule }[] = []
    if (rule.kind === 'field' && rule.anchor !== undefined)
      own.push({ level: rule.anchor, path: rule.v1 ?? legacy, rule })
    if (rule.kind === 'context' && rule.source.from === 'join') {
      for (const part of rule.source.parts) {
        if ('text' in part || (part.anchor === undefined && !isOwn)) continue
        own.push({ level: part.anchor ?? 0, path: part.path, rule: same() })
      }
    }
    if (rule.kind !== 'field' || !('shape' in rule.value)) return own
    const inner = leadingOut(rule.value.shape, false)
    const isList = rule.value.kind === 'list'
    return [...own, ...inner.map((line) => ({ ...line, level: line.level - (isList ? 1 : 0) }))]
  })
}

/** Documents that one side may send. `isRow`: whether the shape is that of a record or row, not of an object within it. */
export function documentsOf(shape: Shape, side: Side, manner: Manner, isRow = true): fc.Arbitrary<Tree> {
  const root: Branch = { children: new Map(), rule: undefined }
  const here = new Set<string>()
  for (const { level, path, rule } of side === 'v1' && isRow ? leadingOut(shape, true) : []) {
    if (level === 0) grow(root, path.split('.'), rule)
  }
  for (const [legacy, rule] of Object.entries(shape.rules)) {
    const isHere = rule.kind === 'field' && rule.anchor === undefined
    const v1 = isHere ? (rule.v1 ?? legacy) : undefined
    const [own, others] = side === 'v1' ? [v1, legacy] : [legacy, v1]
    if (own !== undefined) grow(root, own.split('.'), rule)
    if (others !== undefined) here.add(others.split('.')[0] ?? '')
  }
  if (side === 'v1' && manner === 'any')
    for (const path of Object.keys(shape.v1Only)) grow(root, path.split('.'), 'v1 only')
  return branch(root, shape, side, manner, [...here])
}

function grow(tree: Branch, path: readonly string[], rule: Branch['rule']): void {
  const [name, ...rest] = path
  if (name === undefined) {
    tree.rule = rule
    return
  }
  const child = tree.children.get(name) ?? { children: new Map(), rule: undefined }
  tree.children.set(name, child)
  grow(child, rest, rule)
}

const isPromised = (tree: Branch): boolean =>
  [...tree.children.values()].some(isPromised) ||
  (typeof tree.rule === 'object' && tree.rule.kind === 'field' && tree.rule.promised !== undefined)

/** `taken`: names of the other side, which occur on this side only sometimes; none for inner objects. */
function branch(tree: Branch, shape: Shape, side: Side, manner: Manner, taken: readonly string[]): fc.Arbitrary<Tree> {
  const known = [...tree.children].map(([name, child]) => {
    const value = valuesAt(child, shape, side, manner)
    const member = value.map((tree) => (isEmptied(child, tree, manner) ? undefined : ([name, tree] as const)))
    return isPromised(child) ? member : fc.option(member, { nil: undefined, freq: 4 })
  })
  const isRoom = (name: string): boolean => !tree.children.has(name) && (manner === 'any' || !taken.includes(name))
  const strangers = manner === 'reversible' && shape.closed ? [] : [names, fc.constantFrom('other2', ...taken)]
  const isWithin = taken.length === 0 && manner === 'reversible'
  const unknown = (isWithin ? [] : strangers).map((name) =>
    fc.option(
      fc.tuple(name, anything).map(([name, tree]) => (isRoom(name) ? ([name, tree] as const) : undefined)),
      { nil: undefined, freq: 2 },
    ),
  )
  return shuffled([...known, ...unknown])
}

/** The value of a name with a line, or with names beneath it, or both. */
function valuesAt(child: Branch, shape: Shape, side: Side, manner: Manner): fc.Arbitrary<Tree> {
  if (child.rule === undefined) return within(child, shape, side, manner)
  const values = valuesFor(child.rule, side, manner)
  if (child.children.size === 0) return values
  const both = fc.tuple(values, within(child, shape, side, manner)).map(([tree, beneath]) => {
    if (tree.kind !== 'object' || beneath.kind !== 'object') return beneath
    return objectOf([...beneath.members, ...tree.members])
  })
  return fc.oneof({ weight: 4, arbitrary: both }, values)
}

/** The value of a name with names beneath it. */
function within(tree: Branch, shape: Shape, side: Side, manner: Manner): fc.Arbitrary<Tree> {
  const object = branch(tree, shape, side, manner, [])
  if (manner === 'reversible' || isPromised(tree)) return object
  return fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: notObject })
}

const isEmptied = (child: Branch, tree: Tree, manner: Manner): boolean =>
  manner === 'reversible' && child.rule === undefined && tree.kind === 'object' && tree.members.size === 0

function valuesFor(rule: Rule | 'v1 only', side: Side, manner: Manner): fc.Arbitrary<Tree> {
  if (rule === 'v1 only' || rule.kind !== 'field') return anything
  if (rule.value.kind === 'object') {
    const object = documentsOf(rule.value.shape, side, manner, false)
    if (rule.promised !== undefined) return object
    return fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: notObject })
  }
  if (rule.value.kind === 'list') {
    const item = fc.oneof({ weight: 6, arbitrary: documentsOf(rule.value.shape, side, manner) }, notObject)
    const items = fc.array(item, { maxLength: 4 }).map(arrayOf)
    return rule.promised === undefined ? fc.oneof({ weight: 6, arbitrary: items }, leaves) : items
  }
  if (rule.promised === 'string') return texts.map(leaf)
  if (rule.promised === 'object') return fc.constant(objectOf([]))
  if (rule.promised === 'array') return fc.constant(arrayOf([]))
  if (rule.value.kind === 'as-is') return anything
  if (rule.value.by === timestampConverter) {
    const end = side === 'v1' ? '.000Z' : '+00:00'
    const carried = fc.oneof(
      seconds.map((text) => leaf(`"${text}${end}"`)),
      fc.constantFrom('null', '"soon"', '0').map(leaf),
    )
    return manner === 'reversible' ? carried : fc.oneof(timelike, carried, anything)
  }
  // Values of the other side would be translated back into values of this side.
  const samples = fc.constantFrom(...rule.value.by.samples.map((sample) => sample[side])).map(leaf)
  const others = rule.value.by.legacy?.values === undefined ? ['null', '"soon"'] : ['null', '"soon"', 'true']
  const carried = fc.oneof(samples, fc.constantFrom(...others).map(leaf))
  return manner === 'reversible' ? carried : fc.oneof(samples, anything)
}

/** Ways to write a document. */
export const styles: fc.Arbitrary<Style> = fc.record({
  spaces: fc.array(fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n'), { minLength: 1, maxLength: 7 }),
  escapesKey: fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 5 }),
})
