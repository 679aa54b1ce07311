import { within } from '../../../common/promises.ts'
import type { Exchange } from '../../../exchange/exchange.ts'
import type { Operation } from '../../../mapping/operation.ts'
import type { Rollout } from '../../rollout/rollout.ts'
import { type Compared, type Comparing, isTooLarge, notCompared } from '../compare-exchange.ts'
import { MAPPING_CHANGED, type Observation, skipped, unjudged } from '../observation.ts'
import type { Learning } from '../proposals/learn-from-answers.ts'
import { controlFailed, type Reply, replyOf } from '../reply.ts'
import type { CopyAccount } from './copy-account.ts'
import type { CopyPairs } from './copy-pairs.ts'

/** What sending writes to a copy of v1 needs. */
export interface CopyOptions {
  readonly rollout: () => Pick<Rollout, 'of' | 'limits'>
  readonly account: CopyAccount
  readonly pairs: CopyPairs
  readonly mapping: (operation: string) => Operation
  readonly learningOf: (operation: string) => Learning
  readonly comparing: Pick<Comparing, 'compare'>
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Called once for each write: with `compared`, or why it was not, such as `timeout`. */
  readonly onOutcome: (operation: string, outcome: string) => void
  /** Called when the copy gave no answer: `unreachable`, `timeout`, `refused the account`. */
  readonly onProblem: (operation: string, problem: string) => void
}

/** Called with what was found about a write. */
type Tell = (compared: Compared, exchange: Exchange) => void

/** Sends writes that legacy has answered to a copy of v1, and compares its answers. */
export interface CopyWrites {
  /** Whether a write is one for the copy. */
  takes(exchange: Exchange): boolean
  /** Takes such a write. Each is told of once. @param release frees its memory. */
  take(exchange: Exchange, release: () => void): void
  /** How many writes wait, and how many are under way. */
  readonly waiting: number
  readonly running: number
  /** Takes and sends no more writes. Those under way get `graceMs`; of all others it is told at once that they are not judged. */
  close(graceMs: number): Promise<void>
}

/** A write that has waited for so long is not sent any more: a queue that only grows would compare ever older writes. */
const MOST_WAIT_MS = 30_000

/** The processor time that comparing a write may take. */
const BUDGET_MS = 250

const NOT_SEEN = 'the copy has not seen what it refers to'
const NOT_IN_TIME = 'not sent in time'
const STOPPED = 'dropped: the gateway stopped'

interface Waiting {
  readonly exchange: Exchange
  readonly release: () => void
  readonly since: number
}

/**
 * Sends each write to the copy once, in the order in which legacy answered those of one client: the next one of a client waits for the
 * one before it. Across clients, `limits.copyWritesPerSecond` start in a second, evenly spaced. Nothing is remembered across a restart, so
 * that no write can be sent twice.
 */
export function openCopyWrites(options: CopyOptions, tell: Tell): CopyWrites {
  const { rollout, account, pairs, mapping, now, onOutcome } = options
  const waiting: Waiting[] = []
  /** Writes that are being sent, and the clients that made them. */
  const sending = new Map<Waiting, string>()
  /** Those, and others that are being compared. */
  const underWay = new Set<Waiting>()
  let nextAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let whenIdle: (() => void) | undefined

  const end = ({ exchange, release }: Waiting, compared: Compared, outcome: string): void => {
    release()
    onOutcome(exchange.operation, outcome)
    tell(compared, exchange)
  }
  const leave = (one: Waiting, reason: string, outcome = reason): void =>
    end(one, notCompared(unjudged(one.exchange.operation, reason)), outcome)

  const work = (): void => {
    clearTimeout(timer)
    timer = undefined
    while (!isClosed && sending.size < rollout().limits.concurrency) {
      const busy = new Set(sending.values())
      const at = waiting.findIndex(({ exchange }) => !busy.has(clientOf(exchange)))
      const next = waiting[at]
      if (next === undefined) return
      const isLate = now() - next.since > MOST_WAIT_MS
      if (!isLate && nextAt > now()) {
        timer = setTimeout(work, Math.max(nextAt - now(), 1))
        return
      }
      waiting.splice(at, 1)
      if (isLate) leave(next, `copy: ${NOT_IN_TIME}`, NOT_IN_TIME)
      else run(next)
    }
  }

  const run = (next: Waiting): void => {
    const { exchange } = next
    const client = clientOf(exchange)
    sending.set(next, client)
    underWay.add(next)
    const before = nextAt
    const reserved = now() + 1_000 / rollout().limits.copyWritesPerSecond
    nextAt = reserved
    // The client's next write needs what the copy gave, and no comparison, which may take long on a busy machine.
    const onAnswered = (): void => {
      if (sending.delete(next)) work()
    }
    void compared(exchange, client, onAnswered).then(({ found, outcome, isUnsent }) => {
      if (isUnsent === true && nextAt === reserved) nextAt = before
      // Of what was under way when the grace ended, it has been told.
      if (!underWay.delete(next)) return
      end(next, found, outcome)
      onAnswered()
      if (underWay.size === 0) whenIdle?.()
    })
  }

  /** Sends a write, and compares the answers. Never rejects. @param onAnswered called once the copy has answered. */
  const compared = async (exchange: Exchange, client: string, onAnswered: () => void): Promise<Ended> => {
    const { operation } = exchange
    const mapped = mapping(operation)
    const control = await replyOf(exchange.answer())
    const failure = whyNoControl(control)
    if (failure !== undefined) return { ...notJudged(operation, failure, 'failed'), isUnsent: true }
    const request = pairs.requestFor(client, mapped, exchange.request)
    if (request === undefined) return { ...notJudged(operation, NOT_SEEN), isUnsent: true }
    const reply = await account.ask(request, rollout().limits.timeoutMs)
    if ('problem' in reply) {
      options.onProblem(operation, reply.problem)
      return { ...notJudged(operation, `copy: ${reply.problem}`), outcome: reply.problem }
    }
    pairs.learn(client, mapped, control, reply)
    onAnswered()
    const answered = {
      ...{ operation, request: exchange.request, client: exchange.client, at: exchange.at, budgetMs: BUDGET_MS },
      ...{ rolloutClient: exchange.rolloutClient, countedClient: exchange.countedClient, facts: exchange.facts },
      ...{ control, candidate: reply, answeredWith: exchange.status, learning: options.learningOf(operation) },
      isCopied: true as const,
    }
    if (isTooLarge(answered)) return notJudged(operation, 'too large')
    const found = await options.comparing.compare(answered)
    if (mapping(operation) === mapped) return { found, outcome: 'compared' }
    return { found: notCompared(skipped(operation, MAPPING_CHANGED)), outcome: MAPPING_CHANGED }
  }

  return {
    takes: ({ operation, answeredBy }) => answeredBy === 'legacy' && rollout().of(operation).shadowWrites === 'copy',
    take(exchange, release) {
      const one = { exchange, release, since: now() }
      const { copyWritesPerSecond, queue } = rollout().limits
      const ahead = waiting.length / copyWritesPerSecond
      if (isClosed) leave(one, STOPPED)
      else if (ahead * 1_000 > MOST_WAIT_MS || waiting.length >= queue) leave(one, `copy: ${NOT_IN_TIME}`, NOT_IN_TIME)
      else {
        waiting.push(one)
        // The client's answer is written first.
        setImmediate(work)
      }
    },
    get waiting() {
      return waiting.length
    },
    get running() {
      return underWay.size
    },
    async close(graceMs) {
      isClosed = true
      clearTimeout(timer)
      for (const one of waiting.splice(0)) leave(one, STOPPED)
      if (underWay.size > 0) {
        const { promise: idle, resolve } = Promise.withResolvers<void>()
        whenIdle = resolve
        await within(graceMs, idle)
      }
      const left = [...underWay]
      underWay.clear()
      for (const one of left) leave(one, STOPPED)
    },
  }
}

/** What became of a write. */
interface Ended {
  readonly found: Compared
  readonly outcome: string
  /** It was not sent, so another one may be in its place. */
  readonly isUnsent?: true
}

const notJudged = (operation: string, reason: string, outcome: Observation['outcome'] = 'skipped'): Ended => ({
  found: notCompared({ ...unjudged(operation, reason), outcome }),
  outcome: reason,
})

/** Writes of clients that nobody can tell apart are in one order. */
const clientOf = ({ client }: Exchange): string => client ?? ''

/** With these statuses legacy refused the client, whatever it asked. The copy knows another account. */
const REFUSED_THE_CLIENT: ReadonlySet<number> = new Set([401, 403, 407, 408, 429])

/** Says why nothing can be compared with legacy's answer, so that the copy is not asked; undefined: it can. */
function whyNoControl(control: Reply): string | undefined {
  if (control.status === undefined || control.failure !== undefined) {
    return controlFailed({ failure: control.failure ?? 'no answer', malformed: control.malformed })
  }
  const { status } = control
  return status >= 500 || REFUSED_THE_CLIENT.has(status) ? controlFailed({ failure: String(status) }) : undefined
}
