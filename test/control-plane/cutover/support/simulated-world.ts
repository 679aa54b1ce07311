import { oneTime } from '../../../../src/common/histogram.ts'
import type { AuditEntry } from '../../../../src/control-plane/cutover/audit.ts'
import { countsOf, decisionOf } from '../../../../src/control-plane/cutover/audit.ts'
import { brakeReason } from '../../../../src/control-plane/cutover/brake/brake.ts'
import { recentAnswers } from '../../../../src/control-plane/cutover/brake/recent-answers.ts'
import type { Action } from '../../../../src/control-plane/cutover/decide/order.ts'
import { carryOut } from '../../../../src/control-plane/cutover/decide/order.ts'
import { outlookOf, stopMove } from '../../../../src/control-plane/cutover/decide/outlook.ts'
import type { Move, Standing } from '../../../../src/control-plane/cutover/position.ts'
import { type Position, startOf } from '../../../../src/control-plane/cutover/position.ts'
import { judge, type Verdict } from '../../../../src/control-plane/evidence/tally/verdict.ts'
import type { Plan } from '../../../../src/control-plane/rollout/plan.ts'
import { chooseSide } from '../../../../src/planes/decisions.ts'
import { DEMANDS, NOTHING_ELSE } from '../../../support/simulate-ready.ts'

/** One operation with its plan in virtual time: what a replica counts, what is stored, and who decides, without sockets and without a store. */
export interface SimulatedPlan {
  readonly plan: Plan
  /** A client calls. Who answers is chosen as the gateway chooses; both answers are compared, by the product's own verdict. */
  call(client: string, now: Date, failing: { readonly v1: boolean; readonly legacy: boolean }): void
  /** What the holder of the lease does each second, or here as often as is asked. */
  decide(now: Date): void
  order(action: Action, by: string, why: string, now: Date): void
  position(): Position
  standing(now: Date): Standing
  /** Each decision with what it was based on, oldest first. */
  readonly audit: readonly (AuditEntry & { readonly basis: Standing })[]
}

interface Counted {
  calls: number
  failures: number
  times: Map<number, number>
}

const [[BUCKET] = [0]] = oneTime(100)

export function simulatedPlan(operation: string, plan: Plan, begins: Date): SimulatedPlan {
  const audit: (AuditEntry & { basis: Standing })[] = []
  let position = startOf(operation, begins.toISOString())
  let recent = recentAnswers()
  let [v1, legacy, legacyBefore] = [none(), none(), none()]
  let units = 0
  let verdict: Verdict = 'insufficient data'
  const sides = new Map<string, { readonly percent: number; readonly side: 'v1' | 'legacy' }>()

  function sideOf(client: string): 'v1' | 'legacy' {
    const { percent } = position
    const known = sides.get(client)
    if (known?.percent === percent) return known.side
    const side = chooseSide({ ...ROLLOUT, v1Percent: percent }, () => client)
    sides.set(client, { percent, side })
    return side
  }

  const standing = (now: Date): Standing => ({
    ...{ position, plan, verdict, isFresh: true, now },
    v1: { calls: v1.calls, failures: v1.failures, times: [...v1.times] },
    legacy: {
      calls: legacy.calls + legacyBefore.calls,
      failures: legacy.failures + legacyBefore.failures,
      times: [[BUCKET, (legacy.times.get(BUCKET) ?? 0) + (legacyBefore.times.get(BUCKET) ?? 0)]],
    },
  })

  function take(move: Move, by: string, now: Date): void {
    const basis = standing(now)
    const facts = { lineage: undefined, counts: countsOf(basis) }
    const decision = decisionOf(position, move, by, `${operation}-${position.version}`, facts)
    audit.push({ ...decision.entry, at: now.toISOString(), basis })
    const { since } = position
    position = { ...position, ...decision.position, since: decision.isNewStage ? now.toISOString() : since }
    if (decision.isNewStage !== true) return
    recent = recentAnswers()
    ;[v1, legacy, legacyBefore] = [none(), none(), legacy]
  }

  return {
    plan,
    call(client, now, failing) {
      const side = sideOf(client)
      const isFailure = failing[side]
      const counted = side === 'v1' ? v1 : legacy
      counted.calls++
      if (isFailure) counted.failures++
      else counted.times.set(BUCKET, (counted.times.get(BUCKET) ?? 0) + 1)
      recent.count(side, { isFailure, milliseconds: 100, at: now.getTime() })
      // Neither what fails nor what writes is compared.
      const isCompared = !failing.v1 && !failing.legacy && plan.withoutVerdict === undefined
      if (isCompared && verdict !== 'ready') {
        units++
        const seen = { matched: units, compared: units, units, mismatchedUnits: 0 }
        verdict = judge({ ...seen, ...NOTHING_ELSE }, DEMANDS).verdict
      }
      // Any replica brakes by itself, at once.
      if (side !== 'v1' || !isFailure) return
      const current = standing(now)
      const reason = brakeReason(current) ?? recent.brakeReason(plan.brake, current.legacy)
      if (reason !== undefined) take(stopMove('braked', reason), 'auto', now)
    },
    decide(now) {
      const { move } = outlookOf(standing(now))
      if (move !== undefined) take(move, 'auto', now)
    },
    order(action, by, why, now) {
      const move = carryOut({ operation, action, by, why }, standing(now))
      if ('refused' in move) throw new Error(move.refused)
      take(move, by, now)
    },
    position: () => position,
    standing,
    audit,
  }
}

const none = (): Counted => ({ calls: 0, failures: 0, times: new Map() })

const ROLLOUT = { serve: 'legacy', clients: {} } as unknown as Parameters<typeof chooseSide>[0]
