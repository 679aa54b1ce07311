import { type Asked, observation } from '../../control-plane/evidence/compare-answers.ts'
import { readBody } from '../../control-plane/evidence/diff/json-value.ts'
import type { Expectations } from '../../control-plane/evidence/expected/expectations.ts'
import { type Observation, skipped, unjudged } from '../../control-plane/evidence/observation.ts'
import { promisesBody, type Reply, refusesWhoeverAsks, replyOf } from '../../control-plane/evidence/reply.ts'
import type { ComparedByType } from '../../control-plane/evidence/report/recorded-answers.ts'
import { type ExchangeRequest, isPartial } from '../../exchange/exchange.ts'
import { type Redactor, typesOnly } from '../../exchange/redactor.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'
import type { Ask, ReplayedOperation, ReplayOptions } from './replay.ts'

/** The processor time that one comparison may take. No call waits for it, but it must end. */
export const BUDGET_MS = 10_000

/** What replaying against recorded answers needs. */
export interface Recorded {
  /** Redacts as the recordings were redacted, by the fingerprint of the key. */
  readonly redactors: ReadonlyMap<string, Pick<Redactor, 'body' | 'client'>>
  /** The client id with which v1 is asked. v1 would answer the calls of other clients with other data. Undefined: unknown. */
  readonly account: string | undefined
  /** Called for each exchange with personal values that are compared by presence and type, and told why. */
  comparedByType(values: number, why: string): void
}

/** Why personal values were compared by presence and type. */
const ANOTHER_KEY = 'recorded under another key'
const NO_KEY = 'the recording names no key'

/** An answer as it was recorded, with its body. */
type RecordedAnswer = Extract<Reply, { readonly status: number }>

/**
 * Asks v1 what the legacy service was asked when the call was recorded, once, and compares its translated answer with the recorded
 * one; undefined: aborted. v1 is not asked if the recorded answer proves nothing.
 */
export async function compareWithRecording(
  options: ReplayOptions,
  recorded: Recorded,
  { id }: ReplayedOperation,
  request: ExchangeRequest,
  exchange: RecordedExchange,
): Promise<Observation | undefined> {
  const { line, client, at, status } = exchange
  const expectations = options.expectations(id)
  const skip = whyNot(exchange, expectations, recorded)
  if (skip !== undefined) return skipped(id, skip, line)
  const answer = recordedAnswer(exchange, expectations)
  if (typeof answer === 'string') return unjudged(id, `recorded: ${answer}`, line)
  const compared = async (ask: Ask, by: Pick<Asked, 'expectations' | 'learning' | 'trial'>, isCounted: boolean) => {
    const found = await replyOf(ask(request))
    const { control, candidate, values, why } = madeAlike(answer, found, exchange, recorded)
    if (values > 0 && isCounted && !options.signal.aborted) recorded.comparedByType(values, why)
    return observation({
      ...{ operation: id, request, line, client, countedClient: client, at, budgetMs: BUDGET_MS },
      ...{ control, candidate, answeredWith: status, input: by.expectations.inputOf(request) },
      ...by,
    })
  }
  const observed = await compared(options.askCandidate, { expectations, ...options.learning(id) }, true)
  const inForce = options.signal.aborted ? undefined : options.inForce?.(id)
  if (inForce !== undefined) {
    inForce.record(await compared(inForce.askCandidate, { expectations: inForce.expectations }, false))
  }
  return options.signal.aborted ? undefined : observed
}

/** Says why a recorded answer is none that v1 must give now; undefined: it is one. */
function whyNot(
  { key, client, answeredBy }: RecordedExchange,
  { isByToken }: Expectations,
  { redactors, account }: Recorded,
): string | undefined {
  if (answeredBy === 'v1') return 'v1 answered it'
  const redactor = redactors.get(key ?? '')
  if (!isByToken || client === undefined || account === undefined || redactor === undefined) return undefined
  return redactor.client(account) === client ? undefined : 'another client made it'
}

/** Returns a recorded answer that v1's can be compared with, or why it proves nothing: one of a few texts. */
function recordedAnswer({ status, answer }: RecordedExchange, expectations: Expectations): RecordedAnswer | string {
  if (status === undefined) return 'no answer'
  if (status >= 500 || isPartial(status) || refusesWhoeverAsks(status, expectations)) return String(status)
  const isBodyExpected = status >= 400 || promisesBody(expectations.response)
  // A recording leaves out what is not JSON or too large, and a HAR may leave out any body.
  if (isBodyExpected && answer === undefined) return 'without its body'
  if (answer !== undefined && status < 400 && isBodyExpected && readBody(answer).unread === 'not JSON')
    return 'not JSON'
  return { status, body: answer ?? new Uint8Array() }
}

/**
 * Redacts v1's answer as the recorded one was. If that cannot be done alike, leaves of the personal values of both only presence and
 * type, and says of how many and why. Headers are not recorded, so they are not compared.
 */
function madeAlike(
  control: RecordedAnswer,
  found: Reply,
  { key }: RecordedExchange,
  { redactors }: Recorded,
): { readonly control: Reply; readonly candidate: Reply; readonly values: number; readonly why: string } {
  const nothing = { control, candidate: found, values: 0, why: '' }
  if (found.status === undefined) return nothing
  const plain = { ...found, headers: undefined }
  if (key === undefined) return { ...nothing, candidate: plain }
  // v1's own answer has personal values under names of its own: no pseudonym can be traced to them, so nothing is learned.
  const { v1Answer: _, ...candidate } = plain
  const redact = key === null ? undefined : redactors.get(key)?.body
  if (redact !== undefined) {
    return { ...nothing, candidate: { ...candidate, body: redact(candidate.body) ?? candidate.body } }
  }
  const was = typesOnly(control.body)
  if (was === undefined) return { ...nothing, candidate }
  const is = typesOnly(candidate.body, was.hasTokens)
  return {
    control: { ...control, body: was.body },
    candidate: { ...candidate, body: is?.body ?? candidate.body },
    values: was.values,
    why: key === null ? NO_KEY : ANOTHER_KEY,
  }
}

/** Adds up what was compared by presence and type. */
export function countByType(): { readonly add: Recorded['comparedByType']; sums(): ComparedByType } {
  let [exchanges, values] = [0, 0]
  const why = new Map<string, number>()
  return {
    add(more, reason) {
      exchanges++
      values += more
      why.set(reason, (why.get(reason) ?? 0) + 1)
    },
    sums: () => ({ exchanges, values, why: Object.fromEntries(why) }),
  }
}
