/** Returns the paths of all members that are null, as `a.b[0].c`. The object may be as deep as JSON can be. */
export function nullMembers(object: object): readonly string[] {
  const values: [path: string, value: unknown][] = [['', object]]
  const found: string[] = []
  // The list grows while this loop reads it.
  for (const [path, value] of values) {
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const member = path === '' ? name : `${path}.${name}`
      if (inner === null && !isList) found.push(member)
      else values.push([isList ? `${path}[${name}]` : member, inner])
    }
  }
  return found
}
