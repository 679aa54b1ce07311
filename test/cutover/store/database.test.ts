import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CutoverStore } from '../../../src/cutover/cutover-store.ts'
import { StateError } from '../../../src/state/state-error.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { databaseState } from './support/engines.ts'
import { answered, decision, entry } from './support/made-up.ts'

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

describe.skipIf(!isInstalled)('the cut-over in a database', () => {
  it('needs a role with rights to its own schema alone', async () => {
    await server.query(`
      CREATE ROLE narrow LOGIN PASSWORD 'narrow'; CREATE SCHEMA narrow AUTHORIZATION narrow;
      REVOKE ALL ON DATABASE ${server.settings.database} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${server.settings.database} TO narrow; REVOKE ALL ON SCHEMA public FROM PUBLIC`)
    const { cutover } = await databaseState(server, { user: 'narrow', password: 'narrow' }, 'narrow').open()
    for (const use of useAll(cutover, 1)) await use()
    expect((await cutover.read()).positions).toMatchObject([{ version: 1 }])
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
    await expect.poll(() => store.keep({}).catch(() => 'not yet'), { timeout: 30_000 }).toBe('same')
    expect((await cutover.read()).positions[0]?.version).toBeLessThanOrEqual(2)
    await cutover.keep([answered(1, 30)])
    expect((await cutover.read()).answered?.find(({ stage }) => stage === 1)?.v1.calls).toBe(30)
  }, 60_000)
})
