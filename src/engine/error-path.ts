import type { Operation } from '../mapping/operation.ts'
import { parametersOf } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { linesOf, type PathTree, pathTree, plant } from './compile/shape-lines.ts'

/** Whether a part of a path is the index of an item. All other parts are names of members. */
export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part)

/**
 * Compiles the translation of v1's `errors[].path` into the path of the legacy field, in the legacy style
 * (`products[1].unitOfMeasure.code`), whichever way v1 writes indices. A path that no line covers keeps its names.
 */
export function errorPathTranslator(operation: Operation): (v1Path: string) => string {
  const parameters = new Map(
    Object.entries(parametersOf(operation.request)).map(([legacy, { v1 }]) => [v1 ?? legacy, legacy]),
  )
  const root = operation.request.kind === 'body' ? v1Tree(operation.request.shape) : undefined
  return (v1Path) => {
    const parameter = parameters.get(v1Path)
    if (parameter !== undefined) return parameter
    const parts = partsOf(v1Path)
    return written(root === undefined ? parts : translate(root, parts))
  }
}

interface Target {
  readonly legacy: readonly string[]
  /** The paths within it, if it has a shape of its own. */
  readonly inner: PathTree<Target> | undefined
}

function v1Tree(shape: Shape): PathTree<Target> {
  const tree = pathTree<Target>()
  for (const { rule, source, target } of linesOf(shape, 'toLegacy')) {
    if (source === undefined || target === undefined) continue
    const inner = rule.kind === 'field' && 'shape' in rule.value ? v1Tree(rule.value.shape) : undefined
    plant(tree, source, { legacy: target, inner })
  }
  return tree
}

function translate(tree: PathTree<Target>, parts: readonly string[]): readonly string[] {
  let branch = tree
  for (const [depth, part] of parts.entries()) {
    const node = branch.children.get(part)
    if (node === undefined) return parts
    if (!('leaf' in node)) {
      branch = node
      continue
    }
    const { legacy, inner } = node.leaf
    const rest = parts.slice(depth + 1)
    const indices = isIndex(rest[0]) ? 1 : 0
    const beneath = rest.slice(indices)
    return [...legacy, ...rest.slice(0, indices), ...(inner === undefined ? beneath : translate(inner, beneath))]
  }
  return parts
}

/** Splits a path into its parts, whichever way it writes indices. */
export function partsOf(path: string): readonly string[] {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d+)\]/g, '.$1') : path
  // Most paths name a member of the root.
  return dotted.includes('.') || dotted === '' ? dotted.split('.').filter((part) => part !== '') : [dotted]
}

function written(parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (isIndex(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}
