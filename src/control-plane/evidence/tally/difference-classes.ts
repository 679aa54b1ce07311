import { PARTS, type Where } from '../diff/difference.ts'
import { addSmallest, BOUNDS, type Bounds, NamedSums, OTHER, Smallest } from './bounds.ts'
import type { OperationCounts } from './operation-counts.ts'
import { outermost } from './period.ts'
import { addClients } from './sketch.ts'

/** A class of difference with its counts. */
export interface DifferenceClass extends Where {
  requests: number
  count: number
  /** How many of the requests drifted there. */
  drift: number
  /** In how many of the requests it counted when they were compared. */
  counting: number
  readonly details: NamedSums
  /** The lowest line numbers, in order. */
  lines: readonly number[]
  /** When it was first and last seen, in ms since the epoch; null: unknown. */
  since: number | null
  until: number | null
  /** A sketch of the clients that see it. */
  clients: readonly number[]
}

/** Why each class does not count; null: it counts. */
export type Reasons = ReadonlyMap<DifferenceClass, string | null>

/** The classes at one place: one per change and kind of request, and one for all beyond the bound. */
interface Place {
  readonly changes: Smallest<string, DifferenceClass>
  others: DifferenceClass | undefined
}

/** Called when a class is no longer kept by itself. */
interface Followers {
  /** The class `from` became part of `into`, the class for changes beyond the bound. */
  merged(from: DifferenceClass, into: DifferenceClass): void
  /** The places from this one on are no longer kept. */
  beyond(place: string): void
}

/** Returns a text that is equal for changes at one place. The status sorts first, because it says most. Paths escape tabs. */
export const placeOf = ({ part, kind, path, from, excusedBy }: Where): string =>
  `${PARTS.indexOf(part)} ${kind} ${path}\t${from ?? ''}\t${excusedBy === undefined ? '' : JSON.stringify(excusedBy)}`

/** What tells the classes at one place apart. */
type Change = Pick<Where, 'detail' | 'isPure' | 'widenedBy' | 'sent'>

/** Returns a text that is equal for equal changes in answers to the same kind of request. Names of members have no line breaks. */
export function changeKey({ detail = '', isPure, widenedBy, sent }: Change): string {
  const change = `${detail}${isPure === true ? '\tpure' : ''}${widenedBy === undefined ? '' : `\tby ${widenedBy}`}`
  return sent === undefined ? change : `${change}\n${sent.join('\n')}`
}

/**
 * Classes of difference, within bounds, because a service may vary a header without end. At each place the smallest changes are kept
 * one by one, and all others together. Of the places the smallest are kept, each with all of its classes. So the counts that are
 * kept are complete, and do not depend on the order of adding.
 */
export class DifferenceClasses {
  readonly #bounds: Bounds
  readonly #followers: Followers
  readonly #places = new Smallest<string, Place>(Number.POSITIVE_INFINITY)
  #size = 0
  #inOrder: readonly DifferenceClass[] | undefined
  #beyond: string | undefined
  #unlisted = 0

  constructor(bounds: Bounds, followers: Followers) {
    this.#bounds = bounds
    this.#followers = followers
  }

  /** The smallest place that is not kept; undefined: all are. */
  get beyond(): string | undefined {
    return this.#beyond
  }

  /** How often classes that are not kept counted. Above 0, something may differ that no report shows. */
  get unlisted(): number {
    return this.#unlisted
  }

  all(): readonly DifferenceClass[] {
    this.#inOrder ??= this.#places
      .values()
      .flatMap(({ changes, others }) => [...changes.values(), ...(others ? [others] : [])])
    return this.#inOrder
  }

  /** Returns the class that a change is counted under; undefined: its place is not kept. */
  at(place: string, change: Change): DifferenceClass | undefined {
    const known = this.#places.get(place)
    return known?.changes.get(changeKey(change)) ?? known?.others
  }

  add(place: string, added: OperationCounts['classes'][number]): void {
    const counting = added.counting ?? added.requests - added.drift
    if (this.#beyond !== undefined && place >= this.#beyond) {
      this.#unlisted += counting
      return
    }
    addTo(this.#classOf(place, added), { ...added, counting }, Object.entries(added.details))
    while (this.#size > this.#bounds.classes) this.leaveOut(this.#places.largest() as string)
  }

  /** Adds the unlisted count of other classes. */
  addUnlisted(times: number): void {
    this.#unlisted += times
  }

  /** Drops the classes of this place and of all larger ones. */
  leaveOut(beyond: string): void {
    if (this.#beyond !== undefined && this.#beyond <= beyond) return
    this.#beyond = beyond
    this.#inOrder = undefined
    for (let place = this.#places.largest(); place !== undefined && place >= beyond; place = this.#places.largest()) {
      const { changes, others } = this.#places.get(place) as Place
      const gone = [...changes.values(), ...(others ? [others] : [])]
      this.#unlisted += gone.reduce((sum, { counting }) => sum + counting, 0)
      this.#size -= gone.length
      this.#places.delete(place)
    }
    this.#followers.beyond(beyond)
  }

  #classOf(at: string, where: Where): DifferenceClass {
    const place = this.#places.get(at) ?? { changes: new Smallest(this.#bounds.details), others: undefined }
    this.#places.set(at, place)
    const change = changeKey(where)
    if (where.detail === OTHER || !place.changes.admits(change)) return this.#othersAt(place, where)
    const known = place.changes.get(change)
    if (known !== undefined) return known
    const begun = this.#begun(where, where)
    const moved = place.changes.set(change, begun)
    if (moved !== undefined) {
      const others = this.#othersAt(place, where)
      addTo(others, moved, moved.details.entries())
      this.#size--
      this.#followers.merged(moved, others)
    }
    return begun
  }

  #othersAt(place: Place, where: Where): DifferenceClass {
    place.others ??= this.#begun(where, { detail: OTHER })
    return place.others
  }

  #begun({ part, kind, path, from, excusedBy }: Where, { detail, isPure, widenedBy, sent }: Change): DifferenceClass {
    this.#size++
    this.#inOrder = undefined
    return {
      ...{ part, kind, path, from, excusedBy, detail, isPure, widenedBy, sent },
      ...{ requests: 0, count: 0, drift: 0, counting: 0, since: null, until: null },
      ...{ details: new NamedSums(this.#bounds.details), lines: [], clients: [] },
    }
  }
}

type Added = Omit<DifferenceClass, keyof Where | 'details'>

/** Adds to a class. */
export function addTo(sum: DifferenceClass, added: Added, details: Iterable<readonly [string, number]> = []): void {
  sum.requests += added.requests
  sum.count += added.count
  sum.drift += added.drift
  sum.counting += added.counting
  sum.since = outermost(Math.min, sum.since, added.since)
  sum.until = outermost(Math.max, sum.until, added.until)
  sum.clients = addClients(sum.clients, added.clients)
  sum.lines = addSmallest(sum.lines, added.lines, BOUNDS.lines)
  sum.details.addAll(details)
}
