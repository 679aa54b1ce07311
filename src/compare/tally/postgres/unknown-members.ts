/**
 * Whether stored JSON has a member that is not in what was read of it: a newer gateway has written it, and whoever does not know it
 * must not write the row anew.
 */
export function hasUnknownMembers(stored: unknown, read: unknown): boolean {
  if (typeof stored !== 'object' || stored === null || typeof read !== 'object' || read === null) return false
  return Object.entries(stored).some(
    ([name, value]) =>
      !Object.hasOwn(read, name) || hasUnknownMembers(value, (read as Readonly<Record<string, unknown>>)[name]),
  )
}
