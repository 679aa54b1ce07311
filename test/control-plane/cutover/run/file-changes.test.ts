import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { CutoverStore } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { fileChanges } from '../../../../src/control-plane/cutover/run/file-changes.ts'
import { ago, onBothEngines } from '../store/support/engines.ts'

const START = new Date(Date.now() - 1_000).toISOString()

const change = (from: string, to: string) => ({
  ...({
    file: 'rollout',
    event: 'rollout-changed',
    operation: '*',
    by: 'auto',
    from,
    to,
    why: `${from} -> ${to}`,
    since: START,
  } as const),
  ...{ lineage: '{}', counts: '{}' },
})

/** A process that sees changes of its rollout file. */
const processOf = (store: CutoverStore) => {
  const add = fileChanges()
  return { sees: (from: string, to: string) => add(store, change(from, to)) }
}

const changesIn = async (store: CutoverStore): Promise<readonly string[]> =>
  (await store.audit({ operation: '*', limit: 100 })).map(({ why }) => why)

onBothEngines('changes of the rollout file', (newState) => {
  it('are added once by processes that see them at the same moment', async () => {
    const state = newState()
    const stores = [await state.open('one'), await state.open('other')].map(({ cutover }) => cutover)
    const [one, other] = stores.map(processOf)
    await Promise.all([one?.sees('a', 'b'), other?.sees('a', 'b')])
    await Promise.all([one?.sees('b', 'c'), other?.sees('b', 'c')])
    expect((await changesIn(stores[0] as CutoverStore)).toSorted()).toEqual(['a -> b', 'b -> c'])
  })

  it('are all added if processes see different ones at the same moment', async () => {
    const state = newState()
    const stores = await Promise.all(['one', 'two', 'three'].map((name) => state.open(name)))
    await Promise.all(stores.map(({ cutover }, index) => processOf(cutover).sees('a', `b${index}`)))
    const added = await changesIn(stores[0]?.cutover as CutoverStore)
    expect(added.toSorted()).toEqual(['a -> b0', 'a -> b1', 'a -> b2'])
  })

  it('follow each other although the clock says that they are of the same moment, or was set back', async () => {
    const state = newState()
    const { cutover } = await state.open('one')
    const process = processOf(cutover)
    const versions = Array.from({ length: 8 }, (_, number) => `v${number}`)
    for (const [index, version] of versions.slice(1).entries()) {
      await process.sees(versions[index] ?? '', version)
      await state.sql(`UPDATE audit SET at = ${ago(0)}`)
    }
    await state.sql(`UPDATE audit SET at = ${ago(-3_600_000)}`)
    await process.sees('v7', 'v8')
    expect(await changesIn(cutover)).toHaveLength(8)
  })

  it('are added again when a file that was taken back comes again', async () => {
    const { cutover } = await newState().open('one')
    const process = processOf(cutover)
    for (const [from = '', to = ''] of ['ab', 'ba', 'ab'].map((pair) => [...pair])) {
      await process.sees(from, to)
      // Nobody changes a file twice in a millisecond.
      await wait(2)
    }
    expect((await changesIn(cutover)).toSorted()).toEqual(['a -> b', 'a -> b', 'b -> a'])
  })

  it('are news if another process added the same one long before this one began', async () => {
    const state = newState()
    const { cutover } = await state.open('one')
    await processOf(cutover).sees('a', 'b')
    await state.sql(`UPDATE audit SET at = ${ago(3_600_000)}`)
    await processOf(cutover).sees('c', 'b')
    expect(await changesIn(cutover)).toEqual(['c -> b', 'a -> b'])
  })
})
