import { createHmac, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '../../common/time.ts'
import { failureOf } from './errors/translate-error.ts'
import type { Call } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { clientOf, countedName } from './login/client-names.ts'
import type { KnownTokens } from './login/known-tokens.ts'

/** The header that says that a write failed and may have been carried out, in lower case. Its value is `unknown`. */
const OUTCOME = 'x-gateway-outcome'

/** Adds the header that says that the outcome of a write is unknown. */
export const withUnknownOutcome = (answer: LegacyAnswer): LegacyAnswer => ({
  ...answer,
  headers: { ...answer.headers, [OUTCOME]: 'unknown' },
})

/** What is known of an answered write beside its answer. */
export interface WriteOutcome {
  /** Whether it failed, and the service may have carried it out. */
  readonly isUnknown: boolean
  /** The write of unknown outcome that it repeats; undefined: it repeats none. */
  readonly repeats: RepeatedWrite | undefined
}

/** A write that a client sent again, after an outcome that nobody knows. */
export interface RepeatedWrite {
  readonly first: SentWrite
  readonly again: SentWrite
  /**
   * Whether the service carried both out. `probably`: it carried out the second, and had the first without saying that it failed.
   * `no`: it refused the second, or did not get it. `possibly`: anything else.
   */
  readonly twice: 'probably' | 'possibly' | 'no'
}

/** One of the two, as the client knows it. */
export interface SentWrite {
  readonly requestId: string
  /** When it arrived; ms since the epoch. */
  readonly at: number
  readonly status: number
}

/** How a write ended. */
interface Ended {
  readonly status: number
  /** What the call threw, if anything. */
  readonly error: unknown
  /** When it arrived; ms of the same clock as `now`. */
  readonly started: number
}

/** Remembers the writes of unknown outcome of this process, and recognises those that repeat one. */
export interface UnknownOutcomes {
  /**
   * Takes a write once its answer is known, and returns what is known beside; undefined: nothing. Reads no body while its client
   * has had no unknown outcome in that operation lately.
   */
  settle(call: Call, body: Uint8Array, ended: Ended): WriteOutcome | undefined
}

/** For how long after its end a write of unknown outcome is remembered, and how many are. */
const REMEMBERED_MS = 15 * MINUTE_MS
export const MOST_REMEMBERED = 10_000

interface Remembered extends SentWrite {
  readonly ended: number
  /** Whether the service had it, and did not say that it failed. */
  readonly isLikelyDone: boolean
}

/** @param now ms of a clock that only goes forward. */
export function unknownOutcomes(
  knownTokens: Pick<KnownTokens, 'get'>,
  now: () => number = () => performance.now(),
): UnknownOutcomes {
  // The hashes never leave this process, so nobody else needs the key.
  const key = randomBytes(32)
  /** By keyed hash of operation, client and body; the oldest first. */
  const writes = new Map<string, Remembered>()
  /** When clients last had an unknown outcome, by operation and client; the oldest first. */
  const clients = new Map<string, number>()

  const forget = (before: number): void => {
    for (const [hash, { ended }] of writes) {
      if (ended >= before && writes.size <= MOST_REMEMBERED) break
      writes.delete(hash)
    }
    for (const [client, ended] of clients) {
      if (ended >= before && clients.size <= MOST_REMEMBERED) break
      clients.delete(client)
    }
  }
  return {
    settle(call, body, { status, error, started }) {
      const isUnknown = isOutcomeUnknown(call, status)
      if (writes.size === 0 && !isUnknown) return undefined
      forget(started - REMEMBERED_MS)
      const client = `${call.operation?.mapping.id} ${nameOf(call, knownTokens)}`
      if (!isUnknown && !clients.has(client)) return undefined
      const hash = createHmac('sha256', key)
        .update(`${client} ${call.request.query}\n`)
        .update(body)
        .digest('base64url')
      const sent = { requestId: call.request.requestId, at: call.at, status }
      const earlier = writes.get(hash)
      // A call that was under way when the other one ended repeats nothing: its client did not know.
      const first = earlier !== undefined && earlier.ended <= started ? earlier : undefined
      const isDone = status >= 200 && status < 300
      if (isUnknown) {
        const ended = now()
        writes.delete(hash)
        writes.set(hash, { ...sent, ended, isLikelyDone: isLikelyDone(call, error) })
        clients.delete(client)
        clients.set(client, ended)
        forget(0)
      } else if (isDone && first !== undefined && call.caller?.gone === undefined) {
        // From now on the client knows. What it sends next, it means.
        writes.delete(hash)
      }
      if (first === undefined) return isUnknown ? { isUnknown, repeats: undefined } : undefined
      const { requestId, at, status: before } = first
      const both = isDone && first.isLikelyDone ? 'probably' : 'possibly'
      const twice = isDone || isUnknown ? both : 'no'
      return { isUnknown, repeats: { first: { requestId, at, status: before }, again: sent, twice } }
    },
  }
}

/**
 * Returns who sent a call, as its calls count, also for a token that the client got at another login; for calls that count for nobody,
 * what tells them apart.
 */
const nameOf = (call: Call, knownTokens: Pick<KnownTokens, 'get'>): string => {
  const { client } = call.credentials
  const { authorization } = call.request.headers
  const known = authorization === undefined ? undefined : knownTokens.get(authorization)?.name
  return client === undefined ? (known ?? clientOf(call)) : countedName(client)
}

/** Statuses with which a service says that it has not carried a call out (RFC 9110 sections 15.5, 15.6.2 and 15.6.4). */
const isNotDone = (status: number): boolean => (status >= 400 && status < 500) || status === 501 || status === 503

/** Whether a write failed although bytes of it may have left, and the service has not said that it did nothing. */
function isOutcomeUnknown(call: Call, status: number): boolean {
  if (status < 500 || call.operation?.mapping.effect !== 'write') return false
  const { asking, answered } = askedOf(call)
  return asking.hasLeft && (answered === undefined || !isNotDone(answered))
}

/** Whether a write of unknown outcome is likely done: the service answered a success that could not be used, or took too long. */
function isLikelyDone(call: Call, error: unknown): boolean {
  const { answered } = askedOf(call)
  if (answered === undefined) return failureOf(error) === 'timeout' || failureOf(error) === 'too-large'
  return (answered >= 200 && answered < 300) || answered === 504
}

/** Returns what happened at the service that answers the call; `answered`: the status that it answered. */
const askedOf = ({ notes }: Call) =>
  notes.answeredBy === 'v1'
    ? { asking: notes.v1Asking, answered: notes.v1Status }
    : { asking: notes.legacyAsking, answered: notes.legacyStatus }
