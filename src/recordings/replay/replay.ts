import {
  type AskAgain,
  type Asked,
  observation,
  observeAndConfirm,
} from '../../control-plane/evidence/compare-answers.ts'
import { readBody } from '../../control-plane/evidence/diff/json-value.ts'
import type { Expectations } from '../../control-plane/evidence/expected/expectations.ts'
import { BOTH_EMPTY, type Observation, skipped, stratumOf, unjudged } from '../../control-plane/evidence/observation.ts'
import { type Reply, replyOf } from '../../control-plane/evidence/reply.ts'
import type { Given } from '../../control-plane/evidence/writes/given-values.ts'
import type { ExchangeRequest, SideAnswer } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { BadEntry, RecordedExchange, UnplayableCall } from '../recorded-exchange.ts'
import { BUDGET_MS, compareWithRecording, type Recorded } from './against-recording.ts'

/** Sends a legacy request to a side, with the side's own credentials. Rejects if there is no answer. */
export type Ask = (request: ExchangeRequest) => Promise<SideAnswer>

/** A probe, which makes up the entries, and decides by the control's answers what to ask next. */
export interface ProbeListener {
  /** Called before each call of a side. */
  asking(side: 'control' | 'candidate'): void
  /** Called with the control's first answer to an entry. */
  answered(line: number, control: Reply): void
  /** Called when nothing more is asked for an entry, regardless of the outcome. */
  ended(line: number): void
}

/** How an exchange is compared by the mapping in force, beside one that is tried. */
export interface InForce {
  readonly askCandidate: Ask
  readonly expectations: Expectations
  readonly record: (observation: Observation) => void
}

export interface ReplayOptions {
  /** Undefined: the exchange is left out. */
  readonly planOf: (exchange: RecordedExchange) => Plan | undefined
  readonly askControl: Ask
  readonly askCandidate: Ask
  readonly expectations: (operation: string) => Expectations
  /** Returns the mapping in force of an operation, if another one is tried; undefined: both are the same. Unset: none is tried. */
  readonly inForce?: ((operation: string) => InForce | undefined) | undefined
  /** Returns what to learn from an exchange of an operation, and which lines to try. */
  readonly learning: (operation: string) => Pick<Asked, 'learning' | 'trial'>
  /** Returns the values that both sides gave in writes, for an operation. Unset: no write is sent. */
  readonly given?: ((operation: string) => Given) | undefined
  /** Set if the control is what was recorded: it is not asked, and nothing is asked twice. No write is sent. */
  readonly recorded?: Recorded | undefined
  /** Whether the control is always asked twice. Writes are never sent twice. */
  readonly repeatControl: boolean
  /** Whether both sides are asked once more if their answers differ. Writes are never sent twice. */
  readonly confirm: boolean
  /** The most exchanges under way at a time. */
  readonly concurrency: number
  /** Resolves when the next exchange may start. */
  readonly pace: () => Promise<void>
  readonly record: (observation: Observation) => void
  /** The probe that makes up the entries; they are not clients' calls, so they are not units. Unset: a recording has them. */
  readonly probe?: ProbeListener | undefined
  /** Once aborted, no further exchange starts, and those under way are not counted. */
  readonly signal: AbortSignal
}

/**
 * Sends recorded requests to both sides and compares their answers. Entries are read on demand: only those under way are
 * in memory. Writes keep the order of the recording on both sides: each waits for everything before it, and everything after it
 * waits for the write.
 */
export async function replay(
  entries: AsyncIterable<RecordedExchange | BadEntry>,
  options: ReplayOptions,
): Promise<void> {
  const { planOf, concurrency, pace, record, probe, signal } = options
  const { recorded } = options
  const compare = (...call: Compared): Promise<Observation | undefined> =>
    recorded === undefined ? compareSides(options, ...call) : compareWithRecording(options, recorded, ...call)
  const underWay = new Set<Promise<unknown>>()
  for await (const entry of entries) {
    if (signal.aborted) break
    if ('problem' in entry) {
      const observed = entry.call && notReplayed(planOf, entry.line, entry.call)
      if (observed !== undefined) record(observed)
      continue
    }
    const plan = planOf(entry)
    if (plan === undefined) continue
    if ('skip' in plan) {
      record(skipped(plan.operation.id, plan.skip, entry.line))
      probe?.ended(entry.line)
      continue
    }
    const isWrite = plan.operation.effect === 'write'
    if (isWrite) await Promise.all(underWay)
    await pace()
    if (signal.aborted) break
    const asked: Promise<unknown> = compare(plan.operation, plan.request, entry).then((result) => {
      // A rejected promise stays in the set, so that the next wait rejects with it.
      underWay.delete(asked)
      if (result !== undefined) record(result)
    })
    // Also after an error, so that a probe does not wait for it.
    asked.catch(() => undefined).finally(() => probe?.ended(entry.line))
    underWay.add(asked)
    if (isWrite) await asked
    else if (underWay.size >= concurrency) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

/** Makes the observation of a call that cannot be replayed as it was. It is not judged, unless it is skipped or left out anyway. */
function notReplayed(
  planOf: ReplayOptions['planOf'],
  line: number,
  { why, ...call }: UnplayableCall,
): Observation | undefined {
  const plan = planOf({ ...call, line, headers: {} })
  if (plan === undefined) return undefined
  return 'skip' in plan ? skipped(plan.operation.id, plan.skip, line) : unjudged(plan.operation.id, why, line)
}

type Compared = [operation: ReplayedOperation, request: ExchangeRequest, exchange: RecordedExchange]

/** Compares the two sides' answers to one request, asked in turn; undefined: aborted. */
async function compareSides(
  options: ReplayOptions,
  ...[{ id, effect }, request, exchange]: Compared
): Promise<Observation | undefined> {
  const { askControl, askCandidate, given, expectations, learning, repeatControl, confirm, probe, signal } = options
  const { line, client, at, answer, status } = exchange
  const isRead = effect !== 'write'
  const expected = expectations(id)
  const values = given?.(id)
  const ask: AskAgain = {
    control() {
      probe?.asking('control')
      return replyOf(askControl(values?.requestFor('control', request) ?? request))
    },
    candidate() {
      probe?.asking('candidate')
      return replyOf(askCandidate(values?.requestFor('candidate', request) ?? request))
    },
  }
  const control = await ask.control()
  probe?.answered(line, control)
  const candidate = await ask.candidate()
  values?.learn(answer, control, candidate)
  const isRepeated = repeatControl && isRead && control.status !== undefined && !signal.aborted
  const control2 = isRepeated ? await ask.control() : undefined
  const mayAskAgain = confirm && isRead && !signal.aborted
  const asked = {
    ...{ operation: id, request, line, client, countedClient: client, at, budgetMs: BUDGET_MS },
    ...{ isProbe: probe !== undefined, control, control2, answeredWith: status },
  }
  const observed = await observeAndConfirm(
    {
      ...{ ...asked, expectations: expected, input: expected.inputOf(request), candidate, matched: values?.matched },
      ...learning(id),
    },
    mayAskAgain ? ask : undefined,
    observation,
  )
  // A write is never sent twice.
  const inForce = isRead && !signal.aborted ? options.inForce?.(id) : undefined
  if (inForce !== undefined) {
    const askNow = () => replyOf(inForce.askCandidate(request))
    const now = { expectations: inForce.expectations, input: inForce.expectations.inputOf(request) }
    inForce.record(
      await observeAndConfirm(
        { ...asked, ...now, candidate: await askNow() },
        mayAskAgain ? { control: ask.control, candidate: askNow } : undefined,
        observation,
      ),
    )
  }
  if (signal.aborted) return undefined
  const isEmpty = observed.stratum === 'empty' && observed.outcome !== 'mismatched'
  return isEmpty && hadContent(answer, expected) ? unjudged(id, BOTH_EMPTY, line) : observed
}

/** Whether a recorded answer has content. */
function hadContent(answer: Uint8Array | undefined, { response }: Expectations): boolean {
  const { json } = answer === undefined ? { json: undefined } : readBody(answer)
  return json !== undefined && stratumOf({ status: 200, json }, response) === 'content'
}

/** The parts of a mapping that decide whether a request is sent. */
export type ReplayedOperation = Pick<Operation, 'id' | 'effect' | 'v1' | 'login'>

/** Whether a recorded request is sent to both sides, or skipped for a reason. */
type Plan =
  | { readonly operation: ReplayedOperation; readonly request: ExchangeRequest }
  | { readonly operation: { readonly id: string }; readonly skip: string }

export interface PlanOptions {
  /** Returns undefined if no operation has this method and path. */
  readonly find: (method: string, path: string) => ReplayedOperation | undefined
  /** Path prefixes under which clients may have been served, without a trailing slash. */
  readonly prefixes: readonly string[]
  readonly includeWrites: boolean
  /** The operations to replay; unset: all. */
  readonly only?: readonly string[] | undefined
}

/** The operation under which exchanges without a known operation are counted. */
export const UNKNOWN = 'unknown'

/** Decides whether a recorded request is sent or skipped (docs/decisions/0066 and docs/decisions/0047), or left out. */
export function planOf(
  { find, prefixes, includeWrites, only }: PlanOptions,
  exchange: RecordedExchange,
): Plan | undefined {
  const found = findCall(find, prefixes, exchange)
  if (only?.includes(found?.operation.id ?? UNKNOWN) === false) return undefined
  if (found === undefined) return { operation: { id: UNKNOWN }, skip: 'no known operation' }
  const { operation, request } = found
  const skip = whyNot(operation, includeWrites)
  return skip === null ? { operation, request } : { operation, skip }
}

/**
 * Returns the operation of a recorded request, and the request as the legacy service knows it; undefined: no operation matches.
 * @param prefixes path prefixes under which clients may have been served, without a trailing slash.
 */
export function findCall<Found>(
  find: (method: string, path: string) => Found | undefined,
  prefixes: readonly string[],
  exchange: RecordedExchange,
): { readonly operation: Found; readonly request: ExchangeRequest } | undefined {
  const { method, path: target, headers, body = new Uint8Array() } = exchange
  const queryAt = target.indexOf('?')
  const written = queryAt === -1 ? target : target.slice(0, queryAt)
  const query = queryAt === -1 ? '' : target.slice(queryAt + 1)
  for (const path of [written, ...withoutPrefix(written, prefixes)]) {
    const operation = find(method, path)
    if (operation !== undefined) return { operation, request: { method, path, query, headers, body } }
  }
  return undefined
}

function withoutPrefix(path: string, prefixes: readonly string[]): readonly string[] {
  return prefixes.filter((prefix) => path.startsWith(`${prefix}/`)).map((prefix) => path.slice(prefix.length))
}

/** Says why an operation is skipped. Logins are skipped because recordings hold no credentials, and each side issues its own token. */
function whyNot({ v1, login, effect }: ReplayedOperation, includeWrites: boolean): string | null {
  if (v1 === undefined) return 'v1 has no equivalent'
  if (login !== undefined) return 'a login'
  return effect === 'write' && !includeWrites ? 'a write' : null
}

/** The clock that pacing uses. */
interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Resolves after `milliseconds`, or earlier if the replay is aborted. */
  sleep(milliseconds: number): Promise<void>
}

/**
 * Returns a function that resolves at most `perSecond` times a second, evenly spaced; undefined: without a limit. After an idle
 * time there is no burst.
 */
export function pacer(perSecond: number | undefined, { now, sleep }: Clock): () => Promise<void> {
  if (perSecond === undefined) return async () => undefined
  const gap = 1_000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const wait = next - now()
    next = Math.max(next, now()) + gap
    if (wait > 0) await sleep(wait)
  }
}

/** Thrown when a replay cannot run; the message says why and holds no secret. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}
