import type { IgnoreRule } from '../rollout/ignore-rule.ts'
import type { DifferenceClass } from './difference-classes.ts'
import type { Pattern } from './patterns.ts'
import type { Reasons } from './results-of.ts'

/** What would excuse a difference that counts, and nothing else. */
export interface Excusing {
  /** The narrowest rules: one for each change that is judged by itself. Their `why` is for a person to write. */
  readonly rules: readonly IgnoreRule[]
  /** The exchanges that would be mismatched no longer: they show nothing else that counts. */
  readonly requests: number
}

/** Returns the narrowest rule for one class of difference. */
export const ruleFor = (operation: string, { kind, path, detail }: DifferenceClass): IgnoreRule => ({
  ...{ operation, path, kind },
  ...(detail !== undefined && { details: detail }),
  why: '',
})

/** Counts the exchanges in which nothing else counts than one key, by key. */
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

/** Returns the key of all classes that count; undefined: they have several, or none counts. */
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
