import type { Logger } from 'pino'
import { serial } from '../../../common/promises.ts'
import { gateName, type Plan } from '../../rollout/plan.ts'
import { StateError } from '../../store/state-error.ts'
import { decisionOf, gateDecisionOf } from '../audit.ts'
import type { CutoverLease, CutoverStore, Decision } from '../cutover-store.ts'
import { outlookOf, stopMove } from '../decide/outlook.ts'
import type { GateAnswer } from '../gate/ask-gate.ts'
import type { Gates } from '../gate/gates.ts'
import type { Standing } from '../position.ts'
import type { Standings } from './standings.ts'
import type { LogMove, Stopping, Unjudged } from './stopping.ts'

/** Reads from the store and decides there. Call one function at a time: see `turns`. All reject with a StateError. */
export interface Deciding {
  read(): Promise<void>
  /** Stores a decision and puts it into effect. Returns false if the position has changed meanwhile. */
  decide(decision: Decision, lease?: CutoverLease): Promise<boolean>
  /** Stores the stops made by this process. */
  storeStops(): Promise<void>
  /** Takes the steps that are due, if this process holds the lease. */
  decideAll(): Promise<void>
}

export interface DecidingOptions {
  readonly known: Standings
  readonly unjudged: Unjudged
  readonly store: CutoverStore
  readonly stopping: Pick<Stopping, 'stop'>
  readonly gates: Gates
  readonly log: Pick<Logger, 'info'>
  readonly logMove: LogMove
  readonly newId: () => string
}

/**
 * How often a process without the lease reads what the others answered, which is one row per replica and stage. Its brake weighs
 * its own calls at once; the lease holder weighs those of all processes every second.
 */
const OTHERS_MS = 5_000

export function deciding(options: DecidingOptions): Deciding {
  const { known, unjudged, store, stopping, gates, log, logMove, newId } = options
  let isHolder = false
  const read = async (): Promise<void> => {
    await known.read(store, isHolder ? 0 : OTHERS_MS)
  }
  const decide = async (decision: Decision, lease?: CutoverLease): Promise<boolean> => {
    if ((await store.decide(decision, lease)) === 'stale') return false
    known.decided(decision)
    return true
  }
  /** Stores what the gate of a plan says, which every replica shows, and each can hold a step by. */
  const noteGate = async (standing: Standing, answer: GateAnswer, lease: CutoverLease): Promise<void> => {
    const { position, plan } = standing
    const why = answer.says === 'go' ? undefined : answer.why
    const decision = gateDecisionOf(position, why, newId(), known.facts(position.operation))
    if (!(await decide(decision, lease))) return
    const line = { operation: position.operation, gate: plan.gate && gateName(plan.gate), why }
    log.info(line, why === undefined ? 'the gate of a plan lets it go on' : 'the gate of a plan lets it wait')
  }
  const decideOne = async (operation: string, plan: Plan, lease: CutoverLease): Promise<void> => {
    const standing = known.of(operation, plan)
    const { move, next } = outlookOf(standing)
    if (known.isUnstored(operation)) return
    if (move?.event === 'braked') return stopping.stop(operation, 'auto', move)
    const isStep = move?.event === 'advanced'
    if (hasGate(standing)) {
      const answer = gates.hear(standing, next, isStep)
      if (answer?.says === 'brake' && standing.position.percent > 0) {
        return stopping.stop(operation, 'auto', stopMove('braked', `the gate ${answer.why}`))
      }
      // After the last step, a gate holds nothing.
      if (answer !== undefined && next !== null && gates.isNews(standing, answer))
        return noteGate(standing, answer, lease)
      if (isStep && answer?.says !== 'go') return
    }
    if (move === undefined) return
    const decision = decisionOf(standing.position, move, 'auto', newId(), known.facts(operation))
    if (await decide(decision, lease)) logMove(move, 'auto', standing.position)
  }
  return {
    read,
    decide,
    async storeStops() {
      for (const one of known.unstored()) {
        const { operation, move, by, id, facts } = one
        // What was last read may be old: only a plan that is stopped now needs no stop.
        if (known.stored(operation).state === 'stopped') await read()
        if (!known.unstored().includes(one)) continue
        // If the decision is stale, `read` stops the plan where it is now, and the next turn stores that.
        if (await decide(decisionOf(known.stored(operation), move, by, id, facts))) known.settle(one)
        else await read()
      }
    },
    async decideAll() {
      const lease = known.plans().size === 0 ? undefined : await store.lease()
      isHolder = lease !== undefined
      if (lease === undefined) return gates.forget()
      for (const [operation, plan] of known.plans()) {
        try {
          await decideOne(operation, plan, lease)
          unjudged.remove(operation)
        } catch (error) {
          if (error instanceof StateError) throw error
          unjudged.add(operation, error)
        }
      }
    },
  }
}

/** Whether somebody is asked about a plan: while it runs or waits. */
const hasGate = ({ plan: { gate }, position: { state } }: Standing): boolean =>
  gate !== undefined && state !== 'stopped' && state !== 'done'

/** Runs work with the store, one piece after the other. */
export interface Turns {
  /** Runs work once all earlier work is done. Rejects as the work does. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether the last work with the store succeeded. */
  isWell(): boolean
}

/** Logs once when the store begins to fail, and once when it works again. Calls `onFailed` each time. */
export function turns(log: Pick<Logger, 'info' | 'error'>, onFailed: () => void): Turns {
  const next = serial()
  let isWell = true
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work()
      if (!isWell) log.info('the cut-over is shared and stored again')
      isWell = true
      return result
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!(error instanceof StateError)) log.error({ err: error }, 'the cut-over failed')
      else if (isWell)
        log.error({ reason }, 'the cut-over cannot be stored: plans stay where they are, and brakes act here')
      isWell = false
      onFailed()
      throw error
    }
  }
  return {
    take: (work) => next(() => told(work)),
    isWell: () => isWell,
  }
}
