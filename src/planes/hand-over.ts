import type { TokenOwner } from '../data-plane/gateway/login/known-tokens.ts'
import {
  BUSY,
  type CapturedExchange,
  type CaptureLimits,
  isPartial,
  type Missed,
  type Watch,
} from '../exchange/exchange.ts'
import type { CallRecord } from '../observe/observe-call.ts'
import type { Channel } from './channel.ts'
import type { Decisions } from './decisions.ts'
import type { LookSampler } from './look-sampler.ts'
import type { Batch, ControlPlane, CountedCall, HandedOver } from './messages.ts'

/** Hands answered calls over to the control plane, in batches, without ever waiting for it. */
export interface HandOver {
  readonly watch: Watch
  /** Counts an answered call. */
  count(call: CallRecord): void
  /** Notes which client a token belongs to. */
  noteOwner(owner: TokenOwner): void
  /** From now on, hands over to this control plane; undefined: there is none, and what comes waits, as far as it may. */
  connect(channel: Pick<Channel<ControlPlane>, 'ask'> | undefined): void
  /** Sends what waits. Resolves when the control plane has taken it, or has ended. */
  flush(): Promise<void>
  /** What was not handed over, or went to a control plane that ended before it had taken it. */
  lost(): { readonly exchanges: number; readonly calls: number }
  close(): void
}

interface HandOverOptions {
  readonly decisions: () => Decisions
  readonly sampler: LookSampler
  /** The name of clients that no service has accepted. */
  readonly unidentified: string
  /** How to keep calls that are compared or recorded, and those that usage alone wants to see. */
  readonly limits: { readonly whole: CaptureLimits; readonly toLookAt: CaptureLimits }
  readonly everyMs?: number
}

/** How long a call may wait before the control plane hears of it, unless so many bytes wait. */
const EVERY_MS = 50
const MOST_WAITING = 1024 * 1024
/** How many bytes the control plane may have to take. What comes beyond them is lost, and counted. */
const MOST_UNTAKEN = 32 * 1024 * 1024
/** About what a counted call takes in a message. */
const CALL_BYTES = 256

/** Opens the hand-over. Nothing is handed over before `connect`. */
export function openHandOver(options: HandOverOptions): HandOver {
  const { decisions, sampler, unidentified, limits, everyMs = EVERY_MS } = options
  let channel: Pick<Channel<ControlPlane>, 'ask'> | undefined
  let batch = newBatch()
  /** The bytes of `batch`, and of those that the control plane has not taken. */
  let waiting = 0
  let untaken = 0
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let taking: Promise<unknown> = Promise.resolve()
  const lost = { exchanges: 0, calls: 0 }

  const flush = (): Promise<unknown> => {
    clearTimeout(timer)
    clearImmediate(soon)
    timer = undefined
    soon = undefined
    if (waiting === 0 || channel === undefined) return taking
    const [sent, bytes] = [batch, waiting]
    batch = newBatch()
    waiting = 0
    untaken += bytes
    const now = performance.now()
    for (const call of sent.calls) call.agoMs = now - call.agoMs
    const taken = channel
      .ask('take', [sent], sent.exchanges)
      .catch(() => {
        lost.exchanges += sent.exchanges.length
        lost.calls += sent.calls.length
      })
      .finally(() => {
        untaken -= bytes
      })
    taking = Promise.all([taking, taken])
    return taking
  }
  /** Sends what waits in the next turn of the event loop. What comes meanwhile does not put that off. */
  const flushSoon = (): void => {
    if (channel !== undefined) soon ??= setImmediate(flush)
  }
  /** Takes room in the batch, if there is some. An exchange larger than all room goes alone. */
  const hasRoom = (bytes: number): boolean => {
    const all = waiting + untaken
    if (all > 0 && all + bytes > MOST_UNTAKEN) return false
    waiting += bytes
    if (waiting > MOST_WAITING) flushSoon()
    timer ??= setTimeout(flush, everyMs).unref()
    return true
  }
  const isDrawn = (operation: string): boolean => {
    const shadow = decisions().operations[operation]?.shadow ?? 0
    if (shadow === 0) return false
    if (Math.random() < shadow) return true
    batch.notDrawn.set(operation, (batch.notDrawn.get(operation) ?? 0) + 1)
    return false
  }
  const miss = (operation: string, why: Missed): void => {
    if (hasRoom(CALL_BYTES)) batch.missed.push({ operation, why })
    else lost.exchanges++
  }
  const second = setInterval(() => sampler.nextSecond(Date.now()), 1_000).unref()
  return {
    watch: {
      wants(operation, caller) {
        const { isRecording, operations } = decisions()
        if (isRecording || (operations[operation]?.shadow ?? 0) > 0) return limits.whole
        return sampler.wants(operation, caller) ? limits.toLookAt : undefined
      },
      take(exchange) {
        const { operation, caller, countedClient, status, size } = exchange
        // Of the whole answer, which a replay would get and the client has already, a partial one says nothing.
        const isWhole = !isPartial(status)
        const uses = {
          isCompared: isDrawn(operation),
          isRecorded: isWhole && decisions().isRecording,
          isLookedAt: isWhole && sampler.takes(operation, caller, countedClient === unidentified),
        }
        if (!uses.isCompared && !uses.isRecorded && !uses.isLookedAt) return
        if (hasRoom(CALL_BYTES + size)) batch.exchanges.push({ exchange: withOwnBytes(exchange), ...uses })
        else if (uses.isCompared) miss(operation, BUSY)
        else lost.exchanges++
      },
      miss(operation, why) {
        if (isDrawn(operation)) miss(operation, why)
      },
    },
    count(call) {
      if (!hasRoom(CALL_BYTES)) {
        lost.calls++
        return
      }
      batch.calls.push(countedCall(call))
      // The brake must learn of it soon.
      if (call.failure !== undefined) flushSoon()
    },
    noteOwner(owner) {
      if (hasRoom(CALL_BYTES)) batch.owners.push(owner)
    },
    connect(next) {
      channel = next
      if (next !== undefined && waiting > 0) flushSoon()
    },
    async flush() {
      await flush()
    },
    lost: () => ({ ...lost }),
    close() {
      clearInterval(second)
      clearTimeout(timer)
      clearImmediate(soon)
    },
  }
}

interface OpenBatch extends Batch {
  readonly calls: (CountedCall & { agoMs: number })[]
  readonly exchanges: HandedOver[]
  readonly missed: { readonly operation: string; readonly why: Missed }[]
  readonly notDrawn: Map<string, number>
  readonly owners: TokenOwner[]
}

const newBatch = (): OpenBatch => ({ calls: [], exchanges: [], missed: [], notDrawn: new Map(), owners: [] })

/** Returns what is counted of a call. `agoMs` is, until it is sent, when it was answered. */
const countedCall = (call: CallRecord): CountedCall => ({
  operation: call.operation,
  client: call.client,
  status: call.status,
  answeredBy: call.answeredBy,
  milliseconds: call.milliseconds,
  at: call.at,
  agoMs: performance.now(),
  method: call.operation === undefined ? call.method : '',
  path: call.operation === undefined ? call.path : '',
  agent: call.agent,
  v1Code: call.v1Code,
  failure: call.failure,
  brownout: call.brownout,
  isChosen: call.isChosen,
  repeats: call.repeats,
  givenUp: call.givenUp,
})

/**
 * Copies the bodies: the answer may still be on its way to the client, and a body may be a slice of memory that Node shares between many,
 * all of which would be sent.
 */
function withOwnBytes(exchange: CapturedExchange): CapturedExchange {
  const { request, answer } = exchange
  const { asSent } = request
  return {
    ...exchange,
    request: {
      ...request,
      body: new Uint8Array(request.body),
      asSent: asSent && { ...asSent, body: new Uint8Array(asSent.body) },
    },
    answer: { ...answer, body: answer.body && new Uint8Array(answer.body) },
  }
}
