/**
 * Whether stored JSON has a member that is missing in its parsed form. A newer gateway has then written it, and this one must not
 * overwrite the row.
 */
export function hasUnknownMembers(stored: unknown, read: unknown): boolean {
  if (typeof stored !== 'object' || stored === null || typeof read !== 'object' || read === null) return false
  return Object.entries(stored).some(
    ([name, value]) =>
      !Object.hasOwn(read, name) || hasUnknownMembers(value, (read as Readonly<Record<string, unknown>>)[name]),
  )
}
