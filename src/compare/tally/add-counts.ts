import type { OperationCounts } from './operation-counts.ts'
import {
  assumptionKey,
  classKey,
  type DifferenceClass,
  type IgnoreCheck,
  type OperationState,
  outcomeOf,
  placeKey,
} from './operation-state.ts'

/** The bounds of what is kept per operation. */
export const BOUNDS = { classes: 500, patterns: 500, places: 1_000, inputs: 1_000, details: 50, lines: 20 } as const

/** The name under which details beyond the bound are counted. */
const OTHER_DETAILS = 'other'

/** Adds the counts of one exchange, or of everything before a restart. */
export function addCounts(state: OperationState, counts: OperationCounts, expectations: IgnoreCheck): void {
  const { totals, settled } = state
  for (const name of ['matched', 'failed', 'skipped', 'askedTwice', 'unlisted'] as const) totals[name] += counts[name]
  settled.ignored += counts.settled.ignored
  settled.mismatched += counts.settled.mismatched
  for (const input of counts.inputs) if (state.inputs.size < BOUNDS.inputs) state.inputs.add(input)
  for (const added of counts.places) addPlace(state, added)
  for (const added of counts.assumptions) addAssumption(state, added)
  const classes = counts.classes.map((added) => addClass(state, added))
  for (const { classes: places, requests } of counts.patterns) {
    addPattern(
      state,
      places.flatMap((at) => classes[at] ?? []),
      requests,
      expectations,
    )
  }
}

function addPlace({ places }: OperationState, added: OperationCounts['places'][number]): void {
  const key = placeKey(added)
  const existing = places.get(key)
  if (existing !== undefined) {
    existing.raw += added.raw
    existing.noise += added.noise
  } else if (places.size < BOUNDS.places) places.set(key, { ...added })
}

/** Needs no bound: there are at most as many as the mapping has lines. */
function addAssumption({ assumptions }: OperationState, added: OperationCounts['assumptions'][number]): void {
  const existing = assumptions.get(assumptionKey(added))
  if (existing === undefined) assumptions.set(assumptionKey(added), { ...added })
  else {
    existing.matched += added.matched
    existing.differed += added.differed
  }
}

/** Adds to a class and returns it; a class beyond the bound is not kept. */
function addClass({ classes }: OperationState, added: OperationCounts['classes'][number]): DifferenceClass {
  const key = classKey(added)
  const { part, kind, path } = added
  const sum = classes.get(key) ?? { part, kind, path, requests: 0, count: 0, details: new Map(), lines: [] }
  if (classes.size < BOUNDS.classes) classes.set(key, sum)
  sum.requests += added.requests
  sum.count += added.count
  sum.lines = [...new Set([...sum.lines, ...added.lines])].sort((a, b) => a - b).slice(0, BOUNDS.lines)
  for (const [detail, count] of Object.entries(added.details)) {
    const name = sum.details.has(detail) || sum.details.size < BOUNDS.details ? detail : OTHER_DETAILS
    sum.details.set(name, (sum.details.get(name) ?? 0) + count)
  }
  return sum
}

/**
 * Counts exchanges by the classes that they show, so that they can be judged again when the noise or the rules change.
 * There are few such patterns. Beyond the bound an exchange is judged now, for good.
 */
function addPattern(
  state: OperationState,
  classes: readonly DifferenceClass[],
  requests: number,
  expectations: IgnoreCheck,
): void {
  const keys = classes.map(classKey)
  const isListed = keys.every((key) => state.classes.has(key))
  const key = keys.sort().join('\n')
  const existing = state.patterns.get(key)
  if (existing !== undefined) existing.requests += requests
  else if (isListed && state.patterns.size < BOUNDS.patterns) state.patterns.set(key, { classes, requests })
  else {
    const outcome = outcomeOf(state, expectations, classes)
    if (outcome === 'matched') return
    state.settled[outcome] += requests
    if (!isListed && outcome === 'mismatched') state.totals.unlisted += requests
  }
}
