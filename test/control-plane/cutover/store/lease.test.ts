import { expect, it } from 'vitest'
import type { CutoverLease } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { until } from '../../../support/start-gateway.ts'
import { ago, onBothEngines, onPostgres, type State } from './support/engines.ts'
import { decision } from './support/made-up.ts'

/** Makes the lease one that is over. */
const over = (): string => `UPDATE lease SET until = ${ago(1_000)} WHERE name = 'cutover'`

/** Two processes, the first of which holds the lease. */
async function twoProcesses<Opened extends State>(state: Opened) {
  const [{ cutover: one }, { cutover: other }] = [await state.open('one'), await state.open('other')]
  return { state, one, other, lease: (await one.lease()) as CutoverLease }
}

onBothEngines('the lease', (newState) => {
  it('is taken again by who holds it, with the same token', async () => {
    const { cutover } = await newState().open()
    const lease = await cutover.lease()
    expect(lease).toEqual({ holder: expect.any(String), token: '1' })
    expect(await cutover.lease()).toEqual(lease)
    expect(await cutover.decide(decision(1), lease)).toBe('stored')
  })
})

onBothEngines('the lease among several processes', (newState) => {
  const start = () => twoProcesses(newState())

  it('has one holder, and passes to another once it is over, or at once when the holder stops', async () => {
    const state = newState()
    const [first, { cutover: other }] = [await state.open('one'), await state.open('other')]
    expect(await first.cutover.lease()).toBeDefined()
    expect(await other.lease()).toBe(undefined)
    await first.store.close(5_000)
    expect(await other.lease()).toMatchObject({ token: '2' })
  })

  it('that is over stores nothing, and sends nothing', async () => {
    const { state, one, other, lease } = await start()
    await one.decide(decision(1), lease)
    await state.sql(over())
    const later = (await other.lease()) as CutoverLease
    expect(await one.decide(decision(2), lease)).toBe('stale')
    expect(await one.due(lease)).toEqual({ messages: [], givenUp: 0 })
    await one.settle(decision(1).entry.id, 'delivered', lease)
    expect((await other.due(later)).messages).toHaveLength(1)
    expect(await one.audit({ limit: 10 })).toHaveLength(1)
    // People, and brakes, need none.
    expect(await one.decide(decision(2))).toBe('stored')
    expect(await other.decide(decision(3), later)).toBe('stored')
  })

  it('does not hold after it was over, though nobody else took it', async () => {
    const { state, one, lease } = await start()
    await state.sql(over())
    expect(await one.decide(decision(1), lease)).toBe('stale')
  })

  it('that ends later than any that is given out now is from before the clock was set back, and free', async () => {
    const { state, one, other, lease } = await start()
    await state.sql(`UPDATE lease SET until = ${ago(-3_600_000)}`)
    const later = (await other.lease()) as CutoverLease
    expect(later.token).toBe('2')
    expect(await one.lease()).toBe(undefined)
    expect([await one.decide(decision(1), lease), await other.decide(decision(1), later)]).toEqual(['stale', 'stored'])
  })
})

onPostgres('the lease while its holder is at work', (newState) => {
  const start = () => twoProcesses(newState())

  it('keeps nobody waiting who asks for it', async () => {
    const { state, other } = await start()
    const holding = await state.hold("SELECT 1 FROM lease WHERE name = 'cutover' FOR SHARE")
    expect(await other.lease()).toBe(undefined)
    await holding.release()
  })

  it('cannot pass on while its holder decides, and holds no later decision of it after that', async () => {
    const { state, one, other, lease } = await start()
    await one.decide(decision(1), lease)
    // Its next decision waits for this row, and has found by then that it holds the lease.
    const holding = await state.hold("UPDATE position SET version = version WHERE operation = 'one'")
    const deciding = one.decide(decision(2), lease).catch((error: Error) => error.message)
    await expect.poll(state.waiting, { timeout: 30_000, interval: 10 }).toBe(1)
    await expect(state.hold(`SET LOCAL lock_timeout = '50ms'; ${over()}`)).rejects.toThrow(/lock timeout/)
    await holding.release()
    expect(await deciding).toBe('stored')
    await state.sql(over())
    expect(await other.lease()).toMatchObject({ token: '2' })
    expect(await one.decide(decision(3), lease)).toBe('stale')
  })
})

onPostgres('decisions of others', (newState) => {
  it('are announced within moments', async () => {
    const state = newState()
    const [{ cutover: one }, { cutover: other, store }] = [await state.open('one'), await state.open('other')]
    let told = 0
    other.onDecided(() => told++)
    await store.keep([])
    await one.decide(decision(1))
    await until(() => told > 0)
    expect((await other.read()).positions[0]?.version).toBe(1)
  })
})
