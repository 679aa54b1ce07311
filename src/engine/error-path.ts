import type { Operation } from '../mapping/operation.ts'
import { parametersOf } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { linesOf, type PathTree, pathTree, plant } from './compile/shape-lines.ts'

/** Parts of a path are members' names and items' indices. */
export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part)

/**
 * Where in the legacy request the field is that v1 names in `errors[].path`, in the legacy style
 * (`products[1].unitOfMeasure.code`), whichever way v1 writes indices. What no line knows stays as it is.
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
  /** How the paths within it are found. */
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

/** A path taken apart, whichever way it writes indices. */
export function partsOf(path: string): readonly string[] {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d+)\]/g, '.$1') : path
  // Most name a member of the root.
  return dotted.includes('.') || dotted === '' ? dotted.split('.').filter((part) => part !== '') : [dotted]
}

function written(parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (isIndex(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}
