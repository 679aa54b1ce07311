import { hash } from 'node:crypto'
import type { Exchange } from '../../exchange/exchange.ts'
import { NO_LIMIT } from './diff/budget.ts'
import type { Expectations } from './expected/expectations.ts'
import { languageOf } from './reply.ts'

/**
 * One list of an operation: the answer to the same parameters, language and, if v1 answers by token, client. The gateway caches
 * each by itself. Calls with a parameter that v1 does not get are another list, because legacy may answer them otherwise; by the
 * parameter's name alone, since some programs send a new value with each call (`_=1700000000000`).
 */
export interface CalledList {
  /** 48 bits, which tell lists apart and reveal nothing about them. */
  readonly id: number
  /** Which parameters the list has, without their values, and its language: `code, search (tr)`, `code; companyId not sent (tr)`. */
  readonly says: string
}

/** The most lists that are remembered, so that their ids are not computed for each call. */
const REMEMBERED = 1_000

/** The most names of parameters that v1 does not get in the words for a list, and the longest; a client may send any. */
const MOST_NAMES = 3
const LONGEST_NAME = 60

/** Returns a function that says which list a call asks for; undefined: the operation does not answer with a whole list. */
export function listReader(
  expectations: (operation: string) => Expectations,
): (exchange: Pick<Exchange, 'operation' | 'request' | 'client'>) => CalledList | undefined {
  const lists = new Map<string, CalledList>()
  return ({ operation, request, client }) => {
    const expected = expectations(operation)
    if (expected.response.kind !== 'whole-list') return undefined
    const whose = expected.isByToken ? (client ?? '') : ''
    const key = `${operation}\n${expected.mapping}\n${languageOf(request.headers)}\n${whose}\n${request.query}`
    const remembered = lists.get(key)
    if (remembered !== undefined) return remembered
    const notSent = expected.notSentIn(request, NO_LIMIT).map(({ legacy }) => legacy)
    const text = [operation, whose, expected.inputOf(request), ...notSent.toSorted()].join('\n')
    const list = {
      id: Number.parseInt(hash('sha256', text).slice(0, 12), 16),
      says: inWords(expected.sentBy(request), notSent, request),
    }
    if (lists.size >= REMEMBERED) lists.clear()
    lists.set(key, list)
    return list
  }
}

function inWords(sent: readonly string[], notSent: readonly string[], { headers }: Exchange['request']): string {
  const parameters = sent.length === 0 ? 'no parameters' : sent.join(', ')
  const named = notSent.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME))
  const others = notSent.length > named.length ? ', …' : ''
  return `${parameters}${named.length === 0 ? '' : `; ${named.join(', ')}${others} not sent`} (${languageOf(headers)})`
}

/** The shortest time between two readings of the same list; ms. */
const EVERY_MS = 10_000
/** The most lists whose readings are remembered. Of more, those read longest ago are forgotten. */
const MOST_READINGS = 10_000

/** Why a call for a list does not wait for a turn: the reason for skipping it, which is literally true. */
export const NO_TURN = {
  lately: 'a reading of the same list began less than 10 s before',
  waits: 'a call for the same list waits to be compared',
} as const

/** Calls whose lists have to be read again to be compared. The lists take turns: one is read at a time. */
interface ListTurns<Waiting> {
  /**
   * Lets a call wait for the turn of its list. Returns why it does not have to; undefined: it waits, or was dropped. Of more than
   * `most` lists, the newest of the client with the most of them is dropped, so a client that varies a filter without end takes
   * turns from itself only.
   */
  add(list: number, client: string | undefined, waiting: Waiting, most: number): string | undefined
  /**
   * Takes the call whose list comes next: one that was never read, otherwise the one read longest ago. Undefined: none waits, or a
   * list is being read. The list counts as read from now on; call `ended` when its reading is over.
   */
  next(): Waiting | undefined
  ended(): void
  /** The number of lists that wait. */
  readonly length: number
  readonly isReading: boolean
  /** Removes all that wait. */
  clear(): readonly Waiting[]
}

interface Place<Waiting> {
  readonly client: string | undefined
  readonly waiting: Waiting
}

/**
 * Creates turns of which each list has one every ten seconds at most.
 * @param now returns milliseconds of a monotonic clock.
 * @param onDropped called with each call that gets no turn because too many lists wait.
 */
export function listTurns<Waiting>(now: () => number, onDropped: (waiting: Waiting) => void): ListTurns<Waiting> {
  /** When the last reading of a list began; the one read longest ago comes first. */
  const readAt = new Map<number, number>()
  /** By list, in the order of arrival. */
  const places = new Map<number, Place<Waiting>>()
  let isReading = false

  /** Returns the newest list of the client with the most lists. */
  const newestOfLargest = (): number => {
    const counts = new Map<string | undefined, { lists: number; newest: number }>()
    for (const [list, { client }] of places) {
      counts.set(client, { lists: (counts.get(client)?.lists ?? 0) + 1, newest: list })
    }
    return [...counts.values()].reduce((largest, one) => (one.lists >= largest.lists ? one : largest)).newest
  }

  return {
    add(list, client, waiting, most) {
      const last = readAt.get(list)
      if (last !== undefined && now() - last < EVERY_MS) return NO_TURN.lately
      if (places.has(list)) return NO_TURN.waits
      places.set(list, { client, waiting })
      if (places.size > most) {
        const dropped = newestOfLargest()
        const place = places.get(dropped) as Place<Waiting>
        places.delete(dropped)
        onDropped(place.waiting)
      }
      return undefined
    },
    next() {
      if (isReading || places.size === 0) return undefined
      let [first = Number.NaN] = places.keys()
      for (const list of places.keys()) {
        if ((readAt.get(list) ?? Number.NEGATIVE_INFINITY) < (readAt.get(first) ?? Number.NEGATIVE_INFINITY))
          first = list
      }
      const { waiting } = places.get(first) as Place<Waiting>
      places.delete(first)
      readAt.delete(first)
      readAt.set(first, now())
      const [oldest] = readAt.keys()
      if (readAt.size > MOST_READINGS && oldest !== undefined) readAt.delete(oldest)
      isReading = true
      return waiting
    },
    ended() {
      isReading = false
    },
    get length() {
      return places.size
    },
    get isReading() {
      return isReading
    },
    clear() {
      const all = Array.from(places.values(), ({ waiting }) => waiting)
      places.clear()
      return all
    },
  }
}
