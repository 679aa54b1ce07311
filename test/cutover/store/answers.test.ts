import { expect, it } from 'vitest'
import type { CutoverStore } from '../../../src/cutover/cutover-store.ts'
import { ago, onBothEngines, type State } from './support/engines.ts'
import { answered, decision, side } from './support/made-up.ts'

const HOUR = 3_600_000

/** Calls of v1, by stage. */
async function callsIn(store: CutoverStore): Promise<Readonly<Record<number, number>>> {
  const { answered = [] } = await store.read()
  return Object.fromEntries(answered.map(({ stage, v1 }) => [stage, v1.calls]))
}

/** As if nobody had stored anything for more than an hour; then the holder of the lease folds. */
async function foldAll(state: State): Promise<void> {
  await state.sql(`UPDATE answered SET seen_at = ${ago(HOUR + 60_000)} WHERE replica <> ''`)
  const { store, cutover } = await state.open()
  await cutover.lease()
  // Answered after the folding, as it was asked after it.
  await cutover.read()
  await store.close(500)
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
    expect(await state.sql('SELECT stage FROM answered ORDER BY stage')).toEqual([{ stage: 1 }, { stage: 3 }])
  })

  it('of a stage that is not reached does not count', async () => {
    const state = newState()
    const { cutover } = await state.open()
    await cutover.keep([answered(7, 5)])
    expect(await callsIn(cutover)).toEqual({})
    expect(await state.sql('SELECT stage FROM answered')).toEqual([])
  })

  it('stays through restarts, whose rows become one', async () => {
    const state = newState()
    for (let start = 0; start < 3; start++) {
      const { store, cutover } = await state.open('a')
      await cutover.keep([answered(0, 10, 2)])
      await store.close(500)
    }
    await foldAll(state)
    await foldAll(state)
    expect(await state.sql('SELECT replica, incarnation FROM answered')).toEqual([{ replica: '', incarnation: '' }])
    const { cutover } = await state.open('a')
    await cutover.keep([answered(0, 1)])
    const { answered: sums } = await cutover.read()
    expect(sums).toEqual([{ operation: 'one', stage: 0, v1: side(31, 6), legacy: side(31) }])
  })

  it('of a process that was paused for long and is back counts once', async () => {
    const state = newState()
    const { cutover } = await state.open()
    await cutover.keep([answered(0, 10, 1)])
    await foldAll(state)
    await cutover.keep([answered(0, 12, 1)])
    expect(await callsIn(cutover)).toEqual({ 0: 12 })
    await cutover.keep([answered(0, 20, 5)])
    await foldAll(state)
    await cutover.keep([answered(0, 21, 5)])
    await cutover.keep([answered(0, 21, 5)])
    expect((await cutover.read()).answered?.[0]?.v1).toEqual(side(21, 5))
  })

  it('of processes that run is not folded', async () => {
    const state = newState()
    const { cutover } = await state.open('a')
    await cutover.keep([answered(0, 10)])
    await cutover.lease()
    await cutover.read()
    expect(await state.sql('SELECT replica FROM answered')).toEqual([{ replica: 'a' }])
  })
})
