import { type PageRows, rewriteRows, type Slice } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { readV1Error } from '../../engine/read-v1-error.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import { releaseOf } from '../../exchange/compared-headers.ts'
import type { Paging } from '../../mapping/request.ts'
import { release } from '../upstream/body-memory.ts'
import { type Account, Holder, SMALL_BYTES } from '../upstream/memory-budget.ts'
import type { UpstreamAnswer } from '../upstream/upstream.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { refusalOfV1, translateRefusal, type V1Refusal, V1Refused } from './errors/v1-refusal.ts'
import type { Call, Gateway } from './gateway.ts'
import { asideFor } from './large-texts.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { v1Headers } from './service-headers.ts'

/** A question to v1. */
export interface Question {
  readonly operation: CompiledOperation
  readonly v1Call: V1Call
  /** Query parameters that select the page, added to those of the translation. */
  readonly paging?: string
  /** Holds the answer's memory until its owner releases it; undefined: the call holds it. */
  readonly holder?: Holder
}

/** Returns the query parameters that ask for one page of v1. */
export const pagingOf = (names: Paging, page: number, perPage: number): string =>
  `${names.page}=${page}&${names.perPage}=${perPage}`

/** Memory held for a write's answer before the write is sent. Nearly always enough. */
const WRITE_ROOM = SMALL_BYTES

/**
 * Calls v1 once. The answer may be an error.
 * @throws UpstreamError if v1 fails, or answers what the contract does not promise.
 */
export async function askV1(
  { v1, memory, releaseHeaders }: Gateway,
  call: Call,
  { operation: { mapping }, v1Call, paging = '', holder = call.notes.memory }: Question,
): Promise<UpstreamAnswer> {
  const { method, path, query, body } = v1Call
  const { notes } = call
  const isWrite = mapping.effect === 'write'
  const account: Account | undefined = memory && { memory, holder, mayExceed: isWrite }
  // A write that v1 has carried out must not fail for lack of memory, so its memory is held first.
  if (isWrite && memory?.hold(holder, 'answer', WRITE_ROOM) === false) {
    await memory.holdSoon(holder, 'answer', WRITE_ROOM)
  }
  const fullQuery = query === '' || paging === '' ? query + paging : `${query}&${paging}`
  const started = performance.now()
  notes.v1Calls++
  let answer: UpstreamAnswer
  try {
    answer = await v1.call({
      method,
      path: fullQuery === '' ? path : `${path}?${fullQuery}`,
      headers: v1Headers(call, mapping, body !== undefined),
      body,
      repeatable: mapping.effect === 'read',
      share: call.share,
      caller: call.caller,
      timeoutMs: call.deadline === undefined ? undefined : Math.max(call.deadline - started, 1),
      account,
      asking: notes.v1Asking,
    })
  } finally {
    notes.v1Milliseconds += performance.now() - started
  }
  const { status, headers, milliseconds } = answer
  notes.v1Status = status
  notes.v1Type = headers['content-type'] as string | undefined
  notes.v1Release = releaseOf(headers, releaseHeaders.v1) ?? notes.v1Release
  notes.v1ServiceMs = milliseconds
  // docs/contract.md promises a body with every answer. No content, not modified and redirects have none.
  if (status === 204 || status === 205 || (status > 299 && status < 400)) {
    throw new UpstreamError('malformed', `v1 answered ${status} where the contract promises a body`)
  }
  return answer
}

/**
 * Calls v1 like `askV1` and returns the body of a success. Throws like `askV1`, and V1Refused if v1 answers an error.
 */
export async function callV1(gateway: Gateway, call: Call, question: Question): Promise<Uint8Array> {
  const answer = await askV1(gateway, call, question)
  if (isError(answer)) throw new V1Refused(await readRefusal(gateway, call, question, answer))
  return answer.body
}

/**
 * Reads some rows of one page of a list, in the legacy shape. From then on the call holds memory for them, and no longer for the page.
 * Throws like `callV1` and `rewriteRows`.
 */
export async function readRows(
  gateway: Gateway,
  call: Call,
  question: Question,
  paging: string,
  slice: Slice,
): Promise<PageRows> {
  const { mapping, answer: plan } = question.operation
  const holder = new Holder()
  try {
    const page = await callV1(gateway, call, { ...question, paging, holder })
    const aside = asideFor(gateway, call, page)
    const read = aside === undefined ? rewriteRows(plan, page, slice) : await aside.rewriteRows(mapping, page, slice)
    if (aside === undefined) release(page)
    gateway.memory?.holdAnyway(call.notes.memory, read.rows.length)
    return read
  } finally {
    gateway.memory?.end(holder)
  }
}

export const isError = ({ status }: UpstreamAnswer): boolean => status >= 400

/** Translates an error of v1 into the legacy answer. @throws V1Refused if the error means that v1 failed. */
export function refuse(
  gateway: Gateway,
  call: Call,
  question: Question,
  answer: UpstreamAnswer,
): LegacyAnswer | Promise<LegacyAnswer> {
  const toLegacy = (refusal: V1Refusal): LegacyAnswer => {
    if ('failure' in refusal.meaning) throw new V1Refused(refusal)
    return translateRefusal(refusal, call.request.language, gateway.messages)
  }
  const refusal = readRefusal(gateway, call, question, answer)
  return refusal instanceof Promise ? refusal.then(toLegacy) : toLegacy(refusal)
}

/** Reads an error of v1. One that is large, such as thousands of violations, is read in another thread. */
function readRefusal(
  gateway: Gateway,
  call: Call,
  { operation, v1Call }: Question,
  answer: UpstreamAnswer,
): V1Refusal | Promise<V1Refusal> {
  const aside = asideFor(gateway, call, answer.body)
  if (aside === undefined) return refusalOfV1(answer, readV1Error(answer.body), operation, v1Call)
  return aside.readV1Error(answer.body).then((body) => refusalOfV1(answer, body, operation, v1Call))
}
