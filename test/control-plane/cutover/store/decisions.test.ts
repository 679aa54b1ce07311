import { expect, it } from 'vitest'
import { onBothEngines } from './support/engines.ts'
import { answered, decision, entry } from './support/made-up.ts'

onBothEngines('decisions', (newState) => {
  it('begin with no position, and each is read by another process', async () => {
    const state = newState()
    const [{ cutover: one }, { cutover: other }] = [await state.open(), await state.open()]
    expect(await one.read()).toEqual({
      ...{ now: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), positions: [], answered: [], brownoutsEndedAt: null },
    })
    expect(await one.decide(decision(1))).toBe('stored')
    const { positions, now } = await other.read()
    expect(positions).toEqual([{ ...decision(1).position, since: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) }])
    expect(Date.parse(now) - Date.parse(positions[0]?.since ?? '')).toBeLessThan(30_000)
  })

  it('keep since when a step is reached, until the next one', async () => {
    const { cutover } = await newState().open()
    const sinceAfter = async (version: number, isNewStage: boolean) => {
      expect(await cutover.decide({ ...decision(version), isNewStage })).toBe('stored')
      return (await cutover.read()).positions[0]?.since
    }
    const first = await sinceAfter(1, true)
    expect(await sinceAfter(2, false)).toBe(first)
    expect((await sinceAfter(3, true)) ?? '').toMatch(/Z$/)
  })

  it('of many that two processes make at once of the same version, exactly one is stored, with its entry and message', async () => {
    const state = newState()
    const [{ cutover: one }, { cutover: other }] = [await state.open(), await state.open()]
    for (const version of [1, 2, 3]) {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? one : other).decide(decision(version))),
      )
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1)
    }
    expect((await one.read()).positions[0]?.version).toBe(3)
    expect(await one.audit({ limit: 100 })).toHaveLength(3)
    expect(await state.sql('SELECT number FROM outbox')).toHaveLength(3)
  })

  it.each([0, 1, 3, 7])('of version %i is stale after the first one', async (version) => {
    const { cutover } = await newState().open()
    await cutover.decide(decision(1))
    expect(await cutover.decide(decision(version))).toBe('stale')
    expect((await cutover.read()).positions[0]?.version).toBe(1)
    expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
  })

  it('that are sent again are stored once, and said to be stored', async () => {
    const state = newState()
    const { cutover } = await state.open()
    const same = decision(1)
    expect([await cutover.decide(same), await cutover.decide(same)]).toEqual(['stored', 'stored'])
    expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
    expect(await state.sql('SELECT number FROM outbox')).toHaveLength(1)
  })

  it('may be an entry alone, which moves nothing', async () => {
    const { cutover } = await newState().open()
    const changed = entry({ event: 'rollout-changed', operation: '*', why: '- 1\n+ 2' })
    expect(await cutover.decide({ entry: changed, message: { event: 'rollout-changed' } })).toBe('stored')
    expect((await cutover.read()).positions).toEqual([])
    expect(await cutover.audit({ limit: 10 })).toEqual([{ ...changed, at: expect.stringMatching(/Z$/) }])
  })

  it('take any text', async () => {
    const { cutover } = await newState().open()
    const odd = entry({ why: 'a\0b \ud800 "c"', by: "O'Neill; DROP TABLE audit" })
    const moved = { ...decision(1), entry: odd }
    const position = { ...(moved.position as NonNullable<typeof moved.position>), why: odd.why }
    expect(await cutover.decide({ ...moved, position, message: { text: odd.why } })).toBe('stored')
    const [{ why, by } = { why: '', by: '' }] = await cutover.audit({ limit: 1 })
    expect([why, by]).toEqual(['a\ufffdb \ufffd "c"', odd.by])
    expect((await cutover.read()).positions[0]?.why).toBe(why)
  })

  it('end all brownouts, once', async () => {
    const { cutover } = await newState().open()
    const ended = entry({ event: 'brownouts-ended', operation: '*' })
    await cutover.endBrownouts(ended, 0)
    const { brownoutsEndedAt } = await cutover.read()
    const [stored] = await cutover.audit({ limit: 10 })
    expect(brownoutsEndedAt).toBe(stored?.at)
    await cutover.endBrownouts(ended, 0)
    expect((await cutover.read()).brownoutsEndedAt).toBe(brownoutsEndedAt)
  })

  it('end all brownouts as of the time of the order, but none that a later order has ended', async () => {
    const { cutover } = await newState().open()
    const end = async (agoMs: number): Promise<number> => {
      await cutover.endBrownouts(entry({ event: 'brownouts-ended', operation: '*' }), agoMs)
      const { now, brownoutsEndedAt } = await cutover.read()
      return Date.parse(now) - Date.parse(brownoutsEndedAt ?? '')
    }
    const ago = await end(60_000)
    expect(ago).toBeGreaterThanOrEqual(60_000)
    expect(ago).toBeLessThan(80_000)
    const latest = await end(30_000)
    expect(latest).toBeLessThan(50_000)
    expect(await end(60_000)).toBeLessThan(50_000)
    expect(await cutover.audit({ limit: 10 })).toHaveLength(3)
  })

  it.each([['{"v1":{"calls":-1,"failures":0,"times":[]},"legacy":{"calls":0,"failures":0,"times":[]}}'], ['no JSON']])(
    'are not read with answers that someone changed: the error names them (%s)',
    async (text) => {
      const state = newState()
      const { cutover } = await state.open()
      await cutover.decide(decision(1))
      await cutover.keep([answered(1, 5)])
      await state.sql(`UPDATE ledger SET doc = ${state.bytes(Buffer.from(text))} WHERE kind = 'answers'`)
      await expect(cutover.read()).rejects.toMatchObject({
        message: expect.stringContaining("or delete it: DELETE FROM ledger WHERE kind = 'answers' AND key = 'one 1'"),
        isBusy: false,
      })
      expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
    },
  )

  it('are not read from a position that someone changed: the error names it', async () => {
    const state = newState()
    const { cutover } = await state.open()
    await cutover.decide(decision(1))
    await state.sql(`UPDATE position SET doc = '{"operation":"one"}'`)
    await expect(cutover.read()).rejects.toMatchObject({
      message: expect.stringContaining('a row of the table position of one cannot be read'),
      isBusy: false,
    })
    expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
  })
})
