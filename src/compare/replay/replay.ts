import type { ExchangeRequest, SideAnswer } from '../../exchange/exchange.ts'
import type { BadEntry, RecordedExchange } from '../../recording/read-request.ts'
import type { KnownLines } from '../mapping/known-lines.ts'
import { type Observation, observation, type Reply, skipped } from '../observe-exchange.ts'
import { inputOf, replyOf } from '../reply-of.ts'
import type { Plan, ReplayedOperation } from './replay-plan.ts'

/** Asks a side a legacy request, under the credentials that it knows. Rejects when there is no answer. */
export type Ask = (request: ExchangeRequest) => Promise<SideAnswer>

export interface ReplayOptions {
  readonly planOf: (exchange: RecordedExchange) => Plan
  readonly askControl: Ask
  readonly askCandidate: Ask
  readonly known: (operation: string) => KnownLines
  /** Whether the control is asked twice, to tell its own noise; a write never is. */
  readonly repeatControl: boolean
  /** How many exchanges are under way at a time, at most. */
  readonly concurrency: number
  /** Resolves when the next exchange may be asked. */
  readonly pace: () => Promise<void>
  readonly record: (observation: Observation) => void
  /** Once it is aborted nothing more is asked, and what is under way is not counted. */
  readonly signal: AbortSignal
}

/**
 * Asks both sides what was recorded and compares their answers. Entries are read as they are needed: none is held but those
 * under way. Writes keep their place: each waits for everything before it, and everything behind it waits for the write, so
 * that both sides see them in the order of the recording.
 */
export async function replay(
  entries: AsyncIterable<RecordedExchange | BadEntry>,
  options: ReplayOptions,
): Promise<void> {
  const { planOf, concurrency, pace, record, signal } = options
  const underWay = new Set<Promise<unknown>>()
  for await (const entry of entries) {
    if (signal.aborted) break
    if ('problem' in entry) continue
    const plan = planOf(entry)
    if ('skip' in plan) {
      record(skipped(plan.operation.id, plan.skip, entry.line))
      continue
    }
    const isWrite = plan.operation.effect === 'write'
    if (isWrite) await Promise.all(underWay)
    await pace()
    if (signal.aborted) break
    const asked: Promise<unknown> = compare(options, plan.operation, plan.request, entry.line).then((seen) => {
      // One that fails stays, for whoever waits next.
      underWay.delete(asked)
      if (seen !== undefined) record(seen)
    })
    asked.catch(() => undefined)
    underWay.add(asked)
    if (isWrite) await asked
    else if (underWay.size >= concurrency) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

/** Undefined when it was broken off. */
async function compare(
  { askControl, askCandidate, known, repeatControl, signal }: ReplayOptions,
  { id, effect }: ReplayedOperation,
  request: ExchangeRequest,
  line: number,
): Promise<Observation | undefined> {
  const isWrite = effect === 'write'
  const askControls = async (): Promise<readonly [Reply, Reply?]> => {
    const control = await replyOf(askControl(request))
    const isAskedAgain = repeatControl && !isWrite && control.status !== undefined && !signal.aborted
    return isAskedAgain ? [control, await replyOf(askControl(request))] : [control]
  }
  const controls = askControls()
  // Where both sides share their data, which of them is first must not be left to chance.
  if (isWrite) await controls
  const [[control, control2], candidate] = await Promise.all([controls, replyOf(askCandidate(request))])
  if (signal.aborted) return undefined
  return observation({ operation: id, known: known(id), control, control2, candidate, line, input: inputOf(request) })
}
