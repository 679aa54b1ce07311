import type { Reasons } from './difference-classes.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { OperationState } from './operation-state.ts'
import type { Pattern } from './patterns.ts'
import { HASH_LIMIT, SKETCH_SIZE, Sketch } from './sketch.ts'

/**
 * Names patterns that exchanges of a unit show: the id of each, after `+` if a difference counted in it when it was compared, or
 * `-` if none did. A sign alone stands for more patterns than are kept of a unit.
 */
type Shows = readonly string[]

/** The most patterns that are kept of a unit. Beyond it, the unit keeps the judgement that it got when it was compared. */
const MOST_PATTERNS = 8
/** The most units that are kept of those that counted when they were compared. */
export const COUNTED_KEPT = 512

/** Stands for units that an older version counted: nobody knows what they show. */
const UNKNOWN: Shows = ['?']

/** Differing units as plain data; see `OperationCounts`. */
export type CountedUnits = Pick<OperationCounts, 'differingUnits' | 'countedUnits' | 'shownByUnits'>

export const NONE_DIFFERING: CountedUnits = {
  ...{ differingUnits: [], countedUnits: [] },
  shownByUnits: { sets: [], differing: [], counted: [] },
}

/** Names the pattern that one exchange shows. */
export const shownBy = ({ id, ignored }: Pick<Pattern, 'id' | 'ignored'>): string => `${ignored ? '-' : '+'}${id}`

const hasCounted = (shows: Shows): boolean => shows.some((one) => one.startsWith('+'))

/** Adds what is known of a unit. The order of adding makes no difference. */
function together(one: Shows, other: Shows): Shows {
  const all = [...new Set([...one, ...other])]
  const isWhole = all.length <= MOST_PATTERNS && all.every((shown) => shown.length > 1)
  if (isWhole) return all.sort()
  if (all.includes('?')) return UNKNOWN
  return hasCounted(all) ? ['+'] : ['-']
}

/** Units of which an exchange differed, and what they show. Within a bound, the units with the smallest hashes are kept. */
class Units {
  readonly sketch: Sketch
  readonly #most: number
  #shows = new Map<number, Shows>()

  constructor(most: number) {
    this.sketch = new Sketch(most)
    this.#most = 4 * most
  }

  add(unit: number, shows: Shows): void {
    this.sketch.add(unit)
    this.#shows.set(unit, together(this.#shows.get(unit) ?? [], shows))
    if (this.#shows.size > this.#most) this.#shows = new Map(this.entries())
  }

  /** Returns the units that are kept, in order. */
  entries(): readonly (readonly [unit: number, shows: Shows])[] {
    return this.sketch.hashes().map((unit) => [unit, this.#shows.get(unit) as Shows])
  }
}

/**
 * The units that differed by more than drift, so that they can be judged again when the rules change. Those that counted when they
 * were compared are kept a second time: among many units that a loss excuses, the few that matter must not be lost.
 */
export class DifferingUnits {
  readonly all = new Units(SKETCH_SIZE)
  readonly counted = new Units(COUNTED_KEPT)

  add(counts: CountedUnits): void {
    const { sets, differing, counted } = counts.shownByUnits
    for (const [at, unit] of counts.differingUnits.entries()) this.all.add(unit, sets[differing[at] ?? -1] ?? UNKNOWN)
    for (const [at, unit] of counts.countedUnits.entries()) this.counted.add(unit, sets[counted[at] ?? -1] ?? UNKNOWN)
  }

  export(): CountedUnits {
    const [all, few] = [this.all.entries(), this.counted.entries()]
    const sets = new Map([...all, ...few].map(([, shows]) => [shows.join(), shows]))
    const keys = [...sets.keys()].sort()
    const places = new Map(keys.map((key, at) => [key, at]))
    const placesOf = (units: typeof all): readonly number[] =>
      units.map(([, shows]) => places.get(shows.join()) as number)
    return {
      differingUnits: all.map(([unit]) => unit),
      countedUnits: few.map(([unit]) => unit),
      shownByUnits: {
        sets: keys.map((key) => sets.get(key) as Shows),
        differing: placesOf(all),
        counted: placesOf(few),
      },
    }
  }
}

/**
 * Returns the number of units with a difference that counts now. It is exact, unless more units differed than are kept.
 * @param hasDifferences whether any class of difference counts.
 */
export function mismatchedUnitsIn(
  { differingUnits, patterns }: Pick<OperationState, 'differingUnits' | 'patterns'>,
  reasons: Reasons,
  hasDifferences: boolean,
): number {
  if (!hasDifferences) return 0
  const judged = new Map<string, boolean>()
  for (const pattern of patterns.values()) {
    judged.set(
      shownBy(pattern),
      pattern.classes.some((found) => reasons.get(found) === null),
    )
  }
  const counts = (shows: Shows): boolean => shows.some((one) => judged.get(one) ?? !one.startsWith('-'))
  const countingIn = (units: Units) => units.entries().filter(([, shows]) => counts(shows))
  const { all, counted } = differingUnits
  const found = countingIn(all)
  if (all.sketch.limit === HASH_LIMIT) return found.length
  const few = new Set(countingIn(counted).map(([unit]) => unit))
  const share = few.size === 0 ? 0 : few.size / counted.sketch.hashes().length
  // Those that did not count when they were compared, but do now.
  const limit = Math.min(all.sketch.limit, counted.sketch.limit)
  const others = found.filter(([unit]) => unit < limit && !few.has(unit)).length
  return Math.round(share * counted.sketch.count().distinct + (others * HASH_LIMIT) / limit)
}
