/** What is left of a value without what is not valid in it: each member can be missing, each item be a hole. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? (Sound<Item> | undefined)[]
  : T extends object
    ? { [Member in keyof T]?: Sound<T[Member]> | undefined }
    : T

type Path = readonly PropertyKey[]

/**
 * The input without what stands at these paths, so that further rules can judge the rest of a request that has
 * violations already. Items keep their indices. `undefined` when a path is the empty one, the whole input.
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
