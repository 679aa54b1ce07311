import type { ResourceLimits } from 'node:worker_threads'
import type { AnsweredExchange, AnsweredOnce, Compared, Comparing } from '../compare/compare-exchange.ts'
import { NOTHING_SHOWN } from '../compare/examples.ts'
import { unjudged } from '../compare/observation.ts'
import type { Reply } from '../compare/reply.ts'
import type { IgnoreRule } from '../compare/rollout/ignore-rule.ts'
import type { ComparingData } from './comparing-thread.ts'
import { openThread, ThreadClosed, ThreadEnded } from './open-thread.ts'

export interface ComparingOptions {
  /** The key for redacting the values that are shown. */
  readonly key: Uint8Array
  /** Returns the rules of the rollout file: a new array when they have changed. */
  readonly rules: () => readonly IgnoreRule[]
  /** Called for each exchange that the thread could not compare. */
  readonly onLost: (reason: string) => void
  readonly resourceLimits?: ResourceLimits
}

/** A comparison's own budget ends it long before this, even on a busy machine, where others go first. */
const PATIENCE_MS = 120_000

/** Enough for four parsed answers of 2 MiB. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/**
 * Opens a thread that compares answers by the current rules, so that no call waits for a comparison. The first exchange
 * starts it, and it does not keep the process alive. If it ends because it runs out of memory, a comparison hangs, or there is
 * a bug, the next exchange starts a new thread.
 */
export function openComparing({ key, rules, onLost, resourceLimits = LIMITS }: ComparingOptions): Comparing {
  const thread = openThread({
    program: new URL('comparing-thread.ts', import.meta.url),
    workerData: () => ({ key, rules: rules() }) satisfies ComparingData,
    patienceMs: PATIENCE_MS,
    resourceLimits,
  })
  let known = rules()
  /** Sends changed rules to the thread before the next exchange. A new thread starts with the current rules. */
  const tellRules = (): void => {
    if (rules() === known) return
    known = rules()
    thread.run('ignore', [known]).catch(() => undefined)
  }
  const run = async (task: 'compare' | 'checkWrite', sent: { readonly operation: string }): Promise<Compared> => {
    tellRules()
    try {
      return await thread.run<Compared>(task, [sent], { transferred: sent })
    } catch (error) {
      if (error instanceof ThreadClosed) return notJudged(sent, 'dropped: the gateway stopped')
      onLost((error as Error).stack ?? (error as Error).message)
      return notJudged(sent, error instanceof ThreadEnded ? 'too costly' : 'the comparison failed')
    }
  }
  return {
    compare: (exchange) => run('compare', ownBytes(exchange)),
    checkWrite: (write) => run('checkWrite', ownBytesOfWrite(write)),
    close: thread.close,
  }
}

const notJudged = ({ operation }: { readonly operation: string }, reason: string): Compared => ({
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

const ownReply = (reply: Reply): Reply =>
  reply.status === undefined ? reply : { ...reply, body: new Uint8Array(reply.body) }
