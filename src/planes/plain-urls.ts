/** Returns a value with every URL in it replaced by plain data: a URL object cannot be sent to another thread. */
export function withoutUrls(value: unknown): unknown {
  if (value instanceof URL) return { $url: value.href }
  return mapped(value, withoutUrls)
}

/** Returns what `withoutUrls` was called with. */
export function withUrls<Value>(value: unknown): Value {
  const isUrl = typeof value === 'object' && value !== null && '$url' in value
  return (isUrl ? new URL(value.$url as string) : mapped(value, withUrls)) as Value
}

/** Maps the members of an object or array; any other value stays as it is. */
function mapped(value: unknown, each: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each)
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, each(member)]))
}
