import { expect, it } from 'vitest'
import type { CutoverLease, CutoverStore } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { ago, onBothEngines } from './support/engines.ts'
import { decision, entry } from './support/made-up.ts'

const HOUR = 3_600_000

onBothEngines('the outbox', (newState) => {
  const start = async () => {
    const state = newState()
    const { cutover } = await state.open()
    return { state, cutover, lease: (await cutover.lease()) as CutoverLease }
  }
  const bodies = async (cutover: CutoverStore, lease: CutoverLease) =>
    (await cutover.due(lease)).messages.map(({ operation, body }) => `${operation} ${JSON.parse(body).event}`)

  it('holds the messages of each operation in order, the oldest of each to be sent first', async () => {
    const { cutover, lease } = await start()
    const decided = { ...decision(1), message: { event: 'first' } }
    await cutover.decide(decided)
    await cutover.decide({ ...decision(2), message: { event: 'second' } })
    await cutover.decide({ ...decision(1, { operation: 'two' }), message: { event: 'other' } })
    await cutover.decide({ ...decision(3), message: undefined })
    const { messages, givenUp } = await cutover.due(lease)
    const [first] = messages
    const audited = (await cutover.audit({ operation: 'one', limit: 3 })).find(({ id }) => id === decided.entry.id)
    expect(first).toEqual({
      ...{ id: audited?.id, number: 1, operation: 'one', attempts: 0, createdAt: audited?.at, dueAt: audited?.at },
      body: `{"event":"first","at":"${audited?.at}"}`,
    })
    expect([messages.length, givenUp]).toEqual([2, 0])
    expect(await bodies(cutover, lease)).toEqual(['one first', 'two other'])
    await cutover.settle(first?.id ?? '', 'delivered', lease)
    expect(await bodies(cutover, lease)).toEqual(['one second', 'two other'])
  })

  it('keeps the messages after one that is postponed, and the same body at each attempt', async () => {
    const { state, cutover, lease } = await start()
    await cutover.decide({ ...decision(1), message: { event: 'first' } })
    await cutover.decide({ ...decision(2), message: { event: 'second' } })
    const [before] = (await cutover.due(lease)).messages
    await cutover.settle(before?.id ?? '', { againInMs: HOUR }, lease)
    expect(await bodies(cutover, lease)).toEqual([])
    await state.sql(`UPDATE outbox SET due_at = ${ago(1)} WHERE number = 1`)
    const [again] = (await cutover.due(lease)).messages
    expect([again?.body, again?.attempts]).toEqual([before?.body, 1])
  })

  it('gives up what nobody took for a day, and says how much', async () => {
    const { state, cutover, lease } = await start()
    for (const version of [1, 2, 3]) await cutover.decide(decision(version))
    await state.sql(`UPDATE outbox SET created_at = ${ago(24 * HOUR + 1_000)} WHERE number < 3`)
    const { messages, givenUp } = await cutover.due(lease)
    expect([messages.map(({ number }) => number), givenUp]).toEqual([[3], 2])
    expect((await cutover.due(lease)).givenUp).toBe(0)
  })

  it('has a message once, however often its entry is sent', async () => {
    const { cutover, lease } = await start()
    const same = { entry: entry(), message: { event: 'new-difference' } }
    await Promise.all([cutover.decide(same), cutover.decide(same), cutover.decide(same)])
    const [message] = (await cutover.due(lease)).messages
    await cutover.settle(message?.id ?? '', 'delivered', lease)
    expect(await bodies(cutover, lease)).toEqual([])
  })
})
