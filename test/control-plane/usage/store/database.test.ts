import { expect, it } from 'vitest'
import { onPostgres } from '../../cutover/store/support/engines.ts'
import { portion, row } from './support/made-up.ts'

onPostgres('usage', (newState) => {
  it('makes a process wait for another that brings new clients, and for nobody else', async () => {
    const state = newState()
    const { usage } = await state.open()
    await usage.add(portion(1, row()))
    const held = await state.hold('UPDATE usage_day SET clients = clients')
    await usage.add(portion(2, row()))
    const waiting = usage.add(portion(3, row({ client: 'new' })))
    await expect.poll(state.waiting, { interval: 10 }).toBe(1)
    await held.release()
    await waiting
    expect(await state.sql('SELECT clients FROM usage_day')).toEqual([{ clients: 2 }])
  })
})
