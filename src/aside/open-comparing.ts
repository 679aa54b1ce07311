import type { ResourceLimits } from 'node:worker_threads'
import type { AnsweredExchange, Compared } from '../compare/compare-exchange.ts'
import { unjudged } from '../compare/observe-exchange.ts'
import type { Reply } from '../compare/read-reply.ts'
import type { IgnoreRule } from '../compare/rollout/rollout.ts'
import { NOTHING_SHOWN } from '../compare/show-values.ts'
import type { ComparingData } from './comparing-thread.ts'
import { openThread, ThreadClosed, ThreadEnded } from './open-thread.ts'

/** Compares exchanges in a thread of its own, so that no call waits for a comparison. */
export interface Comparing {
  /** Compares by the rules that hold now. Never rejects: an exchange that ends the thread is not judged. */
  compare(exchange: AnsweredExchange): Promise<Compared>
  /** Ends the thread. Exchanges that are left are not judged. */
  close(): Promise<void>
}

export interface ComparingOptions {
  /** Redacts what is shown of values. */
  readonly key: Uint8Array
  /** The rules of the rollout file; another array when they have changed. */
  readonly rules: () => readonly IgnoreRule[]
  /** Called for each exchange that the thread could not compare. */
  readonly onLost: (reason: string) => void
  readonly resourceLimits?: ResourceLimits
}

/** A comparison ends by its own budget long before this, also on a busy machine. */
const PATIENCE_MS = 30_000

/** Four answers of 2 MiB, as values, take less. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/**
 * Opens the thread that compares answers. The first exchange starts it, and it does not keep the process alive. If it ends,
 * because memory runs out, a comparison does not come back, or because of a bug, the next exchange starts a new one.
 */
export function openComparing({ key, rules, onLost, resourceLimits = LIMITS }: ComparingOptions): Comparing {
  const thread = openThread({
    program: new URL('comparing-thread.ts', import.meta.url),
    workerData: () => ({ key, rules: rules() }) satisfies ComparingData,
    patienceMs: PATIENCE_MS,
    resourceLimits,
  })
  let known = rules()
  /** Tells the thread of changed rules, before the next exchange. A new thread starts with those that hold. */
  const tellRules = (): void => {
    if (rules() === known) return
    known = rules()
    thread.run('ignore', [known]).catch(() => undefined)
  }
  return {
    async compare(exchange) {
      tellRules()
      const sent = ownBytes(exchange)
      try {
        return await thread.run<Compared>('compare', [sent], { transferred: sent })
      } catch (error) {
        if (error instanceof ThreadClosed) return notJudged(exchange, 'dropped: the gateway stopped')
        onLost((error as Error).stack ?? (error as Error).message)
        return notJudged(exchange, error instanceof ThreadEnded ? 'too costly' : 'the comparison failed')
      }
    },
    close: thread.close,
  }
}

const notJudged = ({ operation }: AnsweredExchange, reason: string): Compared => ({
  ...unjudged(operation, reason),
  shown: NOTHING_SHOWN,
})

/** Copies the bodies into memory of their own: others use them too, or share the memory that they lie in. */
function ownBytes(exchange: AnsweredExchange): AnsweredExchange {
  const { request, control, candidate, control2, candidate2 } = exchange
  return {
    ...exchange,
    request: { ...request, body: new Uint8Array(request.body) },
    ...{ control: ownReply(control), candidate: ownReply(candidate) },
    ...{ control2: control2 && ownReply(control2), candidate2: candidate2 && ownReply(candidate2) },
  }
}

const ownReply = (reply: Reply): Reply =>
  reply.status === undefined ? reply : { ...reply, body: new Uint8Array(reply.body) }
