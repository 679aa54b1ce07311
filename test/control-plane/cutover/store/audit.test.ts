import { expect, it } from 'vitest'
import type { Reset } from '../../../../src/control-plane/evidence/tally/resets.ts'
import { ago, onBothEngines } from './support/engines.ts'
import { decision, entry } from './support/made-up.ts'

const RESET: Reset = {
  ...{ id: 'reset 1', operation: 'one', at: '2027-03-04T05:06:07.891Z', by: 'Ada', why: 'v1 was repaired' },
  before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 12 },
}

onBothEngines('the audit', (newState) => {
  it('is read newest first, page by page, of all operations or of one', async () => {
    const state = newState()
    const { cutover } = await state.open()
    for (let version = 1; version <= 7; version++) await cutover.decide(decision(version))
    await cutover.decide(decision(1, { operation: 'two' }))
    // Some of the same moment.
    await state.sql(`UPDATE audit SET at = ${ago(1_000)} WHERE operation = 'one'`)
    const all = await cutover.audit({ limit: 1_000 })
    expect(all.map(({ operation }) => operation)).toEqual(['two', ...Array.from({ length: 7 }, () => 'one')])
    const paged = []
    for (let before = undefined as { at: string; id: string } | undefined; ; before = paged.at(-1)) {
      const page = await cutover.audit({ operation: 'one', before, limit: 3 })
      paged.push(...page)
      if (page.length < 3) break
    }
    expect(paged).toEqual(all.slice(1))
    expect(await cutover.audit({ limit: -1 })).toEqual([])
  })

  it('lists resets of the evidence too, which stay readable', async () => {
    const { store, cutover } = await newState().open()
    await store.keep([RESET])
    expect(await store.resets()).toEqual([RESET])
    expect(await cutover.audit({ limit: 10 })).toEqual([
      {
        ...{ id: RESET.id, at: RESET.at, event: 'evidence-reset', operation: 'one', by: 'Ada', from: 'ready' },
        ...{ to: 'insufficient data', why: 'v1 was repaired', counts: '{"requests":12}' },
        lineage: '{"mapping":"m","v1":null,"legacy":null}',
      },
    ])
    await cutover.decide({ entry: entry() })
    expect(await store.resets()).toEqual([RESET])
  })
})
