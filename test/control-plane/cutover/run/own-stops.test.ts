import { expect, it } from 'vitest'
import type { CutoverState } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { stopMove } from '../../../../src/control-plane/cutover/decide/outlook.ts'
import type { Answered, Position } from '../../../../src/control-plane/cutover/position.ts'
import { standings } from '../../../../src/control-plane/cutover/run/standings.ts'
import { plan } from '../../../../src/control-plane/rollout/plan.ts'
import type { Rollout } from '../../../../src/control-plane/rollout/rollout.ts'

it('what was answered since a stop that is not stored yet is stored again once the stop is', async () => {
  const rollout = { of: () => ({ plan: plan.parse({ steps: [100] }) }) } as unknown as Rollout
  const known = standings({
    ...{ rollout: () => rollout, operations: ['one'], cache: { write: () => undefined } },
    ...{ now: () => new Date(0), monotonic: () => 1_000 },
  })
  let positions: readonly Position[] = []
  const kept: (readonly Answered[])[] = []
  const store = {
    keep: async (answered: readonly Answered[]) => void kept.push(answered),
    read: async (): Promise<CutoverState> => ({
      ...{ now: new Date(0).toISOString(), positions, answered: undefined, brownoutsEndedAt: null },
    }),
  }
  known.follow()
  const move = stopMove('stopped', 'by order')
  known.stop({ id: 'a', operation: 'one', by: 'operator', move, facts: known.facts('one') })
  known.count({ operation: 'one', answeredBy: 'legacy', status: 200, failure: undefined, milliseconds: 0 })
  await known.read(store, 0)
  expect(kept.at(-1)?.find(({ stage }) => stage === 1)?.legacy.calls).toBe(1)

  positions = [{ ...known.position('one'), version: 1, stage: 1 }]
  await known.read(store, 0)
  await known.read(store, 0)
  expect(kept).toHaveLength(3)
  await known.read(store, 0)
  expect(kept).toHaveLength(3)
})
