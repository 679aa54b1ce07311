import { createHash } from 'node:crypto'
import { HOUR_MS } from '../common/time.ts'
import { OVERLOADED } from '../exchange/exchange.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import type { CalledList } from './called-lists.ts'
import { type AskedRequest, type ShownLine, shownLines } from './coverage/lines-to-see.ts'
import type { NotSentName } from './coverage/not-sent.ts'
import { Budget, NO_LIMIT, TooCostly } from './diff/budget.ts'
import { type Again, diff } from './diff/diff.ts'
import { type Comparison, type Difference, type Example, Findings, partOf } from './diff/difference.ts'
import { isObject, type JsonValue } from './diff/json-value.ts'
import { type Expectations, whyIgnored } from './expected/expectations.ts'
import type { Leniency } from './expected/leniency.ts'
import type { MappingLine } from './expected/mapping-lines.ts'
import type { Lineage } from './lineage.ts'
import { controlFailed, type Failure, isFailure, type ReadAnswer, type Reply, readReply } from './reply.ts'
import { requestFeatures } from './tally/circumstances.ts'

/**
 * `ignored`: the answers differ, but no difference counts. `failed`: the control gave no answer that can be compared. If the
 * candidate gives none, the outcome is `mismatched`.
 */
export type Outcome = 'matched' | 'ignored' | 'mismatched' | 'failed' | 'skipped'

/** One request with the replies of both sides. */
export interface Asked {
  readonly operation: string
  readonly expectations: Expectations
  readonly control: Reply
  readonly candidate: Reply
  /** The second answers to the same request, which tell drift from a difference; undefined: the side was not asked again. */
  readonly control2?: Reply | undefined
  readonly candidate2?: Reply | undefined
  /** The candidate's first answer came before the control's. */
  readonly candidateWasFirst?: boolean
  /** The request, to find the mapping lines that it shows; undefined: no lines are counted. */
  readonly request?: AskedRequest | undefined
  /** The line in the recording, from 1. */
  readonly line?: number | undefined
  /** A text that is equal for equal requests; see `Expectations.inputOf`. Only a hash of it is kept. */
  readonly input?: string | undefined
  /** Who made the call, if known, and when. Only hashes are kept. */
  readonly client?: string | undefined
  readonly at?: Date | undefined
  /** The client that the usage counts the call under; undefined: unknown. */
  readonly countedClient?: string | undefined
  /** What the request's headers say; see `requestFacts`. Undefined: only those in `request` are known. */
  readonly facts?: readonly string[] | undefined
  /** The client's name in the rollout file; undefined: unknown. It is not kept. */
  readonly rolloutClient?: string | undefined
  /** The status with which the call was answered when it was made; undefined: unknown. */
  readonly answeredWith?: number | undefined
  /** Returns the candidate's answer with the control's values where two copies of the service gave different ones; see `Given`. */
  readonly matched?: ((control: ReadAnswer, candidate: ReadAnswer) => ReadAnswer) | undefined
  /** The gateway made up the request: no client sent it, so it is not a unit. */
  readonly isProbe?: boolean
  /** How long the comparison may take; ms. Unset: no limit. */
  readonly budgetMs?: number | undefined
}

/** What may explain a difference: see `requestFeatures`. */
export interface Circumstance {
  /** As the usage names it; undefined: unknown. */
  readonly client: string | undefined
  readonly features: readonly string[]
  /** What was wrong with v1's answer, if it was malformed. */
  readonly malformed: string | undefined
}

/** The releases that the services report; undefined: none. */
export interface Releases {
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
  readonly sent: readonly string[] | undefined
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
  readonly input: number | undefined
  /** The client that made the call: 32 bits. */
  readonly client: number | undefined
  /** Equal for one client's equal requests within an hour: 48 bits. Undefined: no client called, as in a probe. */
  readonly unit: number | undefined
  /** When the call was made, in ms since the epoch. */
  readonly at: number | undefined
  readonly releases: Releases | undefined
  /** How long each side took; ms. Undefined: not known for both. */
  readonly durations: { readonly control: number; readonly candidate: number } | undefined
  /** The check of a write that was not sent; unset: none was made. `isTaken`: its answer made the round trip. */
  readonly writes?: { readonly isTaken: boolean; readonly dropped: readonly string[] }
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

/** Whether exchanges that are not judged for this reason showed nothing, although both sides answered. */
export const showsNothing = (reason: string): boolean => reason.startsWith('both ')

/**
 * With these statuses a service refuses whoever asks, or how often, whatever they ask: no valid token, no permission, no proxy's
 * permission, too slow, too often.
 */
const REFUSES_WHOEVER_ASKS: ReadonlySet<number> = new Set([401, 403, 407, 408, 429])
const TOO_MANY_REQUESTS = 429

const NOT_COMPARED = {
  differences: [],
  examples: [],
  counts: [],
  assumptions: [],
  coverage: [],
  notSent: [],
  sent: undefined,
  stratum: 'content',
  input: undefined,
  client: undefined,
  unit: undefined,
  at: undefined,
  releases: undefined,
  durations: undefined,
} as const

/** Makes the observation of an exchange that is never compared, such as a write. */
export function skipped(operation: string, reason: string, line?: number): Observation {
  return { ...NOT_COMPARED, operation, outcome: 'skipped', reason, isUnjudged: false, line }
}

/** Makes the observation of an exchange that should have been compared, but could not be. */
export function unjudged(operation: string, reason: string, line?: number): Observation {
  return { ...skipped(operation, reason, line), isUnjudged: true }
}

/** Compares the answers of both sides to the same request. If that takes too long, the exchange is not judged. */
export function observation(asked: Asked): Observation {
  try {
    return compared(asked)
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return unjudged(asked.operation, 'too costly', asked.line)
  }
}

function compared(asked: Asked): Observation {
  const budget = asked.budgetMs === undefined ? NO_LIMIT : new Budget(asked.budgetMs)
  const { operation, expectations, line } = asked
  const { control2, candidate2 } = asked
  if ([asked.control, asked.candidate, control2, candidate2].some((reply) => reply?.failure === OVERLOADED)) {
    return unjudged(operation, DROPPED_BY_OVERLOAD, line)
  }
  const control = readReply(asked.control, expectations)
  const candidate = readReply(asked.candidate, expectations)
  const again = asked.control2 && readReply(asked.control2, expectations)
  const failed = (failure: Failure): Observation => ({
    ...unjudged(operation, controlFailed(failure), line),
    ...{ outcome: 'failed', malformedAt: failure.at },
  })
  if (isFailure(control)) return failed(control)
  if (isFailure(again)) return failed(again)
  const refusedWith = !isFailure(candidate) && candidate.status === control.status ? refusalIn(control) : undefined
  if (refusedWith !== undefined && REFUSES_WHOEVER_ASKS.has(refusedWith)) {
    return unjudged(operation, bothRefused(refusedWith), line)
  }
  // What a client may ask how often says nothing about the answer.
  if (control.status === TOO_MANY_REQUESTS) return failed({ failure: String(TOO_MANY_REQUESTS) })
  const { request } = asked
  const sent = request && expectations.sentBy(request)
  const leniency = expectations.leniency({ client: asked.rolloutClient, sent, request })
  const { differences, examples } = isFailure(candidate)
    ? failureOf(candidate.failure, leniency)
    : diff(control, matchedBy(asked, control, candidate), again && secondLook(asked, again), budget, leniency)
  const standing = differences.filter(({ standing }) => standing !== 'drift')
  const reasons = new Map(
    standing.map((difference) => {
      budget.step()
      return [difference, whyIgnored(expectations, difference, sent)]
    }),
  )
  const counting = standing.filter((difference) => reasons.get(difference) === null)
  if (counting.length > 0 && counting.every(({ standing }) => standing === 'changed meanwhile')) {
    return unjudged(operation, 'changed meanwhile', line)
  }
  if (counting.length > 0 && again && !isFailure(candidate)) {
    const unlike = whyUnlike(control, candidate, again)
    if (unlike !== undefined) return failed({ failure: unlike })
  }
  if (refusedWith !== undefined && counting.length === 0 && wasSuccess(asked.answeredWith)) {
    return unjudged(operation, bothRefused(refusedWith), line)
  }
  const { json } = control.read
  const coverage =
    request === undefined || sent === undefined
      ? []
      : shownLines(expectations, { headers: request.headers, sent }, control, asked.candidate.code, reasons)
  const notSent = request === undefined ? [] : expectations.notSentIn(request, budget)
  return {
    operation,
    outcome: counting.length > 0 ? 'mismatched' : differences.length > 0 ? 'ignored' : 'matched',
    ...{ reason: null, isUnjudged: false, line, differences, examples },
    counts: differences.map((difference) => reasons.get(difference) === null),
    stratum: stratumOf({ status: control.status, json }, expectations.response),
    assumptions: testAssumptions(expectations, control, differences, budget),
    ...{ coverage, notSent, sent },
    ...(request !== undefined && {
      shownBy: {
        client: asked.countedClient,
        features: requestFeatures({ request, facts: asked.facts, coverage, notSent }),
        malformed: isFailure(candidate) ? candidate.malformed : undefined,
      },
    }),
    ...hashesOf(asked),
    durations: durationsOf(asked),
    releases: { v1: asked.candidate.release, legacy: asked.control.release },
    isRefusal: refusedWith !== undefined && asked.answeredWith === undefined && asked.isProbe !== true,
  }
}

const refusalIn = ({ status }: ReadAnswer): number | undefined => (status >= 400 ? status : undefined)

/** Whether a call was a success when it was made: then an equal refusal says nothing about it. Other errors show how errors are translated. */
const wasSuccess = (answeredWith: number | undefined): boolean => answeredWith !== undefined && answeredWith < 400

function durationsOf({ control, candidate }: Asked): Observation['durations'] {
  const [controlMs, candidateMs] = [control.serviceMs, candidate.serviceMs]
  return controlMs === undefined || candidateMs === undefined
    ? undefined
    : { control: controlMs, candidate: candidateMs }
}

/**
 * Why the control's second answer cannot tell drift from a difference, such as `429`; undefined: it can. If the candidate's
 * first answer had the same other status, the data changed.
 */
function whyUnlike(control: ReadAnswer, candidate: ReadAnswer, again: ReadAnswer): string | undefined {
  if (candidate.status !== control.status && candidate.status === again.status) return undefined
  if (again.status !== control.status) return String(again.status)
  return control.read.json !== undefined && again.read.json === undefined ? 'not JSON' : undefined
}

/** The difference of a candidate that gave no answer. */
function failureOf(failure: string, leniency: Leniency | undefined): Comparison {
  const findings = new Findings('status', leniency)
  findings.add({ kind: 'failure', path: '', detail: failure })
  return findings.comparison()
}

const matchedBy = ({ matched }: Asked, control: ReadAnswer, candidate: ReadAnswer): ReadAnswer =>
  matched?.(control, candidate) ?? candidate

function secondLook(asked: Asked, control: ReadAnswer): Again {
  const { candidate2, candidateWasFirst = false, expectations } = asked
  const candidate = candidate2 && readReply(candidate2, expectations)
  if (candidate === undefined || isFailure(candidate)) return { control, candidate: undefined, candidateWasFirst }
  return { control, candidate: matchedBy(asked, control, candidate), candidateWasFirst }
}

function testAssumptions(
  { assumptions }: Expectations,
  { status, read: { json } }: ReadAnswer,
  differences: readonly Difference[],
  budget: Budget,
): Observation['assumptions'] {
  const part = partOf(status)
  if (json === undefined || differences.some(({ part: where }) => where === 'status')) return []
  const tested: { readonly line: MappingLine; readonly holds: boolean }[] = []
  for (const assumption of assumptions) {
    if (assumption.part !== part) continue
    const { line } = assumption
    const refutes = (difference: Difference): boolean => {
      budget.step()
      return assumption.isRefutedBy(difference)
    }
    if (differences.some(refutes)) tested.push({ line, holds: false })
    else if (assumption.isIn(json)) tested.push({ line, holds: true })
  }
  return tested
}

/** Returns hashes that tell requests, clients and units apart and reveal nothing about them. */
export function hashesOf({
  input,
  client,
  at,
  isProbe = false,
}: Pick<Asked, 'input' | 'client' | 'at' | 'isProbe'>): Pick<Observation, 'input' | 'client' | 'unit' | 'at'> {
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
