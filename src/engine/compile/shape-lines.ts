import type { Rule, Shape } from '../../mapping/shape.ts'
import type { Direction } from '../rewrite/rewrite-plan.ts'

/** One line of a shape, read in one direction. Paths are lists of names, outermost first. */
export interface Line {
  readonly rule: Rule
  /** Undefined if no source member gives it. */
  readonly source: readonly string[] | undefined
  /** Undefined if the target does not have it. */
  readonly target: readonly string[] | undefined
}

export const segmentsOf = (path: string): readonly string[] => path.split('.')

/** Returns the lines of a shape, read in one direction. */
export function linesOf(shape: Shape, direction: Direction): readonly Line[] {
  return Object.entries(shape.rules).map(([legacyPath, rule]) => {
    const legacy = segmentsOf(legacyPath)
    const v1 = rule.kind === 'field' ? segmentsOf(rule.v1 ?? legacyPath) : undefined
    return direction === 'toLegacy' ? { rule, source: v1, target: legacy } : { rule, source: legacy, target: v1 }
  })
}

/** A tree of paths. A name has either a leaf or names beneath it. */
export interface PathTree<Leaf> {
  readonly children: Map<string, PathNode<Leaf>>
}
export type PathNode<Leaf> = { readonly leaf: Leaf } | PathTree<Leaf>

export const pathTree = <Leaf>(): PathTree<Leaf> => ({ children: new Map() })

/** Adds a leaf. Returns false if another leaf has its place or a place on its path. */
export function plant<Leaf>(tree: PathTree<Leaf>, path: readonly string[], leaf: Leaf): boolean {
  const [name, ...rest] = path
  if (name === undefined) return false
  const node = tree.children.get(name)
  if (rest.length === 0) {
    if (node !== undefined) return false
    tree.children.set(name, { leaf })
    return true
  }
  if (node !== undefined && 'leaf' in node) return false
  const branch = node ?? pathTree<Leaf>()
  tree.children.set(name, branch)
  return plant(branch, rest, leaf)
}

/** Returns all leaves beneath a node. */
export function leavesOf<Leaf>(node: PathNode<Leaf>): readonly Leaf[] {
  return 'leaf' in node ? [node.leaf] : [...node.children.values()].flatMap(leavesOf)
}
