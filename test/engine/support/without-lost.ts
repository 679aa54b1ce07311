import type { Shape } from '../../../src/mapping/shape.ts'
import { leaf, objectOf, type Tree } from './json-tree.ts'

/** The tree with null at every place of the shape that v1 does not fill. */
export function withoutLost(shape: Shape, tree: Tree): Tree {
  return Object.entries(shape.rules).reduce<Tree>((result, [path, rule]) => {
    if (rule.kind !== 'field') return changed(result, path.split('.'), () => leaf('null'))
    const { value } = rule
    if (value.kind === 'object') return changed(result, path.split('.'), (old) => old && withoutLost(value.shape, old))
    if (value.kind !== 'list') return result
    return changed(result, path.split('.'), (old) =>
      old?.kind === 'array' ? { ...old, items: old.items.map((item) => withoutLost(value.shape, item)) } : old,
    )
  }, tree)
}

function changed(tree: Tree, path: readonly string[], change: (old: Tree | undefined) => Tree | undefined): Tree {
  const [name = '', ...rest] = path
  if (tree.kind !== 'object') return tree
  const old = tree.members.get(name)
  const value = rest.length === 0 ? change(old) : inside(old, rest, change)
  return value === undefined ? tree : objectOf([...tree.members, [name, value]])
}

/** Creates the objects on the path as needed. */
function inside(
  old: Tree | undefined,
  path: readonly string[],
  change: (old: Tree | undefined) => Tree | undefined,
): Tree | undefined {
  const result = changed(old ?? objectOf([]), path, change)
  return old === undefined && result.kind === 'object' && result.members.size === 0 ? undefined : result
}
