import { decisionOf } from '../../src/control-plane/cutover/audit.ts'
import type { CutoverStore } from '../../src/control-plane/cutover/cutover-store.ts'
import { type Action, carryOut } from '../../src/control-plane/cutover/decide/order.ts'
import { stopMove } from '../../src/control-plane/cutover/decide/outlook.ts'
import { deciding, turns } from '../../src/control-plane/cutover/run/deciding.ts'
import { type Standings, standings } from '../../src/control-plane/cutover/run/standings.ts'
import { logMoves, stopping, unjudgedPlans } from '../../src/control-plane/cutover/run/stopping.ts'
import { deliverWebhooks } from '../../src/control-plane/cutover/webhook/deliver-webhooks.ts'
import type { Plan } from '../../src/control-plane/rollout/plan.ts'
import type { Rollout } from '../../src/control-plane/rollout/rollout.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { OPERATIONS } from './traffic.ts'
import type { Life, Random, VirtualTime } from './virtual-time.ts'
import type { DecisionWitness } from './witness.ts'

const planOf = (steps: readonly number[]): Plan => ({
  ...{ steps, calls: 3, minutes: 0.05, approve: [], brake: { errors: 0.5, slowdown: 100 } },
  withoutVerdict: 'it is a model',
})

/** The steps of a plan; the rollout file changes from one to another. */
export const STEPS: readonly (readonly number[])[] = [[1, 5, 25, 50, 100], [10, 100], [5, 6, 7, 8, 9, 10, 11, 12], [50]]

/** The rollout file: a plan for each operation, with these steps. */
export const rolloutOf = (steps: readonly number[]): Rollout =>
  ({ brownouts: [], of: () => ({ plan: planOf(steps) }) }) as unknown as Rollout

/** What a process does about plans. */
export interface PlansHere {
  /** Counts a call. @param milliseconds tells processes apart. */
  answered(operation: string, side: 'v1' | 'legacy', isFailure: boolean, milliseconds: number): void
  /** What otherwise happens every second. Never rejects. */
  turn(): Promise<void>
  /** Carries out an operator's order, as far as the store can be used. */
  order(operation: string, action: Action): Promise<void>
  /** What this process has answered, at each operation's stage and the one before. */
  own(): ReturnType<OwnOf>
  /** Whether all that it has answered and decided is stored. */
  isStored(): boolean
}

type OwnOf = () => Parameters<CutoverStore['keep']>[0]

export interface PlansOptions {
  readonly store: CutoverStore
  readonly rollout: () => Rollout
  readonly now: () => Date
  readonly monotonic: () => number
  readonly newId: () => string
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }

/** Decides as `conductor` does, but without its timers. */
export function plansHere({ store, rollout, now, monotonic, newId }: PlansOptions): PlansHere {
  /** What was given to the store last: all that this process has answered. */
  let kept: ReturnType<OwnOf> = []
  let isWell = false
  const watched: CutoverStore = {
    ...store,
    async keep(answered) {
      kept = answered
      await store.keep(answered)
    },
  }
  const known: Standings = standings({
    ...{ rollout, operations: OPERATIONS, cache: { write: () => undefined }, now, monotonic },
  })
  const storing = turns(SILENT, known.verdicts.distrust)
  const unjudged = unjudgedPlans(SILENT)
  const logMove = logMoves(SILENT)
  const stops = stopping({ known, unjudged, logMove, newId, monotonic, storeSoon: () => undefined })
  // No plan has a gate here.
  const none = { hear: () => undefined, isNews: () => false, forget: () => undefined, close: () => undefined }
  const decisions = deciding({
    ...{ known, unjudged, store: watched, stopping: stops },
    ...{ gates: none, log: SILENT, logMove, newId },
  })
  known.follow()

  const decide = async (): Promise<void> => {
    known.follow()
    for (const operation of OPERATIONS) stops.check(operation)
    const judged = OPERATIONS.map((operation) => ({ operation, verdict: 'insufficient data', differences: [] }))
    known.verdicts.take(OPERATIONS, judged as unknown as Parameters<typeof known.verdicts.take>[1], true)
    try {
      await storing.take(async () => {
        await decisions.storeStops()
        await decisions.read()
        await decisions.decideAll()
        await decisions.storeStops()
      })
      isWell = true
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      isWell = false
    }
  }
  let current: Promise<void> | undefined
  return {
    turn() {
      current ??= decide().finally(() => {
        current = undefined
      })
      return current
    },
    answered(operation, side, isFailure, milliseconds) {
      const failure = isFailure ? 'v1: 500' : undefined
      known.count({ operation, answeredBy: side, status: isFailure ? 500 : 200, failure, milliseconds })
      isWell = false
    },
    async order(operation, action) {
      const plan = known.plans().get(operation)
      if (plan === undefined) return
      if (action === 'stop') {
        const facts = known.facts(operation)
        if (known.isUnstored(operation) || known.position(operation).state === 'stopped') return
        known.stop({ id: newId(), operation, by: 'operator', move: stopMove('stopped', 'by order'), facts })
        return
      }
      const work = async (): Promise<void> => {
        await decisions.read()
        const standing = known.of(operation, plan)
        const move = carryOut({ operation, action, by: 'operator', why: 'by order' }, standing)
        if ('refused' in move) return
        await decisions.decide(decisionOf(standing.position, move, 'operator', newId(), known.facts(operation)))
      }
      await storing.take(work).catch((error: unknown) => {
        if (!(error instanceof StateError)) throw error
      })
    },
    own: () => kept,
    isStored: () => isWell && known.unstored().length === 0,
  }
}

export interface SendingOptions {
  readonly store: CutoverStore
  readonly time: VirtualTime
  readonly life: Life
  readonly random: Random
  readonly witness: DecisionWitness
  readonly tell: (line: string) => void
  /** How often the receiver or the way to it fails, from 0 to 1. */
  readonly fails: () => number
}

/** Sends the messages of the outbox to a model of a receiver, as long as the process lives. */
export function sendMessages({ store, time, life, random, witness, tell, fails }: SendingOptions): void {
  const post = async (body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<number> => {
    await time.sleep(random.below(300), life)
    const fate = random.share() / Math.max(fails(), 1e-9)
    if (fate < 0.3) throw new Error('it cannot be reached')
    const { operation } = JSON.parse(Buffer.from(body).toString()) as { readonly operation: string }
    const id = headers['webhook-id'] as string
    if (fate < 0.6) return 503
    tell(`the receiver takes ${id} of ${operation}`)
    witness.received({ id, operation })
    await time.sleep(fate < 0.8 ? random.below(15_000) : random.below(200), life)
    if (fate < 1) throw new Error('its answer is lost')
    return 200
  }
  deliverWebhooks({
    ...{ store, post, receiver: 'receiver', secret: 'secret', log: SILENT, now: () => time.now() },
    ...{ random: random.share, after: (milliseconds) => time.sleep(milliseconds, life) },
  })
}
