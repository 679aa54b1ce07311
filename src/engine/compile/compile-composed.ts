import type { ContextRule, LostRule, Promised, Shape, Value } from '../../mapping/shape.ts'
import {
  type ComposedPlan,
  NOT_THERE,
  type PairPlan,
  type PromisePlan,
  type SourceNode,
  type TargetPlan,
  type TargetValue,
} from '../rewrite/composed-plan.ts'
import { keyOf, readyKey } from '../rewrite/key.ts'
import type { Direction, ValuePlan } from '../rewrite/rewrite-plan.ts'
import { pieceOf } from '../rewrite/run-writer.ts'
import {
  FIRST_ITEM,
  fromAnchor,
  outerLines,
  type ScopeLine,
  type ScopeObject,
  type ScopePath,
  type Step,
  scopeOf,
} from './scope.ts'
import { segmentsOf } from './shape-lines.ts'

/** Compiles the value of a line that is in the scopes `around`, the innermost first. */
export type CompileValue = (value: Value, direction: Direction, around: readonly SourceNode[]) => ValuePlan

/**
 * Compiles a scope for one direction. The shape must have passed `checkShape`.
 * @param around the roots of the scopes around it, the innermost first.
 * @throws RangeError if a line reaches further out than they do.
 */
export function compileComposed(
  shape: Shape,
  direction: Direction,
  compileValue: CompileValue,
  around: readonly SourceNode[] = [],
): ComposedPlan {
  const scope = scopeOf(shape)
  const source = sourceNode('')
  const roots = [source, ...around]
  const nodeAt = (path: ScopePath): SourceNode => nodeOf(roots, shape, path)
  const own = (path: readonly Step[]): SourceNode => nodeAt({ level: 0, path })
  const target = targetNode('')
  const promises: PromisePlan[] = []
  /** Nodes whose value may be all that an object of the target misses. In legacy, an object stays that v1 has. */
  const moved = new Set<SourceNode>()
  const sourceOnly: { rule: ScopeLine['rule']; source: SourceNode }[] = []

  // The target has its members in the order of the tables.
  for (const { legacy, v1 } of scope.all) {
    if (direction === 'toLegacy') targetAt(target, legacy)
    else if (v1?.level === 0) targetAt(target, v1.path)
  }
  for (const object of scope.objects) {
    const { rule, legacy, v1, around: outer } = object
    const node = direction === 'toLegacy' ? nodeAt(v1) : own(legacy)
    node.consumed = 'taken'
    node.others = object.shape.closed && node.others !== 'passed on' ? 'left out' : 'passed on'
    if (direction === 'toLegacy' || v1.level === 0) {
      const absent = direction === 'toLegacy' ? rule?.absent : undefined
      const pair: PairPlan = { source: node, rule, isOpen: !object.shape.closed, withheld: new Set(), absent }
      targetAt(target, direction === 'toLegacy' ? legacy : v1.path).pairs.push(pair)
    }
    if (direction === 'toV1') {
      moved.add(node)
      continue
    }
    for (const path of Object.keys(object.shape.v1Only)) {
      nodeAt({ level: v1.level, path: [...v1.path, ...segmentsOf(path)] }).consumed ??= 'left out'
    }
    if (rule?.promised !== undefined && outer !== undefined)
      promises.push(promiseOf(node, rule.promised, rule.anchor === undefined, outer, nodeAt, v1))
  }
  for (const line of scope.lines) {
    const { rule, object, legacy, v1 } = line
    if (direction === 'toV1') {
      const node = own(legacy)
      node.consumed = 'taken'
      if (rule.kind !== 'field' || v1 === undefined) {
        sourceOnly.push({ rule, source: node })
        continue
      }
      moved.add(node)
      if (v1.level === 0) {
        const value = compileValue(rule.value, direction, roots)
        targetAt(target, v1.path).values.push({ kind: 'taken', rule, source: node, value, absent: undefined })
      }
      continue
    }
    const place = targetAt(target, legacy)
    if (rule.kind !== 'field' || v1 === undefined) {
      place.values.push(addedValue(rule as LostRule | ContextRule, object, nodeAt))
      continue
    }
    const node = nodeAt(v1)
    node.consumed = 'taken'
    const value = compileValue(rule.value, direction, roots)
    place.values.push({ kind: 'taken', rule, source: node, value, absent: rule.absent })
    if (rule.promised !== undefined)
      promises.push(promiseOf(node, rule.promised, rule.anchor === undefined, object, nodeAt, v1))
  }
  for (const { rule, legacy, v1, shape } of direction === 'toV1' ? outerLines(scope) : []) {
    if (v1.level > 0) continue
    const place = targetAt(target, v1.path)
    const node = own(legacy)
    if (shape === undefined) {
      const value = compileValue(rule.value, direction, roots)
      place.values.push({ kind: 'taken', rule, source: node, value, absent: undefined })
    } else {
      if (!shape.closed) node.others = 'passed on'
      place.pairs.push({ source: node, rule, isOpen: !shape.closed, withheld: new Set(), absent: undefined })
    }
  }
  const plan = targetPlan(target, moved, pathsOf(source))
  finish(source)
  return { source, target: plan, promises, sourceOnly }
}

function promiseOf(
  source: SourceNode,
  promised: Promised,
  isWithin: boolean,
  object: ScopeObject,
  nodeAt: (path: ScopePath) => SourceNode,
  v1: ScopePath,
): PromisePlan {
  const within = isWithin && object.rule !== undefined ? nodeAt(object.v1) : undefined
  const path = (isWithin ? v1.path.slice(object.v1.path.length) : v1.path).join('.')
  return { source, promised, within, shape: object.shape.name, path }
}

function addedValue(
  rule: LostRule | ContextRule,
  object: ScopeObject,
  nodeAt: (path: ScopePath) => SourceNode,
): TargetValue {
  if (rule.kind === 'lost') return { kind: 'filled', rule, from: undefined, conversion: undefined, sibling: undefined }
  const { source } = rule
  if (source.from === 'constant') return { kind: 'constant', rule, json: pieceOf(source.json) }
  if (source.from === 'join') {
    const parts = source.parts.map((part) => {
      if ('text' in part) return pieceOf(JSON.stringify(part.text).slice(1, -1))
      const node = nodeAt(fromAnchor(object, part.path, part.anchor))
      node.consumed = 'taken'
      return node
    })
    return { kind: 'joined', rule, parts }
  }
  return {
    kind: 'filled',
    rule,
    from: source,
    conversion: rule.value.kind === 'converted' ? rule.value.by.toLegacy : undefined,
    sibling: source.from === 'reference' ? nodeAt(fromAnchor(object, source.sibling, undefined)) : undefined,
  }
}

function sourceNode(name: string): SourceNode {
  return {
    name,
    key: readyKey(name),
    children: [],
    item: undefined,
    inner: [],
    consumed: undefined,
    isPartlyConsumed: false,
    isTakenApart: false,
    others: 'ignored',
    first: undefined,
    next: undefined,
    keyAt: NOT_THERE,
    start: NOT_THERE,
    end: NOT_THERE,
    unlisted: [],
  }
}

/** Returns the node of a path, which it adds if needed. `roots` are those of the scopes, the innermost first. */
function nodeOf(roots: readonly SourceNode[], shape: Shape, { level, path }: ScopePath): SourceNode {
  const root = roots[level]
  if (root === undefined) throw new RangeError(`${shape.name}: a line counts its v1 path from outside of the answer`)
  let node: SourceNode = root
  for (const step of path) {
    if (step === FIRST_ITEM) node = node.item ??= sourceNode('')
    else {
      node = childOf(node, step)
    }
  }
  return node
}

function childOf({ children }: SourceNode, name: string): SourceNode {
  const child = children.find((one) => one.name === name) ?? sourceNode(name)
  if (!children.includes(child)) children.push(child)
  return child
}

interface TargetNode {
  readonly name: string
  readonly children: TargetNode[]
  readonly values: TargetValue[]
  readonly pairs: PairPlan[]
}

const targetNode = (name: string): TargetNode => ({ name, children: [], values: [], pairs: [] })

function targetAt(root: TargetNode, path: readonly Step[]): TargetNode {
  return path.reduce<TargetNode>((node, step) => {
    const name = String(step)
    const found = node.children.find((child) => child.name === name)
    if (found !== undefined) return found
    const child = targetNode(name)
    node.children.push(child)
    return child
  }, root)
}

/** For each node of a source, the nodes around it and itself. */
type Lineage = ReadonlyMap<SourceNode, ReadonlySet<SourceNode>>

function pathsOf(root: SourceNode): Lineage {
  const paths = new Map<SourceNode, ReadonlySet<SourceNode>>()
  const visit = (node: SourceNode, above: ReadonlySet<SourceNode>): void => {
    const path = new Set([...above, node])
    paths.set(node, path)
    for (const child of node.children) visit(child, path)
    if (node.item !== undefined) visit(node.item, path)
  }
  visit(root, new Set())
  return paths
}

function targetPlan(node: TargetNode, moved: ReadonlySet<SourceNode>, paths: Lineage): TargetPlan {
  const { name, values, pairs } = node
  const isWithin = (source: SourceNode): boolean =>
    pairs.some((pair) => pair.source === source || paths.get(source)?.has(pair.source) === true)
  const within = node.children.flatMap(sourcesOf)
  const here = new Set([...within.flat(), ...pairs.map(({ source }) => source)])
  return {
    key: pieceOf(keyOf(name)),
    copied: copiedBy(node),
    values,
    members: node.children.map((child) => targetPlan(child, moved, paths)),
    // An unlisted member of the source must not pass under a name that the table writes.
    pairs: pairs.map((pair) => ({
      ...pair,
      withheld: new Set(pair.isOpen ? node.children.map((child) => childOf(pair.source, child.name)) : []),
    })),
    outside: pairs.length === 0 ? [] : within.filter((nodes) => nodes.some((source) => !isWithin(source))),
    movedAway: [...moved].filter((source) => isWithin(source) && !here.has(source)),
  }
}

function copiedBy({ name, values, pairs, children }: TargetNode): TargetPlan['copied'] {
  const [value] = values
  if (value?.kind !== 'taken' || values.length + pairs.length + children.length > 1) return undefined
  return value.value.kind === 'copy' && value.absent === undefined && value.source.name === name ? value : undefined
}

/** Returns the nodes of each value that a target member and those within it take. */
function sourcesOf({ values, pairs, children }: TargetNode): readonly (readonly SourceNode[])[] {
  return [
    ...values.flatMap((value): readonly (readonly SourceNode[])[] => {
      if (value.kind === 'taken') return [[value.source]]
      return value.kind === 'joined' ? [value.parts.flatMap((part) => ('text' in part ? [] : [part]))] : []
    }),
    ...pairs.map(({ source }) => [source]),
    ...children.flatMap(sourcesOf),
  ]
}

/** Completes the nodes, once all are there. */
function finish(node: SourceNode): void {
  const { children, item } = node
  for (const child of children) {
    // What is left of an object that is taken apart stays in it.
    if (child.consumed === undefined && node.others === 'passed on') child.others = 'passed on'
    finish(child)
  }
  if (item !== undefined) finish(item)
  node.isPartlyConsumed = children.some((child) => child.consumed !== undefined || child.isPartlyConsumed)
  node.isTakenApart = children.some((child) => child.consumed === 'taken' || child.isTakenApart)
  node.inner = children.filter(
    (child) => child.children.length > 0 || child.item !== undefined || child.others !== 'ignored',
  )
  for (const [index, child] of children.entries()) child.next = children[index + 1] ?? children[0]
  node.first = children[0]
}
