/** The path of every member and item of a value, as errors name it. */
export function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [`${path}[${index}]`, ...pathsOf(item, `${path}[${index}]`)])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [at, ...pathsOf(member, at)]
  })
}

/** The body as JSON, with this JSON at the path; undefined removes the member. */
export function bodyWith(body: object, path: string, json: string | undefined): string {
  const mark = 'the mark that the JSON of the test replaces'
  const copy = structuredClone(body) as Record<string, unknown>
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  const last = keys.pop() ?? ''
  let holder = copy
  for (const key of keys) holder = holder[key] as Record<string, unknown>
  if (json === undefined) delete holder[last]
  else holder[last] = mark
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => json ?? '')
}
