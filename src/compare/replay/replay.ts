import type { ExchangeRequest, SideAnswer } from '../../exchange/exchange.ts'
import type { BadEntry, RecordedExchange, UnplayableCall } from '../../recording/recorded-exchange.ts'
import { type AskAgain, observeAndConfirm } from '../confirm.ts'
import { readBody } from '../diff/json-value.ts'
import type { Expectations } from '../expected/expectations.ts'
import { BOTH_EMPTY, type Observation, observation, skipped, unjudged } from '../observe-exchange.ts'
import type { Reply } from '../read-reply.ts'
import { replyOf } from '../reply-of.ts'
import { stratumOf } from '../strata.ts'
import type { Given } from './given-book.ts'
import type { Plan, ReplayedOperation } from './replay-plan.ts'

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

export interface ReplayOptions {
  readonly planOf: (exchange: RecordedExchange) => Plan
  readonly askControl: Ask
  readonly askCandidate: Ask
  readonly expectations: (operation: string) => Expectations
  /** Returns the values that both sides gave in writes, for an operation. Unset: no write is sent. */
  readonly given?: ((operation: string) => Given) | undefined
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
  const underWay = new Set<Promise<unknown>>()
  for await (const entry of entries) {
    if (signal.aborted) break
    if ('problem' in entry) {
      if (entry.call !== undefined) record(notReplayed(planOf, entry.line, entry.call))
      continue
    }
    const plan = planOf(entry)
    if ('skip' in plan) {
      record(skipped(plan.operation.id, plan.skip, entry.line))
      probe?.ended(entry.line)
      continue
    }
    const isWrite = plan.operation.effect === 'write'
    if (isWrite) await Promise.all(underWay)
    await pace()
    if (signal.aborted) break
    const asked: Promise<unknown> = compare(options, plan.operation, plan.request, entry).then((result) => {
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

/** Makes the observation of a call that cannot be replayed as it was. It is not judged, unless it is skipped anyway. */
function notReplayed(planOf: ReplayOptions['planOf'], line: number, { why, ...call }: UnplayableCall): Observation {
  const plan = planOf({ ...call, line, headers: {} })
  return 'skip' in plan ? skipped(plan.operation.id, plan.skip, line) : unjudged(plan.operation.id, why, line)
}

/** The processor time that one comparison may take. No call waits for it, but it must end. */
const BUDGET_MS = 10_000

/** Compares the two sides' answers to one request, asked in turn; undefined: aborted. */
async function compare(
  { askControl, askCandidate, given, expectations, repeatControl, confirm, probe, signal }: ReplayOptions,
  { id, effect }: ReplayedOperation,
  request: ExchangeRequest,
  { line, client, at, answer, status }: RecordedExchange,
): Promise<Observation | undefined> {
  const isRead = effect !== 'write'
  const expected = expectations(id)
  const known = given?.(id)
  const ask: AskAgain = {
    control() {
      probe?.asking('control')
      return replyOf(askControl(known?.requestFor('control', request) ?? request))
    },
    candidate() {
      probe?.asking('candidate')
      return replyOf(askCandidate(known?.requestFor('candidate', request) ?? request))
    },
  }
  const control = await ask.control()
  probe?.answered(line, control)
  const candidate = await ask.candidate()
  known?.learn(answer, control, candidate)
  const isRepeated = repeatControl && isRead && control.status !== undefined && !signal.aborted
  const control2 = isRepeated ? await ask.control() : undefined
  const observed = await observeAndConfirm(
    {
      ...{ operation: id, expectations: expected, request, input: expected.inputOf(request) },
      ...{ line, client, countedClient: client, at, budgetMs: BUDGET_MS, isProbe: probe !== undefined },
      ...{ control, candidate, control2 },
      ...{ matched: known?.matched, answeredWith: status },
    },
    confirm && isRead && !signal.aborted ? ask : undefined,
    observation,
  )
  if (signal.aborted) return undefined
  const isEmpty = observed.stratum === 'empty' && observed.outcome !== 'mismatched'
  return isEmpty && hadContent(answer, expected) ? unjudged(id, BOTH_EMPTY, line) : observed
}

/** Whether a recorded answer has content. */
function hadContent(answer: Uint8Array | undefined, { response }: Expectations): boolean {
  const { json } = answer === undefined ? { json: undefined } : readBody(answer)
  return json !== undefined && stratumOf({ status: 200, json }, response) === 'content'
}
