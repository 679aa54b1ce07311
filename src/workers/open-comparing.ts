import type { ResourceLimits } from 'node:worker_threads'
import type { AnsweredExchange, AnsweredOnce, Compared, Comparing } from '../control-plane/evidence/compare-exchange.ts'
import { NOTHING_SHOWN } from '../control-plane/evidence/examples.ts'
import type { IgnoreRule } from '../control-plane/evidence/expected/ignore-rule.ts'
import { unjudged } from '../control-plane/evidence/observation.ts'
import type { Reply } from '../control-plane/evidence/reply.ts'
import type { WriteTranslation } from '../control-plane/evidence/writes/check-write.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { roundTripper } from '../engine/round-trip.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { RecordableExchange } from '../recordings/record-line.ts'
import type { ComparingData, ComparingTasks } from './comparing-worker.ts'
import { oneAtATime, ThreadClosed, ThreadEnded } from './one-at-a-time.ts'

interface ComparingOptions {
  /** The key for redacting the values that are shown. */
  readonly key: Uint8Array
  /** Returns the rules of the rollout file: a new array when they have changed. */
  readonly rules: () => readonly IgnoreRule[]
  /** Returns what corrects the shipped mappings: another object when it has changed. */
  readonly corrections: () => Corrections
  /** Returns the lines to try: another object when they have changed. */
  readonly toTry: () => Corrections
  /** Called for each exchange that the thread could not compare. */
  readonly onLost: (reason: string) => void
  readonly resourceLimits?: ResourceLimits
}

/** Compares answers in a thread of its own, which also does what else is costly. */
export interface ComparingThread extends Comparing {
  /** Writes a large exchange as a line of the recording, redacted. Redacting 32 MB may take 15 s. Rejects if the thread ends. */
  recordLine(exchange: RecordableExchange): Promise<Buffer>
}

/** A comparison's own budget ends it long before this, even on a busy machine, where others go first. */
const PATIENCE_MS = 120_000

/** Enough for four parsed answers of 2 MiB. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/**
 * Opens a thread that compares answers by the current rules and mappings, so that no call waits for a comparison. The first exchange
 * starts it, and it does not keep the process alive. If it ends because it runs out of memory, a comparison hangs, or there is
 * a bug, the next exchange starts a new thread.
 */
export function openComparing(options: ComparingOptions): ComparingThread {
  const { key, rules, corrections, toTry, onLost, resourceLimits = LIMITS } = options
  const thread = oneAtATime<ComparingTasks>({
    program: new URL('comparing-worker.ts', import.meta.url),
    data: () => ({ key, rules: rules(), corrections: corrections(), toTry: toTry() }) satisfies ComparingData,
    patienceMs: PATIENCE_MS,
    resourceLimits,
  })
  let [sentRules, sentCorrections, sentTries] = [rules(), corrections(), toTry()]
  /** Sends changed rules and corrections to the thread before the next exchange. A new thread starts with the current ones. */
  const sendChanges = (): void => {
    if (corrections() !== sentCorrections) {
      sentCorrections = corrections()
      thread.run('correct', [sentCorrections]).catch(() => undefined)
    }
    if (toTry() !== sentTries) {
      sentTries = toTry()
      thread.run('tryOut', [sentTries]).catch(() => undefined)
    }
    if (rules() === sentRules) return
    sentRules = rules()
    thread.run('ignore', [sentRules]).catch(() => undefined)
  }
  const orNotJudged =
    (operation: string) =>
    (error: Error): Compared => {
      if (error instanceof ThreadClosed) return notJudged(operation, 'dropped: the gateway stopped')
      onLost(error.stack ?? error.message)
      return notJudged(operation, error instanceof ThreadEnded ? 'too costly' : 'the comparison failed')
    }
  return {
    compare(exchange) {
      sendChanges()
      const sent = ownBytes(exchange)
      return thread.run('compare', [sent], { moved: sent }).catch(orNotJudged(sent.operation))
    },
    checkWrite(write) {
      sendChanges()
      const sent = ownBytesOfWrite(write)
      return thread.run('checkWrite', [sent], { moved: sent }).catch(orNotJudged(sent.operation))
    },
    async recordLine({ answer, ...exchange }) {
      const { at, replica, client, operation, answeredBy, request, recordsBodies } = exchange
      const { status, body, milliseconds } = answer
      const about = { at, replica, client, operation, answeredBy, recordsBodies }
      const plain = { ...about, request, answer: { status, body, milliseconds } }
      const line = await thread.run('recordLine', [plain])
      return Buffer.from(line.buffer, line.byteOffset, line.byteLength)
    },
    close: thread.close,
  }
}

const notJudged = (operation: string, reason: string): Compared => ({
  ...unjudged(operation, reason),
  shown: NOTHING_SHOWN,
})

/** Copies the bodies, because other code may use them, or share their memory. */
function ownBytes(exchange: AnsweredExchange): AnsweredExchange {
  const { request, control, candidate, control2, candidate2 } = exchange
  return {
    ...exchange,
    request: { ...request, clientHeaders: undefined, body: new Uint8Array(request.body) },
    ...{ control: ownReply(control), candidate: ownReply(candidate) },
    ...{ control2: control2 && ownReply(control2), candidate2: candidate2 && ownReply(candidate2) },
  }
}

const ownBytesOfWrite = (write: AnsweredOnce): AnsweredOnce => ({
  ...write,
  request: { ...write.request, clientHeaders: undefined, body: new Uint8Array(write.request.body) },
  answer: ownReply(write.answer),
})

function ownReply(reply: Reply): Reply {
  if (reply.status === undefined) return reply
  const { v1Answer } = reply
  return {
    ...{ ...reply, body: new Uint8Array(reply.body) },
    ...(v1Answer !== undefined && { v1Answer: { ...v1Answer, body: new Uint8Array(v1Answer.body) } }),
  }
}

/** Returns what the gateway makes of an operation's writes without sending them. */
export const writeTranslation = oncePer(
  ({ mapping, translateRequest }: CompiledOperation): WriteTranslation => ({
    refusal: ({ query, body, asSent }) =>
      asSent?.refused ?? (translateRequest({ query, body }).call === undefined ? 400 : null),
    roundTrip: roundTripper(mapping),
  }),
)
