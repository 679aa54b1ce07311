import { countsOf } from '../audit.ts'
import type { Standing } from '../position.ts'
import type { AskGate, GateAnswer } from './ask-gate.ts'

/** The gates of plans, and what they said last. Only the process that takes the steps asks them. */
export interface Gates {
  /**
   * Returns what the gate of a plan has said since its step was reached; undefined: nothing yet. Returns at once: where it is time to ask
   * again, the answer comes later, and `onAnswer` is called.
   * @param next the percentage of the next step; null: there is none.
   * @param isDue only the gate is missing for the next step. Then `go` counts only as the answer to a question of now.
   */
  hear(standing: Standing, next: number | null, isDue: boolean): GateAnswer | undefined
  /** Whether a reason to wait is to be stored, in place of the one that is: another kind of answer at once, other words now and then. */
  isNews(standing: Standing, answer: GateAnswer): boolean
  /** Forgets all answers: another process takes the steps. */
  forget(): void
  /** Gives up the questions under way. */
  close(): void
}

export interface GatesOptions {
  readonly ask: AskGate
  /** Called when an answer has come. */
  readonly onAnswer: () => void
  /** Returns ms. */
  readonly monotonic: () => number
  /** How often plans are decided about; ms. */
  readonly turnMs: number
}

/** A plan's gate is asked once in so many turns, which is every minute. */
const EVERY_TURNS = 60
/** A step is taken only on an answer that is not older than so many turns. */
const FRESH_TURNS = 10
/** Other words of a gate that still waits are stored no more often than once in so many turns, which is ten minutes. */
const WORDS_TURNS = 600

/** What is remembered of a gate. */
interface Heard {
  readonly stage: number
  readonly url: string
  /** When it was last asked; ms. */
  askedAt: number
  isAsked: boolean
  answer: GateAnswer | undefined
  /** When it last answered; ms. */
  answeredAt: number
  /** Whether the last answer is to the question before a step. */
  isForStep: boolean
  /** When its words were last stored; ms. */
  storedAt: number
}

export function gates({ ask, onAnswer, monotonic, turnMs }: GatesOptions): Gates {
  /** By operation. */
  const heard = new Map<string, Heard>()
  const closing = new AbortController()

  const heardOf = ({ position: { operation, stage }, plan: { gate } }: Standing): Heard => {
    const before = heard.get(operation)
    if (before !== undefined && before.stage === stage && before.url === gate?.url) return before
    const never = Number.NEGATIVE_INFINITY
    const now: Heard = {
      ...{ stage, url: gate?.url ?? '', askedAt: never, isAsked: false },
      ...{ answer: undefined, answeredAt: never, isForStep: false, storedAt: never },
    }
    heard.set(operation, now)
    return now
  }
  const askNow = (standing: Standing, next: number | null, isForStep: boolean, one: Heard): void => {
    const { plan, position } = standing
    if (plan.gate === undefined || closing.signal.aborted) return
    const { operation, step, since } = position
    one.askedAt = monotonic()
    one.isAsked = true
    void ask(plan.gate, { operation, step, next, since, counts: countsOf(standing) }, closing.signal).then((answer) => {
      Object.assign(one, { isAsked: false, answer, answeredAt: monotonic(), isForStep })
      if (heard.get(operation) === one && !closing.signal.aborted) onAnswer()
    })
  }
  return {
    hear(standing, next, isDue) {
      const one = heardOf(standing)
      const now = monotonic()
      const isForNow = one.isForStep && now - one.answeredAt < FRESH_TURNS * turnMs
      const isStale = isDue && one.answer?.says === 'go' && !isForNow
      if (!one.isAsked && (isStale || now - one.askedAt >= EVERY_TURNS * turnMs)) askNow(standing, next, isDue, one)
      return isStale ? undefined : one.answer
    },
    isNews(standing, answer) {
      const one = heardOf(standing)
      const { gateWaits } = standing.position
      const why = answer.says === 'go' ? undefined : answer.why
      if (why === gateWaits) return false
      const isOtherKind = why === undefined || gateWaits === undefined
      if (!isOtherKind && monotonic() - one.storedAt < WORDS_TURNS * turnMs) return false
      one.storedAt = monotonic()
      return true
    },
    forget: () => heard.clear(),
    close: () => closing.abort(),
  }
}
