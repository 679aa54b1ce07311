import type { OperationCounts } from './operation-counts.ts'
import {
  assumptionKey,
  classKey,
  type DifferenceClass,
  type Excuses,
  type OperationState,
  outcomeOf,
  placeKey,
} from './operation-state.ts'

/** How much is kept of an operation, whatever its answers are like. */
export const BOUNDS = { classes: 500, patterns: 500, places: 1_000, inputs: 1_000, details: 50, lines: 20 } as const

/** What details beyond those that are kept are counted as. */
const OTHER_DETAILS = 'other'

/** Adds what was counted elsewhere: of one exchange, or of all that came before a restart. */
export function addCounts(state: OperationState, counts: OperationCounts, known: Excuses): void {
  const { totals, settled } = state
  for (const name of ['matched', 'failed', 'skipped', 'askedTwice', 'unlisted'] as const) totals[name] += counts[name]
  settled.ignored += counts.settled.ignored
  settled.mismatched += counts.settled.mismatched
  for (const input of counts.inputs) if (state.inputs.size < BOUNDS.inputs) state.inputs.add(input)
  for (const seen of counts.places) addPlace(state, seen)
  for (const seen of counts.assumptions) addAssumption(state, seen)
  const classes = counts.classes.map((seen) => addClass(state, seen))
  for (const { classes: places, requests } of counts.patterns) {
    addPattern(
      state,
      places.flatMap((at) => classes[at] ?? []),
      requests,
      known,
    )
  }
}

function addPlace({ places }: OperationState, seen: OperationCounts['places'][number]): void {
  const key = placeKey(seen)
  const there = places.get(key)
  if (there !== undefined) {
    there.raw += seen.raw
    there.noise += seen.noise
  } else if (places.size < BOUNDS.places) places.set(key, { ...seen })
}

/** There are as many as the mapping has lines. */
function addAssumption({ assumptions }: OperationState, seen: OperationCounts['assumptions'][number]): void {
  const there = assumptions.get(assumptionKey(seen))
  if (there === undefined) assumptions.set(assumptionKey(seen), { ...seen })
  else {
    there.matched += seen.matched
    there.differed += seen.differed
  }
}

/** The class with what was seen of it; one beyond the bound is not kept. */
function addClass({ classes }: OperationState, seen: OperationCounts['classes'][number]): DifferenceClass {
  const key = classKey(seen)
  const { part, kind, path } = seen
  const known = classes.get(key) ?? { part, kind, path, requests: 0, count: 0, details: new Map(), lines: [] }
  if (classes.size < BOUNDS.classes) classes.set(key, known)
  known.requests += seen.requests
  known.count += seen.count
  known.lines = [...new Set([...known.lines, ...seen.lines])].sort((a, b) => a - b).slice(0, BOUNDS.lines)
  for (const [detail, count] of Object.entries(seen.details)) {
    const name = known.details.has(detail) || known.details.size < BOUNDS.details ? detail : OTHER_DETAILS
    known.details.set(name, (known.details.get(name) ?? 0) + count)
  }
  return known
}

/**
 * Exchanges are kept by which classes they show, so that they can be judged anew when more is known of the noise, or the
 * rules change. There are few such patterns; beyond the bound an exchange is judged by what is known now.
 */
function addPattern(
  state: OperationState,
  classes: readonly DifferenceClass[],
  requests: number,
  known: Excuses,
): void {
  const keys = classes.map(classKey)
  const isListed = keys.every((key) => state.classes.has(key))
  const key = keys.sort().join('\n')
  const there = state.patterns.get(key)
  if (there !== undefined) there.requests += requests
  else if (isListed && state.patterns.size < BOUNDS.patterns) state.patterns.set(key, { classes, requests })
  else {
    const outcome = outcomeOf(state, known, classes)
    if (outcome === 'matched') return
    state.settled[outcome] += requests
    if (!isListed && outcome === 'mismatched') state.totals.unlisted += requests
  }
}
