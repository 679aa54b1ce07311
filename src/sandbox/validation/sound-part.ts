/** A value without its invalid parts: any member may be missing, and any item undefined. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? (Sound<Item> | undefined)[]
  : T extends object
    ? { [Member in keyof T]?: Sound<T[Member]> | undefined }
    : T

type Path = readonly PropertyKey[]

/**
 * Returns the input without the values at these paths, so that further rules can check the rest of an invalid request.
 * Items keep their indices. Returns undefined if one of the paths is empty, which means the whole input.
 */
export function soundPart(input: unknown, faults: readonly Path[]): unknown {
  if (faults.some((path) => path.length === 0)) return undefined
  if (faults.length === 0 || typeof input !== 'object' || input === null) return input
  const faultsWithin = Map.groupBy(faults, ([member]) => String(member))
  const partOf = (member: string, value: unknown) =>
    soundPart(
      value,
      (faultsWithin.get(member) ?? []).map(([, ...rest]) => rest),
    )
  if (Array.isArray(input)) return input.map((item, index) => partOf(String(index), item))
  return Object.fromEntries(Object.entries(input).map(([member, value]) => [member, partOf(member, value)]))
}
