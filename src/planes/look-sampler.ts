import { DAY_MS } from '../common/time.ts'

/** Chooses the calls that usage looks at: the first ones of each caller and operation a day, then one a second. */
export interface LookSampler {
  /** Whether it would choose a call that has just arrived. `caller` is as in `Watch`. */
  wants(operation: string, caller: string): boolean
  /** Chooses an answered call, or not. @param isUnidentified whether no service has accepted its client. */
  takes(operation: string, caller: string, isUnidentified: boolean): boolean
  /** Call it once a second. @param now ms since the epoch. */
  nextSecond(now: number): void
}

/** Larger bodies are not looked at. */
export const MOST_LOOKED_AT = 256 * 1024
/** How many calls per client, operation and day are looked at; after that, one per second. */
const FIRST_OF_DAY = 100
/** The most calls looked at per second, for all clients together. */
const MOST_IN_SECOND = 200
/** The most of these whose client no service has accepted. */
const MOST_UNIDENTIFIED = 20
/** Pairs of caller and operation share this many places, so memory does not grow with them. Two pairs in one place are looked at half as often. */
const PLACES = 2 ** 16

/** Opens a sampler. @param operations their ids. */
export function lookSampler(operations: readonly string[]): LookSampler {
  const numbers = new Map(operations.map((id, index) => [id, index + 1]))
  /** By place: how many calls were looked at today, and the second of the last one. */
  const lookedAt = new Uint8Array(PLACES)
  const lastSecond = new Uint32Array(PLACES)
  let second = 1
  let today: number | undefined
  let left = MOST_IN_SECOND
  let leftUnidentified = MOST_UNIDENTIFIED
  const isDue = (place: number): boolean => (lookedAt[place] as number) < FIRST_OF_DAY || lastSecond[place] !== second
  const placeOf = (operation: string, caller: string): number => hashOf(caller, numbers.get(operation) ?? 0) % PLACES
  return {
    wants: (operation, caller) => left > 0 && isDue(placeOf(operation, caller)),
    takes(operation, caller, isUnidentified) {
      const place = placeOf(operation, caller)
      if (left === 0 || !isDue(place) || (isUnidentified && leftUnidentified === 0)) return false
      left--
      if (isUnidentified) leftUnidentified--
      lastSecond[place] = second
      if ((lookedAt[place] as number) < FIRST_OF_DAY) lookedAt[place] = (lookedAt[place] as number) + 1
      return true
    },
    nextSecond(now) {
      second++
      left = MOST_IN_SECOND
      leftUnidentified = MOST_UNIDENTIFIED
      const day = Math.floor(now / DAY_MS)
      if (today !== undefined && day !== today) lookedAt.fill(0)
      today = day
    },
  }
}

/** How many characters at the end of a text distinguish callers: enough, because tokens end in a signature. */
const TELLING = 24

/** FNV-1a, 32 bits. */
function hashOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) | 0
  for (let at = Math.max(text.length - TELLING, 0); at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
