import { expect, it } from 'vitest'
import { StateError } from '../../../src/state/state-error.ts'
import type { UsageStore } from '../../../src/usage/usage-store.ts'
import { dayAgo, portion, row, seen } from '../../usage/store/support/made-up.ts'
import { onMortalEngines } from './mortal-engines.ts'

const ROUNDS = 4

await onMortalEngines('usage in a store that is killed in the middle of portions', (newState) => {
  it('has counted each portion once, whatever became of it', async () => {
    const state = newState()
    const { store, usage } = await state.openAside()
    let number = 1
    let onAdded = () => {}
    /** Whoever counts gives a portion again until it is stored. */
    const addUntilItFails = async (): Promise<unknown> => {
      for (;;) {
        try {
          await usage.add(portionOf(number))
          number++
          onAdded()
        } catch (error) {
          return error
        }
      }
    }
    for (let round = 0; round < ROUNDS; round++) {
      const some = new Promise<void>((resolve) => {
        let left = 3 + round
        onAdded = () => {
          if (--left === 0) resolve()
        }
      })
      const failing = addUntilItFails()
      await some
      await state.kill()
      expect(await failing).toBeInstanceOf(StateError)
      await expect.poll(() => store.keep({}).catch(() => 'not yet')).toBe(undefined)
    }
    await usage.add(portionOf(number))
    for (const { calls, seen } of await all(usage)) {
      expect([calls, seen.calls, seen.members]).toEqual([number, number, { page: number }])
    }
    expect(await all(usage)).toHaveLength(20)
    expect(await state.sql('SELECT clients FROM usage_day')).toEqual([{ clients: 10 }])
  }, 120_000)
})

const all = (usage: UsageStore) => usage.read({ since: dayAgo(1) })
const DAY = dayAgo(0)

/** The same rows each time. */
const portionOf = (number: number) =>
  portion(
    number,
    ...Array.from({ length: 20 }, (_, at) =>
      row({ day: DAY, client: `client ${at % 10}`, operation: `${at}`, seen: seen({ members: { page: 1 } }) }),
    ),
  )
