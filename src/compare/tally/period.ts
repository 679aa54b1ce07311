/** Returns the earlier or the later of two times, by `pick`; null: unknown. */
export const outermost = (pick: typeof Math.min, one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : pick(one, other)

/** Writes a time in ISO 8601. */
export const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
