import { expect, it } from 'vitest'
import type { CutoverStore } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { onBothEngines } from './support/engines.ts'
import { answered, decision, side } from './support/made-up.ts'

/** Calls of v1, by stage. */
async function callsIn(store: CutoverStore): Promise<Readonly<Record<number, number>>> {
  const { answered = [] } = await store.read()
  return Object.fromEntries(answered.map(({ stage, v1 }) => [stage, v1.calls]))
}

onBothEngines('what was answered', (newState) => {
  it('is the sum over all processes, however often they store the same', async () => {
    const state = newState()
    const [{ cutover: one }, { cutover: other }] = [await state.open(), await state.open()]
    for (const calls of [3, 3, 10]) await one.keep([answered(0, calls, 1)])
    await other.keep([answered(0, 5)])
    await other.keep([answered(0, 5)])
    const sums = { operation: 'one', stage: 0, v1: { ...side(15, 1) }, legacy: side(15) }
    expect((await one.read()).answered).toEqual([sums])
    expect((await other.read()).answered).toEqual([sums])
  })

  it('is of the stage of a position and of the one before it; those before are deleted', async () => {
    const state = newState()
    const { cutover } = await state.open()
    await cutover.keep([answered(0, 1)])
    await cutover.decide(decision(1))
    await cutover.keep([answered(0, 2), answered(1, 10)])
    expect(await callsIn(cutover)).toEqual({ 0: 2, 1: 10 })
    await cutover.decide({
      ...decision(2, {}),
      isNewStage: false,
      position: { ...decision(2).position, stage: 1 } as never,
    })
    await cutover.decide(decision(3))
    await cutover.keep([answered(0, 3), answered(1, 11), answered(3, 100)])
    expect(await callsIn(cutover)).toEqual({ 1: 11, 3: 100 })
    expect(await state.sql("SELECT key FROM ledger WHERE kind = 'answers' ORDER BY key")).toEqual([
      { key: 'one 1' },
      { key: 'one 3' },
    ])
  })

  it('of a stage that is not reached does not count', async () => {
    const state = newState()
    const { cutover } = await state.open()
    await cutover.keep([answered(7, 5)])
    expect(await callsIn(cutover)).toEqual({})
    expect(await state.sql("SELECT key FROM ledger WHERE kind = 'answers'")).toEqual([])
  })

  it('stays through restarts', async () => {
    const state = newState()
    for (let start = 0; start < 3; start++) {
      const { store, cutover } = await state.open('a')
      await cutover.keep([answered(0, 10, 2)])
      await store.close(500)
    }
    const { cutover } = await state.open('a')
    await cutover.keep([answered(0, 1)])
    const { answered: sums } = await cutover.read()
    expect(sums).toEqual([{ operation: 'one', stage: 0, v1: side(31, 6), legacy: side(31) }])
    expect(await state.sql("SELECT key FROM ledger WHERE kind = 'answers'")).toEqual([{ key: 'one 0' }])
  })

  it('at a stage that the store learns of later counts from then on', async () => {
    const { cutover } = await newState().open()
    await cutover.keep([answered(1, 5)])
    await cutover.decide(decision(1))
    await cutover.keep([answered(1, 7)])
    expect(await callsIn(cutover)).toEqual({ 1: 7 })
  })

  it('has the durations of the calls that were compared, which come later than the calls', async () => {
    const state = newState()
    const [{ cutover: one }, { cutover: other }] = [await state.open(), await state.open()]
    const pairs = (calls: number, slower: number) => ({ v1: [[40, calls]], legacy: [[30, calls]], slower }) as const
    await one.keep([answered(0, 5)])
    await one.keep([{ ...answered(0, 5), pairs: pairs(2, 1) }])
    await one.keep([{ ...answered(0, 5), pairs: pairs(3, 1) }])
    await other.keep([{ ...answered(0, 1), pairs: pairs(1, 1) }])
    const sums = { operation: 'one', stage: 0, v1: side(6), legacy: side(6), pairs: pairs(4, 2) }
    expect((await other.read()).answered).toEqual([sums])
  })
})
