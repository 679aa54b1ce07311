import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgresStore } from '../../../src/app/postgres-stores.ts'
import { type KeptTally, keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { expectationsFrom, lost } from '../../control-plane/evidence/support/lines.ts'
import { criteriaOf, observe } from '../../control-plane/evidence/support/observing.ts'
import { STATUS } from '../../control-plane/store/support/replicas.ts'
import { DATABASE, isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { programOf, runsAs } from '../../support/postgres-files.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const criteria = () => criteriaOf(new Map([['first', lines]]))
const warnings: string[] = []
const LOG = {
  info: () => undefined,
  warn: (_: unknown, message = '') => void warnings.push(message),
  error: () => undefined,
}
const LOST = 'the state was replaced or restored: results that were stored since then are not in it'
let server: PostgresServer
beforeAll(async () => {
  if (isInstalled) server = await startPostgres({ fsync: false })
})
afterAll(() => server?.stop())

async function startReplica(replicaId: string): Promise<KeptTally> {
  const { settings } = server
  const { store } = openPostgresStore({
    ...{ settings, replicaId, status: () => STATUS, onOffset: () => undefined, log: LOG },
  })
  const tally = await keptTally({ store, criteria, log: LOG as never, everyMs: 20 })
  onTestFinished(() => tally.close(500))
  return tally
}
async function requests(tally: KeptTally): Promise<number> {
  await tally.refresh(0)
  return tally.snapshot()[0]?.totals.requests ?? 0
}
const record = (tally: KeptTally, times: number): void => {
  for (let time = 0; time < times; time++) {
    tally.record(observe({ operation: 'first', control: { a: 1 }, candidate: { a: 1 }, expectations: lines }))
  }
}

/** The commands of docs/fleet.md, in the folder of the server, and for its database. */
function commands(): readonly string[] {
  const [, text = ''] =
    /^## Backup and restore$.*?^```sh\n(.*?)^```$/ms.exec(readFileSync('docs/fleet.md', 'utf8')) ?? []
  return text.replaceAll(/(?<=[ =])legacy_gateway$|(?<=dbname=)legacy_gateway/gm, DATABASE).split(/\n(?=pg_dump|\()/)
}
const run = (command: string | undefined): void => {
  if (command === undefined) throw new Error('docs/fleet.md has no such command')
  const PATH = `${programOf('')}:${process.env.PATH}`
  const env = { PATH, PGHOST: server.folder, PGPORT: `${server.port}`, PGUSER: 'postgres' }
  execFileSync('sh', ['-ec', command], { ...runsAs, env, cwd: server.folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

describe.skipIf(!isInstalled)('a backup', () => {
  it('is restored while replicas run, which go on from there, count nothing twice, and say what is lost', async () => {
    const [dump, restore] = commands()
    const [one, other] = [await startReplica('one'), await startReplica('other')]
    record(one, 3)
    record(other, 4)
    // Each has stored what it found once the other shows it.
    for (const tally of [one, other]) await expect.poll(() => requests(tally)).toBe(7)
    run(dump)
    record(one, 5)
    await expect.poll(() => requests(other)).toBe(12)
    run(restore)
    for (const tally of [one, other]) await expect.poll(() => requests(tally)).toBe(7)
    expect(warnings).toEqual([LOST, LOST])
    record(other, 6)
    for (const tally of [one, other]) await expect.poll(() => requests(tally)).toBe(13)
    expect(one.health().failure).toBe(null)
    const keys = await server.query("SELECT 1 FROM pg_constraint WHERE conname = 'ledger_pkey'")
    expect(keys.length).toBe(1)
  })
})
