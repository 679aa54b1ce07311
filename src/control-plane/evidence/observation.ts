import { createHash } from 'node:crypto'
import { HOUR_MS } from '../../common/time.ts'
import { OVERLOADED } from '../../exchange/exchange.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import type { CalledList } from './called-lists.ts'
import type { ShownLine } from './coverage/lines-to-see.ts'
import type { NotSentName } from './coverage/not-sent.ts'
import type { Difference, Example } from './diff/difference.ts'
import { isObject, type JsonValue } from './diff/json-value.ts'
import type { MappingLine } from './expected/mapping-lines.ts'
import type { Lineage } from './lineage.ts'
import type { Learned } from './proposals/learned.ts'
import type { TrialResult } from './proposals/trial.ts'

/**
 * `ignored`: the answers differ, but no difference counts. `failed`: the control gave no answer that can be compared. If the
 * candidate gives none, the outcome is `mismatched`.
 */
export type Outcome = 'matched' | 'ignored' | 'mismatched' | 'failed' | 'skipped'

/** What may explain a difference: see `requestFeatures`. */
interface Circumstance {
  /** As the usage names it; undefined: unknown. */
  readonly client: string | undefined
  readonly features: readonly string[]
  /** What was wrong with v1's answer, if it was malformed. */
  readonly malformed: string | undefined
}

/** The releases that the services report; undefined: none. */
interface Releases {
  readonly v1: string | undefined
  readonly legacy: string | undefined
}

/** The result of one comparison. Only `examples` holds values of bodies. */
export interface Observation {
  readonly operation: string
  readonly outcome: Outcome
  /** How the control failed (`control: 503`), or why the exchange was skipped; null: it was compared. */
  readonly reason: string | null
  /** Where the control's answer stops being JSON, in bytes from 0; unset: it is not malformed, or not there. */
  readonly malformedAt?: number | undefined
  /** The exchange should have been compared, but could not be; `reason` says why. */
  readonly isUnjudged: boolean
  /** What the control's answer shows. */
  readonly stratum: Stratum
  readonly differences: readonly Difference[]
  /** One per difference, at the same index. Personal data: never stored. */
  readonly examples: readonly Example[]
  /** Whether each difference counts, at the same index. */
  readonly counts: readonly boolean[]
  /** The members of the mapping's request that the call sends; undefined: unknown. */
  readonly sent?: readonly string[] | undefined
  /** The assumed mapping lines that this exchange confirms or refutes. */
  readonly assumptions: readonly { readonly line: MappingLine; readonly holds: boolean }[]
  /** The mapping lines that this exchange shows. */
  readonly coverage: readonly ShownLine[]
  /** What the request has and v1 does not get. */
  readonly notSent: readonly NotSentName[]
  /** Who made the call and what its request is like, to find out who shows a difference; unset: unknown. */
  readonly shownBy?: Circumstance
  readonly line: number | undefined
  /** 32 bits. */
  readonly input?: number | undefined
  /** The client that made the call: 32 bits. */
  readonly client?: number | undefined
  /** Equal for one client's equal requests within an hour: 48 bits. Undefined: no client called, as in a probe. */
  readonly unit?: number | undefined
  /** When the call was made, in ms since the epoch. */
  readonly at?: number | undefined
  readonly releases?: Releases | undefined
  /** How long each side took; ms. Undefined: not known for both. */
  readonly durations?: { readonly control: number; readonly candidate: number } | undefined
  /** What the exchange says about lines that could explain differences; unset: nothing. */
  readonly learned?: Learned
  /** The same comparison with the certain lines in force; unset: it was not made. */
  readonly trial?: TrialResult
  /** The check of a write that was not sent; unset: none was made. `isTaken`: its answer made the round trip. */
  readonly writes?: { readonly isTaken: boolean; readonly dropped: readonly string[] }
  /** A copy of v1 gave the candidate's answer, so its duration says nothing about v1's. */
  readonly isCopied?: true
  /** The list that the call asked for, if a whole list answers it, and when it was called; unset: it is not counted. */
  readonly list?: CalledList & { readonly at: number }
  /** Both sides refused it alike, and nobody knows how it was answered before. */
  readonly isRefusal?: boolean
  /** The calls of the operation since the last observation that were not selected for comparison. */
  readonly notDrawn?: number
  /** The versions that it belongs to; unset: its releases and the mapping in use. */
  readonly lineage?: Lineage
}

/** The reason for an exchange for which the gateway itself had no memory or no slot to ask a side. */
export const DROPPED_BY_OVERLOAD = `dropped: ${OVERLOADED}`

/** The reason why an exchange that both sides refuse alike is not judged. */
export const bothRefused = (status: number): string => `both refused: ${status}`

/** The reason for an exchange that was answered with content when it was recorded, and that both sides answer without any. */
export const BOTH_EMPTY = 'both empty, unlike the recording'

/** The reason for an exchange that was answered or compared while its operation's mapping was corrected: it proves nothing of the new one. */
export const MAPPING_CHANGED = 'the mapping was changed'

/** Whether exchanges that are not judged for this reason showed nothing, although both sides answered. */
export const showsNothing = (reason: string): boolean => reason.startsWith('both ')

const NOT_COMPARED = {
  differences: [],
  examples: [],
  counts: [],
  assumptions: [],
  coverage: [],
  notSent: [],
  stratum: 'content',
} as const

/** Makes the observation of an exchange that is never compared, such as a write. */
export function skipped(operation: string, reason: string, line?: number): Observation {
  return { ...NOT_COMPARED, operation, outcome: 'skipped', reason, isUnjudged: false, line }
}

/** Makes the observation of an exchange that should have been compared, but could not be. */
export function unjudged(operation: string, reason: string, line?: number): Observation {
  return { ...skipped(operation, reason, line), isUnjudged: true }
}

/** Tells a request from others: what it asks, who made it and when. */
export interface RequestIdentity {
  /** A text that is equal for equal requests; see `Expectations.inputOf`. Only a hash of it is kept. */
  readonly input?: string | undefined
  /** Who made the call, if known, and when. Only hashes are kept. */
  readonly client?: string | undefined
  readonly at?: Date | undefined
  /** The gateway made up the request: no client sent it, so it is not a unit. */
  readonly isProbe?: boolean
}

type Hashes = Pick<Observation, 'input' | 'client' | 'unit' | 'at'>

/** Returns hashes that tell requests, clients and units apart and reveal nothing about them. */
export function hashesOf({ input, client, at, isProbe = false }: RequestIdentity): Hashes {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  const hour = at === undefined ? '' : Math.floor(at.getTime() / HOUR_MS)
  return {
    input: input === undefined ? undefined : hash(input).readUInt32BE(0),
    client: client === undefined ? undefined : hash(client).readUInt32BE(0),
    unit: input === undefined || isProbe ? undefined : hash(`${hour}\n${client ?? ''}\n${input}`).readUIntBE(0, 6),
    at: at?.getTime(),
  }
}

/**
 * What the control's answer shows: `content`, a success with at least one row, item or member beyond the envelope; `empty`, a
 * success without; or an `error`. Only content proves that answers match.
 */
export type Stratum = 'content' | 'empty' | 'error'
export const STRATA: readonly Stratum[] = ['content', 'empty', 'error']

/** @param json undefined: the answer has no body, or one that is not JSON; a success then counts as content. */
export function stratumOf(
  { status, json }: { readonly status: number; readonly json: JsonValue | undefined },
  response: ResponseMapping,
): Stratum {
  if (status >= 400) return 'error'
  if (json === undefined) return 'content'
  const rows = response.kind === 'page' && isObject(json) ? json[response.rows.at] : json
  return hasContent(rows ?? null) ? 'content' : 'empty'
}

function hasContent(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.values(value).some(hasContent) : value !== null
}
