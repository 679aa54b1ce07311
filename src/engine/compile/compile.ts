import { pieceOf } from '../../mapping/piece.ts'
import type { Rule, Shape, Value } from '../../mapping/shape.ts'
import { timestampConverter } from '../../mapping/timestamp-converter.ts'
import { keyOf, readyKey } from '../rewrite/key.ts'
import type { Action, Direction, LatePlan, MemberPlan, ObjectPlan, ValuePlan } from '../rewrite/plan.ts'
import { timestampInPlace } from '../rewrite/timestamp-in-place.ts'
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

/** A line on its way into a plan. A line of the source without a rule of its own (v1Only, a name kept free) is dropped. */
interface Leaf {
  readonly rule: Rule | undefined
  readonly target: readonly string[] | undefined
  /** Where the value's position is remembered, when something is written from it at the end. */
  slot: number
  /** Whether the value itself is written at the end. */
  gathered: boolean
}

const NO_SLOT = -1

const leafOf = (rule: Rule | undefined, target: readonly string[] | undefined): Leaf => ({
  rule,
  target,
  slot: NO_SLOT,
  gathered: false,
})

/** Compiles a shape for one direction. The shape has passed `checkShape`. */
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
  // A member that is not in the table must not come beside one that the table writes under the same name.
  const kept = shape.closed ? [] : [...targets.children.keys()].filter((name) => !sources.children.has(name))
  for (const path of [...dropped, ...kept.map((name) => [name])]) {
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

/** Written at the end: what no member of the source gives, and objects that several members give. */
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
  const source = rule.kind === 'context' ? rule.source : undefined
  const conversion = rule.kind === 'context' && rule.value.kind === 'converted' ? rule.value.by[direction] : undefined
  const slot = source?.from === 'reference' ? siblingSlot(source.sibling) : NO_SLOT
  return { key, kind: 'added', rule, source, conversion, slot }
}

interface Surroundings {
  readonly late: readonly LatePlan[]
  readonly slots: number
  /** The names that the target has, at the level into which everything is written. */
  readonly taken: ReadonlyMap<string, unknown>
  /** Whether the members come out of the object that they stand in. */
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
    byName: new Map(members.map((member) => [member.name, member])),
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
 * The members of an object come out of it. What it has besides stays in it, unless the target has another such member. An
 * object of which only v1's own members are left out stays where it is.
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
  // What stays behind stays within this object: only its own name can be taken.
  const inner = objectPlan(shape, direction, tree, { late: [], slots: 0, taken: new Map(), lifted: true })
  return { do: 'lift', inner: around.taken.has(name) ? { ...inner, unknown: 'drop' } : inner }
}

/** The value of a member without a line of its own: copied, or an object of which some members are left out. */
function branchValue(shape: Shape, direction: Direction, node: PathNode<Leaf>, action: Action): ValuePlan {
  if ('leaf' in node || action.do !== 'keep') return { kind: 'copy' }
  return {
    kind: 'object',
    plan: objectPlan(shape, direction, node, { late: [], slots: 0, taken: new Map(), lifted: false }),
  }
}

/** An object out of which a promised member comes is promised itself. */
function promisedBeneath(action: Action): 'object' | undefined {
  return action.do === 'lift' && action.inner.promised !== 0 ? 'object' : undefined
}

/** Compiles what is done with a value. */
export function valuePlan(value: Value, direction: Direction): ValuePlan {
  if (value.kind === 'as-is') return { kind: 'copy' }
  if (value.kind === 'converted') {
    return value.by === timestampConverter
      ? { kind: 'timestamp', inPlace: timestampInPlace[direction] }
      : { kind: 'convert', conversion: value.by[direction] }
  }
  const plan = compile(value.shape, direction)
  if (changesNothing(plan)) return { kind: 'copy' }
  if (value.kind === 'object') return { kind: 'object', plan }
  return { kind: 'list', plan, counted: usesRequestRow(plan) }
}

/** Whether no line says anything of an object, and all of it stays: then there is nothing to look for in it. */
const changesNothing = ({ unknown, members, late }: ObjectPlan): boolean =>
  unknown === 'copy' && members.length === 0 && late.length === 0

/** Whether a row's plan, its objects included, takes something from the request's row; lists in it have rows of their own. */
function usesRequestRow(plan: ObjectPlan): boolean {
  const inLate = (late: LatePlan): boolean => {
    if (late.kind === 'added') return late.source?.from === 'request-row'
    return late.kind === 'gathered' ? late.members.some(inLate) : inValue(late.value)
  }
  const inValue = (value: ValuePlan): boolean => value.kind === 'object' && usesRequestRow(value.plan)
  return plan.late.some(inLate) || plan.members.some(({ value }) => inValue(value))
}
