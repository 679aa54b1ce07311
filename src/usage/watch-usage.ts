import { setImmediate } from 'node:timers/promises'
import type { Exchange, Watch } from '../exchange/exchange.ts'
import { UNIDENTIFIED } from '../observe/traffic.ts'
import type { LookAt, LookedAt } from './look-at.ts'
import type { Seen } from './usage.ts'

/** Looks at some of the calls, after they are answered. */
export interface UsageWatch extends Pick<Watch, 'take'> {
  /** Whether it would look at a call that has just arrived. `caller` is as in `Watch`. */
  wants(operation: string, caller: string): boolean
  /** Call it once a second. @param day the number of the current day. */
  nextSecond(day: number): void
  /** Resolves when nothing is left to look at. */
  idle(): Promise<void>
}

export interface UsageWatchOptions {
  /** How to look at the calls of an operation, by its id. */
  readonly looks: ReadonlyMap<string, LookAt>
  readonly onSeen: (exchange: Exchange, seen: Seen, call: LookedAt) => void
}

/** How many calls per client, operation and day are looked at; after that, one per second. */
const FIRST_OF_DAY = 100
/** The most calls looked at per second, for all clients together. */
const MOST_IN_SECOND = 200
/** The most of these whose client no service has accepted. */
const MOST_UNIDENTIFIED = 20
/** Larger bodies are not parsed. */
export const MOST_LOOKED_AT = 256 * 1024
/** The most calls that wait to be looked at. */
const MOST_WAITING = 256
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** The longest time that the event loop is held, unless one call alone takes longer. */
const SLICE_MS = 5
/** Pairs of caller and operation share this many places, so memory does not grow with them. Two pairs in one place are looked at half as often. */
const PLACES = 2 ** 16

/** Looks at the first calls of each caller and operation a day and then at one a second, in bounded time and memory. */
export function watchUsage({ looks, onSeen }: UsageWatchOptions): UsageWatch {
  const numbers = new Map([...looks.keys()].map((id, index) => [id, index + 1]))
  /** By place: how many calls were looked at today, and the second of the last one. */
  const lookedAt = new Uint8Array(PLACES)
  const lastSecond = new Uint32Array(PLACES)
  let second = 1
  let today: number | undefined
  let left = MOST_IN_SECOND
  let leftUnidentified = MOST_UNIDENTIFIED
  const waiting: Exchange[] = []
  let bytes = 0
  let working: Promise<void> | undefined

  const isDue = (place: number): boolean => (lookedAt[place] as number) < FIRST_OF_DAY || lastSecond[place] !== second
  const placeOf = (operation: string, caller: string): number => hashOf(caller, numbers.get(operation) ?? 0) % PLACES
  const look = async (exchange: Exchange): Promise<void> => {
    const answer = await exchange.answer().catch(() => undefined)
    const lookAt = looks.get(exchange.operation)
    if (answer === undefined || lookAt === undefined) return
    const { status, body } = answer
    const call = {
      request: exchange.request,
      answer: { status, body: body.length > MOST_LOOKED_AT ? undefined : body },
    }
    onSeen(exchange, lookAt(call), call)
  }
  const work = async (): Promise<void> => {
    await setImmediate()
    let began = performance.now()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      bytes -= next.size
      await look(next)
      if (performance.now() - began < SLICE_MS) continue
      await setImmediate()
      began = performance.now()
    }
    working = undefined
  }
  return {
    wants: (operation, caller) => left > 0 && isDue(placeOf(operation, caller)),
    take(exchange) {
      const place = placeOf(exchange.operation, exchange.caller)
      const isUnidentified = exchange.countedClient === UNIDENTIFIED
      if (left === 0 || !isDue(place) || (isUnidentified && leftUnidentified === 0)) return
      const isTooMuch = exchange.request.body.length > MOST_LOOKED_AT || bytes + exchange.size > MOST_WAITING_BYTES
      if (isTooMuch || waiting.length === MOST_WAITING) return
      left--
      if (isUnidentified) leftUnidentified--
      lastSecond[place] = second
      if ((lookedAt[place] as number) < FIRST_OF_DAY) lookedAt[place] = (lookedAt[place] as number) + 1
      bytes += exchange.size
      waiting.push(exchange)
      working ??= work()
    },
    nextSecond(day) {
      second++
      left = MOST_IN_SECOND
      leftUnidentified = MOST_UNIDENTIFIED
      if (today !== undefined && day !== today) lookedAt.fill(0)
      today = day
    },
    idle: () => working ?? Promise.resolve(),
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
