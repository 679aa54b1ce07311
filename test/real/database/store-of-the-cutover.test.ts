import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CutoverLease, CutoverStore } from '../../../src/control-plane/cutover/cutover-store.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { databaseState } from '../../control-plane/cutover/store/support/engines.ts'
import { answered, decision, entry } from '../../control-plane/cutover/store/support/made-up.ts'
import { dayAgo, portion, row } from '../../control-plane/usage/store/support/made-up.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'

let server: PostgresServer
beforeAll(async () => {
  if (isInstalled) server = await startPostgres({ fsync: false })
})
afterAll(() => server?.stop())

const useAll = (cutover: CutoverStore, version: number) => {
  const lease = { holder: 'somebody', token: '1' }
  return [
    () => cutover.read(),
    () => cutover.keep([answered(1, version * 10)]),
    () => cutover.lease(),
    () => cutover.decide(decision(version)),
    () => cutover.endBrownouts(entry(), 0),
    () => cutover.audit({ limit: 10 }),
    () => cutover.due(lease),
    () => cutover.settle(randomUUID(), 'delivered', lease),
  ]
}

describe.skipIf(!isInstalled)('the cut-over and usage in a database', () => {
  it('need a role with rights to its own schema alone', async () => {
    await server.query(`
      CREATE ROLE narrow LOGIN PASSWORD 'narrow'; CREATE SCHEMA narrow AUTHORIZATION narrow;
      REVOKE ALL ON DATABASE ${server.settings.database} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${server.settings.database} TO narrow; REVOKE ALL ON SCHEMA public FROM PUBLIC`)
    const state = databaseState(server, { user: 'narrow', password: 'narrow' }, 'narrow')
    const { cutover, usage, logins } = await state.open()
    for (const use of useAll(cutover, 1)) await use()
    expect((await cutover.read()).positions).toMatchObject([{ version: 1 }])
    for (const number of [1, 2]) await usage.add(portion(number, row()))
    expect(await usage.weeks()).toEqual([{ client: 'shop', operation: 'one', weeksAgo: 0, calls: 2 }])
    expect(await usage.read({ since: dayAgo(0) })).toMatchObject([{ client: 'shop', calls: 2 }])
    await logins.add([{ hash: 'a', client: 'shop' }])
    expect((await logins.read(0)).logins).toHaveLength(1)
  })

  it('that hangs refuses all that is asked of it together, and is used again when it is back', async () => {
    const { store, cutover } = await databaseState(server).open()
    await cutover.decide(decision(1))
    server.pause()
    const began = performance.now()
    const outcomes = await Promise.all(useAll(cutover, 2).map((use) => use().catch((error) => error)))
    const took = performance.now() - began
    server.resume()
    expect(outcomes).toEqual(outcomes.map(() => expect.any(StateError)))
    // One of them waits for five seconds; one after the other they would wait for forty.
    expect(took).toBeLessThan(20_000)
    await expect.poll(() => store.keep([]).catch(() => 'not yet'), { timeout: 30_000 }).toBe(undefined)
    expect((await cutover.read()).positions[0]?.version).toBeLessThanOrEqual(2)
    await cutover.keep([answered(1, 30)])
    expect((await cutover.read()).answered?.find(({ stage }) => stage === 1)?.v1.calls).toBe(30)
  }, 60_000)

  it('passes the lease on when its holder is paused in the middle of a decision, of which nothing is stored', async () => {
    const state = databaseState(server)
    const [{ cutover: one }, { cutover: other }] = [await state.open('one'), await state.open('other')]
    const lease = (await one.lease()) as CutoverLease
    await one.decide(decision(1), lease)
    const holding = await state.hold("UPDATE position SET version = version WHERE operation = 'one'")
    await state.sql("UPDATE lease SET until = clock_timestamp() + interval '4 seconds' WHERE name = 'cutover'")
    // The database ends it after five seconds, when the lease is over.
    const deciding = one.decide(decision(2), lease).catch((error) => error)
    await expect.poll(() => other.lease().catch(() => undefined), { timeout: 30_000 }).toMatchObject({ token: '2' })
    await holding.release()
    expect(await deciding).toBeInstanceOf(StateError)
    expect((await other.read()).positions[0]?.version).toBe(1)
    expect(await other.audit({ limit: 10 })).toHaveLength(1)
    await expect.poll(() => one.decide(decision(2), lease).catch(() => 'away'), { timeout: 30_000 }).toBe('stale')
  }, 60_000)
})
