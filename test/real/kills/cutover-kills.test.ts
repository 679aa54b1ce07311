import { expect, it } from 'vitest'
import type { CutoverStore } from '../../../src/control-plane/cutover/cutover-store.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { answered, decision } from '../../control-plane/cutover/store/support/made-up.ts'
import { onMortalEngine } from './mortal-engine.ts'

const ROUNDS = 4

/** Decides one version after the other until the store fails; returns the error. */
async function decideUntilItFails(store: CutoverStore, onDecided: () => void): Promise<unknown> {
  for (;;) {
    try {
      const { positions } = await store.read()
      const next = (positions[0]?.version ?? 0) + 1
      await Promise.all([store.decide(decision(next)), store.keep([answered(positions[0]?.stage ?? 0, next)])])
      onDecided()
    } catch (error) {
      return error
    }
  }
}

await onMortalEngine('a store that is killed in the middle of decisions', (newState) => {
  it('has stored each with its entry and its message, or nothing of it', async () => {
    const state = newState()
    const { store, cutover } = await state.open()
    let made = 0
    for (let round = 0; round < ROUNDS; round++) {
      let decided = () => {}
      const some = new Promise<void>((resolve) => {
        let left = 3 + round
        decided = () => {
          if (--left === 0) resolve()
        }
      })
      const failing = decideUntilItFails(cutover, () => {
        made++
        decided()
      })
      await some
      await state.kill()
      expect(await failing).toBeInstanceOf(StateError)
      // Who stores results finds out when it is back.
      await expect.poll(() => store.keep([]).catch(() => 'not yet'), { timeout: 30_000 }).toBe(undefined)
    }
    const { positions } = await cutover.read()
    const version = positions[0]?.version ?? 0
    expect(version).toBeGreaterThanOrEqual(made)
    expect(version).toBeLessThanOrEqual(made + ROUNDS)
    expect(await cutover.audit({ limit: 1_000 })).toHaveLength(version)
    expect(await state.sql('SELECT id FROM outbox')).toHaveLength(version)
    expect(await state.sql('SELECT id FROM audit_counts')).toHaveLength(version)
    expect(await cutover.decide(decision(version + 1))).toBe('stored')
  }, 120_000)
})
