import type { IgnoreRule } from '../rollout/ignore-rule.ts'
import type { DifferenceClass } from './difference-classes.ts'
import type { Pattern } from './patterns.ts'
import type { Reasons } from './results-of.ts'

/** The rules that would excuse a difference that counts, and nothing else. */
export interface Excusing {
  /** The narrowest rules: one per change that is judged by itself. A person has to write their `why`. */
  readonly rules: readonly IgnoreRule[]
  /** How many exchanges would no longer be mismatched, because they show nothing else that counts. */
  readonly requests: number
}

/** Returns the narrowest rule for one class of difference. */
export const ruleFor = (operation: string, { kind, path, detail }: DifferenceClass): IgnoreRule => ({
  ...{ operation, path, kind },
  ...(detail !== undefined && { details: detail }),
  why: '',
})

/** Counts, by key, the exchanges in which only classes of one key count. */
export function aloneOf(
  patterns: Iterable<Pattern>,
  reasons: Reasons,
  keyOf: (found: DifferenceClass) => string,
): ReadonlyMap<string, number> {
  const alone = new Map<string, number>()
  for (const { classes, requests } of patterns) {
    const key = onlyKeyOf(classes, reasons, keyOf)
    if (key !== undefined) alone.set(key, (alone.get(key) ?? 0) + requests)
  }
  return alone
}

/** Returns the key that all counting classes share; undefined: they have several keys, or no class counts. */
function onlyKeyOf(
  classes: readonly DifferenceClass[],
  reasons: Reasons,
  keyOf: (found: DifferenceClass) => string,
): string | undefined {
  let only: string | undefined
  for (const found of classes) {
    if (reasons.get(found) !== null) continue
    const key = keyOf(found)
    if (only !== undefined && only !== key) return undefined
    only = key
  }
  return only
}
