import type { BothAnswers, Side } from '../../exchange/exchange.ts'
import { type Asking, notAsked } from '../upstream/guard.ts'
import { Holder } from '../upstream/memory-budget.ts'
import type { BodyCapture } from './body-capture.ts'
import type { WriteOutcome } from './unknown-outcomes.ts'

/** Findings of the steps of a call, for the log, the metrics, and the exchange that is compared or recorded. Each step writes its part. */
export interface Notes {
  /** The memory of the budget that the call holds: for its request, then for its answer. Only the budget changes what is held. */
  readonly memory: Holder
  /** When each service was asked. Only the guards change them. */
  readonly v1Asking: Asking
  readonly legacyAsking: Asking
  /** The body of a write, until it is answered; undefined: the call is none, or its body has not been read. */
  writeBody: Uint8Array | undefined
  /** What is known of a write whose outcome is unknown, or that repeats such a write; undefined: neither. */
  outcome: WriteOutcome | undefined
  answeredBy: Side
  /** The legacy members that are not sent to v1. */
  dropped: ReadonlySet<string>
  /** The client that logged in with this call. */
  loggedIn: string | undefined
  /** The bodies, to be compared, recorded or looked at; undefined: nobody wants them. */
  capture: BodyCapture | undefined
  /** What both services made of the call, once they have answered; never rejects. Undefined: nobody wants to know, or not both were asked. */
  both: Promise<BothAnswers> | undefined
  /** The number of the brownout that refused the call; undefined: none did. */
  brownout: number | undefined
  /** Whether the client asks for its own guide, which does not count as use of the legacy interface. */
  isGuide: boolean
  /** The number of v1 calls, and their total time. */
  v1Calls: number
  v1Milliseconds: number
  /** Of v1's last answer. */
  v1Status: number | undefined
  /** The `Content-Type` of v1's last answer. */
  v1Type: string | undefined
  /** The release that v1 reports; undefined: none, or v1 was not asked. */
  v1Release: string | undefined
  /** How long v1 took for its last answer, from the request written to the last byte read. */
  v1ServiceMs: number | undefined
  /** The same of calls of v1 that served this call and others. */
  sharedServiceMs: number | undefined
  /** The legacy service's status, if it was asked. */
  legacyStatus: number | undefined
  /** The time to its first byte. */
  legacyMilliseconds: number
  /** The time to its last byte. */
  legacyServiceMs: number | undefined
}

const NOTHING: ReadonlySet<string> = new Set()

/** Creates the notes of a call. */
export const newNotes = (): Notes => ({
  memory: new Holder(),
  v1Asking: notAsked(),
  legacyAsking: notAsked(),
  writeBody: undefined,
  outcome: undefined,
  answeredBy: 'v1',
  dropped: NOTHING,
  loggedIn: undefined,
  capture: undefined,
  both: undefined,
  brownout: undefined,
  isGuide: false,
  v1Calls: 0,
  v1Milliseconds: 0,
  v1Status: undefined,
  v1Type: undefined,
  v1Release: undefined,
  v1ServiceMs: undefined,
  sharedServiceMs: undefined,
  legacyStatus: undefined,
  legacyMilliseconds: 0,
  legacyServiceMs: undefined,
})

/**
 * Returns how long a side took, from the request written to the last byte read. If v1 was asked for several pages, from the first request
 * to the last byte of all. Undefined: it was not asked.
 */
export function serviceMs(notes: Notes, side: Side): number | undefined {
  if (side === 'legacy') return notes.legacyServiceMs
  if (notes.sharedServiceMs !== undefined) return notes.sharedServiceMs
  if (notes.v1Calls === 1) return notes.v1ServiceMs
  const { since, until } = notes.v1Asking
  return since === undefined || until === undefined ? undefined : until - since
}

/** Adds calls of v1 that served this call and others, after they have ended. */
export function addSharedCalls(notes: Notes, shared: Notes): void {
  notes.sharedServiceMs = notes.v1Calls === 0 ? serviceMs(shared, 'v1') : undefined
  notes.v1Calls += shared.v1Calls
  notes.v1Milliseconds += shared.v1Milliseconds
  notes.v1Status = shared.v1Status
  notes.v1Type = shared.v1Type
  notes.v1Release = shared.v1Release
}
