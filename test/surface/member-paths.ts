/**
 * Returns the path of each member of a JSON value, once: `operations[].id`. The keys of a map are `*`: those that name an operation, a status, a member of an answer or
 * anything else that is no plain word.
 */
export function memberPaths(value: unknown, operations: ReadonlySet<string>): ReadonlySet<string> {
  const paths = new Set<string>()
  const visit = (inner: unknown, path: string): void => {
    if (Array.isArray(inner)) for (const item of inner) visit(item, `${path}[]`)
    else if (typeof inner === 'object' && inner !== null) {
      for (const [name, member] of Object.entries(inner)) {
        const key = /^[a-z][a-zA-Z0-9_]*$/.test(name) && !operations.has(name) ? name : '*'
        const inside = path === '' ? key : `${path}.${key}`
        paths.add(inside)
        visit(member, inside)
      }
    }
  }
  visit(value, '')
  return paths
}
