import { timestampConverter } from '../../mapping/converter.ts'
import { isFilled, type Rule, type Shape, type Value } from '../../mapping/shape.ts'
import type { SourceNode } from '../rewrite/composed-plan.ts'
import { keyOf, readyKey } from '../rewrite/key.ts'
import type { Action, Direction, LatePlan, MemberPlan, ObjectPlan, ValuePlan } from '../rewrite/rewrite-plan.ts'
import { pieceOf } from '../rewrite/run-writer.ts'
import { timestampInPlace } from '../rewrite/timestamp-in-place.ts'
import { compileComposed } from './compile-composed.ts'
import { needsComposing, scopeOf } from './scope.ts'
import {
  type Line,
  leavesOf,
  linesOf,
  type PathNode,
  type PathTree,
  pathTree,
  plant,
  segmentsOf,
} from './shape-lines.ts'

/** A line on its way into a plan. A source member without a rule (`v1Only`, or a name reserved for the target) is dropped. */
interface Leaf {
  readonly rule: Rule | undefined
  readonly target: readonly string[] | undefined
  /** The slot for the value's position, if something is written from it at the end of the object. */
  slot: number
  /** Whether the value itself is written at the end of the object. */
  gathered: boolean
}

const NO_SLOT = -1

const leafOf = (rule: Rule | undefined, target: readonly string[] | undefined): Leaf => ({
  rule,
  target,
  slot: NO_SLOT,
  gathered: false,
})

/** Compiles a shape for one direction. The shape must have passed `checkShape`. */
export function compile(shape: Shape, direction: Direction): ObjectPlan {
  const lines = linesOf(shape, direction)
  const sources = pathTree<Leaf>()
  const targets = pathTree<{ readonly line: Line; readonly leaf: Leaf }>()
  for (const line of lines) {
    const leaf = leafOf(line.rule, line.target)
    if (line.source !== undefined) plant(sources, line.source, leaf)
    if (line.target !== undefined) plant(targets, line.target, { line, leaf })
  }
  const dropped = direction === 'toLegacy' ? Object.keys(shape.v1Only).map(segmentsOf) : []
  // An unlisted source member must not pass under a name that the table writes.
  const reserved = shape.closed ? [] : [...targets.children.keys()].filter((name) => !sources.children.has(name))
  for (const path of [...dropped, ...reserved.map((name) => [name])]) {
    plant(sources, path, leafOf(undefined, undefined))
  }

  let slots = 0
  const remember = (leaf: Leaf): number => {
    if (leaf.slot === NO_SLOT) leaf.slot = slots++
    return leaf.slot
  }
  const siblingSlot = (name: string): number => {
    if (!sources.children.has(name)) plant(sources, [name], leafOf(undefined, shape.closed ? undefined : [name]))
    const node = sources.children.get(name)
    return node !== undefined && 'leaf' in node ? remember(node.leaf) : NO_SLOT
  }
  const late = [...targets.children].flatMap(([name, node]) =>
    isLate(node) ? [latePlan(name, node, direction, remember, siblingSlot)] : [],
  )
  return objectPlan(shape, direction, sources, { late, slots, taken: targets.children, lifted: false })
}

interface LateNode {
  readonly line: Line
  readonly leaf: Leaf
}

/** Whether a target member is written at the end: no source member gives it, or several do. */
function isLate(node: PathNode<LateNode>): boolean {
  const leaves = leavesOf(node)
  return leaves.length > 1 || leaves.some(({ line }) => line.source === undefined)
}

function latePlan(
  name: string,
  node: PathNode<LateNode>,
  direction: Direction,
  remember: (leaf: Leaf) => number,
  siblingSlot: (name: string) => number,
): LatePlan {
  const key = pieceOf(keyOf(name))
  if (!('leaf' in node)) {
    const members = [...node.children].map(([inner, child]) => latePlan(inner, child, direction, remember, siblingSlot))
    return { key, kind: 'gathered', members }
  }
  const { line, leaf } = node.leaf
  const { rule } = line
  if (rule.kind === 'field') {
    leaf.gathered = true
    return { key, kind: 'remembered', slot: remember(leaf), value: valuePlan(rule.value, direction) }
  }
  const source = rule.kind === 'context' && isFilled(rule.source) ? rule.source : undefined
  const conversion = rule.kind === 'context' && rule.value.kind === 'converted' ? rule.value.by[direction] : undefined
  const slot = source?.from === 'reference' ? siblingSlot(source.sibling) : NO_SLOT
  return { key, kind: 'added', rule, source, conversion, slot }
}

interface Surroundings {
  readonly late: readonly LatePlan[]
  readonly slots: number
  /** The names of the target, at the level that members are written to. */
  readonly taken: ReadonlyMap<string, unknown>
  /** Whether the members are lifted into the parent. */
  readonly lifted: boolean
}

function objectPlan(shape: Shape, direction: Direction, tree: PathTree<Leaf>, around: Surroundings): ObjectPlan {
  let bits = 0
  const members = [...tree.children].map(([name, node]): MemberPlan => {
    const leaf = 'leaf' in node ? node.leaf : undefined
    const field = leaf?.rule?.kind === 'field' ? leaf.rule : undefined
    const action =
      'leaf' in node ? actionOf(name, node.leaf, around.lifted) : branchAction(shape, direction, name, node, around)
    const value = field === undefined ? branchValue(shape, direction, node, action) : valuePlan(field.value, direction)
    const slot = leaf?.slot ?? NO_SLOT
    const promised = direction === 'toLegacy' ? (field?.promised ?? promisedBeneath(action)) : undefined
    return {
      name,
      key: readyKey(name),
      next: undefined,
      rule: leaf?.rule,
      action,
      value,
      isPlain: action.do === 'keep' && value.kind === 'copy' && slot === NO_SLOT && promised === undefined,
      promised,
      promisedBit: promised === undefined ? 0 : 1 << bits++,
      slot,
    }
  })
  for (const [index, member] of members.entries()) member.next = members[index + 1] ?? members[0]
  return {
    name: shape.name,
    members,
    first: members[0],
    unknown: shape.closed ? 'drop' : 'copy',
    late: around.late,
    slots: around.slots,
    promised: (1 << bits) - 1,
  }
}

function actionOf(name: string, { target, gathered }: Leaf, lifted: boolean): Action {
  if (target === undefined) return { do: 'drop' }
  if (gathered) return { do: 'gather' }
  const [outermost, ...inner] = target
  if (outermost === name && inner.length === 0 && !lifted) return { do: 'keep' }
  const open = target.map(keyOf).join('{')
  return {
    do: 'move',
    open: pieceOf(open),
    close: inner.length === 0 ? undefined : pieceOf('}'.repeat(inner.length)),
  }
}

/**
 * Lifts mapped members into the parent. Other members stay in the object, unless the target has another member of its
 * name. An object that only loses members of `v1Only` stays where it is.
 */
function branchAction(
  shape: Shape,
  direction: Direction,
  name: string,
  tree: PathTree<Leaf>,
  around: Surroundings,
): Action {
  if (leavesOf(tree).every(({ rule, target }) => rule === undefined && target === undefined)) {
    return shape.closed || around.taken.has(name) ? { do: 'drop' } : { do: 'keep' }
  }
  // Leftovers stay within this object, so only its own name can be taken.
  const inner = objectPlan(shape, direction, tree, { late: [], slots: 0, taken: new Map(), lifted: true })
  return { do: 'lift', inner: around.taken.has(name) ? { ...inner, unknown: 'drop' } : inner }
}

/** Compiles the value of a member without a line of its own: a copy, or an object that loses some members. */
function branchValue(shape: Shape, direction: Direction, node: PathNode<Leaf>, action: Action): ValuePlan {
  if ('leaf' in node || action.do !== 'keep') return { kind: 'copy' }
  return {
    kind: 'object',
    plan: objectPlan(shape, direction, node, { late: [], slots: 0, taken: new Map(), lifted: false }),
  }
}

/** An object is promised if a promised member is lifted out of it. */
function promisedBeneath(action: Action): 'object' | undefined {
  return action.do === 'lift' && action.inner.promised !== 0 ? 'object' : undefined
}

/**
 * Compiles the translation of a value.
 * @param around the roots of the composed scopes around it, the innermost first.
 */
export function valuePlan(value: Value, direction: Direction, around: readonly SourceNode[] = []): ValuePlan {
  if (value.kind === 'as-is') return { kind: 'copy' }
  if (value.kind === 'converted') {
    return value.by === timestampConverter
      ? { kind: 'timestamp', inPlace: timestampInPlace[direction] }
      : { kind: 'convert', conversion: value.by[direction] }
  }
  const record = recordPlan(value.shape, direction, around)
  return record.kind === 'copy' || value.kind === 'object'
    ? record
    : { kind: 'list', row: record, counted: usesRequestRow(value.shape) }
}

function recordPlan(shape: Shape, direction: Direction, around: readonly SourceNode[]): ValuePlan {
  if (needsComposing(shape)) return { kind: 'composed', plan: compileComposed(shape, direction, valuePlan, around) }
  const plan = compile(shape, direction)
  return changesNothing(plan) ? { kind: 'copy' } : { kind: 'object', plan }
}

/** Whether a plan leaves an object unchanged, so that it can be copied whole. */
const changesNothing = ({ unknown, members, late }: ObjectPlan): boolean =>
  unknown === 'copy' && members.length === 0 && late.length === 0

/** Whether a row, or an object in it, is filled from the request's row. Lists within it have rows of their own. */
const usesRequestRow = (shape: Shape): boolean =>
  scopeOf(shape).lines.some(({ rule }) => rule.kind === 'context' && rule.source.from === 'request-row')
