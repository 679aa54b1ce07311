import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { forgetOld } from '../../src/compare/tally/postgres/forget-old.ts'
import type { Database, Transaction } from '../../src/state/postgres/database.ts'
import { beat, watchGone } from '../../src/state/postgres/heartbeat.ts'
import { openDatabase } from '../../src/state/postgres/open-database.ts'
import { stillHolds, takeLease } from '../../src/state/postgres/postgres-lease.ts'
import { expectationsFrom, lost } from '../compare/support/lines.ts'
import { observe } from '../compare/support/observing.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { foldAll, replicaOf, type TestReplica } from './support/replicas.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const operations = new Map([['first', lines]])
const server = sharedPostgres() as SharedPostgres

const matching = () => observe({ operation: 'first', control: { a: 1 }, candidate: { a: 1 }, expectations: lines })
const requests = async (replica: TestReplica): Promise<number> =>
  (await replica.tally()).snapshot()[0]?.totals.requests ?? 0

/** A replica that has stored so many results, and a database of the same schema. */
async function begin(times: number, schema = newSchema()) {
  const settings = { ...server.settings, schema }
  const replica = replicaOf(settings, operations)
  const database: Database = openDatabase(settings)
  onTestFinished(async () => {
    await replica.kill()
    await database.close(0)
  })
  await store(replica, times)
  return { schema, replica, database }
}
async function store(replica: TestReplica, times: number): Promise<void> {
  for (let time = 0; time < times; time++) replica.record(matching())
  expect(await replica.flush()).toBe(true)
}

describe.skipIf(server === undefined)('housekeeping', () => {
  it('a replica that runs loses nothing when the database is restored from a backup, though it seems gone there', async () => {
    const { schema, replica, database } = await begin(3)
    await server.query(`CREATE TABLE ${schema}.saved AS SELECT * FROM ${schema}.tally`)
    for (const times of [1, 2, 3]) await store(replica, times)
    await server.query(`
      DELETE FROM ${schema}.tally; INSERT INTO ${schema}.tally SELECT * FROM ${schema}.saved;
      UPDATE ${schema}.replica SET seen_at = now() - interval '1 day', stored = 1`)
    let now = 0
    const watch = watchGone(() => now)
    expect(await foldAll(database, watch)).toBe(0)
    await store(replica, 1)
    now += 10_000
    expect(await foldAll(database, watch)).toBe(0)
    expect(await requests(replica)).toBe(10)
  })

  it('a portion does not wait for the disk, and what is stored with a heartbeat alone, such as a decision, does', async () => {
    const { schema, database } = await begin(1)
    const waitsAfter = (portion: Buffer | null) =>
      database.transaction(async (transaction) => {
        await transaction.query('SET LOCAL synchronous_commit = on')
        await beat(transaction, schema, ['replica', 'x', 1, '0', 'm', null, null, 0], portion)
        return (await transaction.query("SELECT current_setting('synchronous_commit') AS waits"))[0]?.waits
      })
    expect([await waitsAfter(Buffer.of(1)), await waitsAfter(null)]).toEqual(['off', 'on'])
  })

  it('a replica that was paused for over 30 days counts nothing twice, though nobody remembers that it was folded', async () => {
    const { schema, replica, database } = await begin(3)
    await server.query(`UPDATE ${schema}.replica SET left_at = now()`)
    expect(await foldAll(database)).toBe(1)
    await server.query(`DELETE FROM ${schema}.folded`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    await store(replica, 2)
    expect(await requests(replica)).toBe(5)
  })

  it('a replica that stays silent is folded once it was watched for ten seconds, and one that has left is at once', async () => {
    const { schema, replica, database } = await begin(2)
    const left = await begin(3, schema)
    await left.replica.leave()
    await server.query(`UPDATE ${schema}.replica SET seen_at = now() - interval '1 day' WHERE left_at IS NULL`)
    let now = 0
    const watch = watchGone(() => now)
    expect(await foldAll(database, watch)).toBe(1)
    now += 9_999
    expect(await foldAll(database, watch)).toBe(0)
    now += 1
    expect(await foldAll(database, watch)).toBe(1)
    expect(await requests(replica)).toBe(5)
  })

  it('replicas that were last seen in the future, before the clock was set back, are gone', async () => {
    const { schema, replica, database } = await begin(2)
    await server.query(`UPDATE ${schema}.replica SET seen_at = now() + interval '1 year'`)
    expect(await foldAll(database)).toBe(1)
    await store(replica, 1)
    expect(await requests(replica)).toBe(3)
  })

  it('a lease of before the clock was set back does not hold for as long as it was set back', async () => {
    const { schema, database } = await begin(1)
    const take = (holder: string) =>
      database.transaction((transaction) => takeLease(transaction, { name: 'housekeeping', holder, seconds: 30 }))
    const first = await take('one')
    expect(await take('other')).toBe(undefined)
    await server.query(`UPDATE ${schema}.lease SET until = now() + interval '1 year'`)
    const second = await take('other')
    expect(Number(second?.token)).toBe(Number(first?.token) + 1)
  })

  it('nobody waits for a lease while its holder is at work', async () => {
    const { schema, database } = await begin(1)
    const { database: other } = await begin(1, schema)
    const take = (transaction: Transaction, holder: string) =>
      takeLease(transaction, { name: 'housekeeping', holder, seconds: 30 })
    const lease = await database.transaction((transaction) => take(transaction, 'one'))
    await database.transaction(async (transaction) => {
      expect(lease && (await stillHolds(transaction, lease))).toBe(true)
      expect(await other.transaction((others) => take(others, 'other'))).toBe(undefined)
    })
  })

  it('what a newer gateway has counted with members that this one does not know is left to newer ones', async () => {
    const { schema, database } = await begin(2)
    await begin(3, schema)
    const { replica } = await begin(1, schema)
    await server.query(`
      UPDATE ${schema}.replica SET seen_at = now() - interval '1 day';
      UPDATE ${schema}.tally SET counts = jsonb_set(counts, '{judged,content,startled}', '1') WHERE incarnation = (
        SELECT incarnation FROM ${schema}.replica ORDER BY started_at LIMIT 1)`)
    expect(await foldAll(database)).toBe(2)
    expect(await requests(replica)).toBe(6)
    // As soon as the row of all has such members, it is written by newer ones only.
    await server.query(
      `UPDATE ${schema}.tally SET counts = jsonb_set(counts, '{startled}', '1') WHERE incarnation = '';
       UPDATE ${schema}.tally SET counts = counts #- '{judged,content,startled}'`,
    )
    expect(await foldAll(database)).toBe(0)
    const [row] = await server.query(
      `SELECT counts ->> 'startled' AS startled FROM ${schema}.tally WHERE incarnation = ''`,
    )
    expect(row).toEqual({ startled: '1' })
    expect(await requests(replica)).toBe(6)
  })

  it('a release called by a clock that was ahead takes the room of no newer one, in what is read or in what is kept', async () => {
    const { schema, replica, database } = await begin(0)
    const { replica: other } = await begin(0, schema)
    const call = ({ record }: TestReplica, v1: string, days: number): void => {
      const at = new Date(Date.now() + days * 86_400_000)
      const seen = observe({ operation: 'first', control: { a: 1 }, candidate: { a: 1 }, expectations: lines, at })
      record({ ...seen, lineage: { mapping: lines.mapping, v1, legacy: null } })
    }
    const kept = async () => (await replica.tally()).exportCounts().map(({ lineage }) => lineage.v1)
    const recent = Array.from({ length: 21 }, (_, at) => String(at)).sort()
    for (const days of [-100, 30]) call(replica, 'old', days)
    for (const [at, release] of recent.entries()) call(other, release, -1 + at / 100)
    for (const one of [replica, other]) expect(await one.flush()).toBe(true)
    await server.query(`UPDATE ${schema}.replica SET left_at = now()`)
    expect(await foldAll(database)).toBe(2)
    expect((await kept()).sort()).toEqual(recent)
    const lease = await database.transaction((transaction) =>
      takeLease(transaction, { name: 'forget', holder: 'test', seconds: 30 }),
    )
    if (lease !== undefined) await forgetOld(() => undefined)(database, lease)
    const rows = await server.query(`SELECT lineage FROM ${schema}.tally`)
    expect(rows).toHaveLength(21)
    expect(JSON.stringify(rows)).not.toContain('old')
  })

  it('a row that cannot be read keeps nobody else from being folded', async () => {
    const { schema, database } = await begin(2)
    await begin(3, schema)
    await server.query(`
      UPDATE ${schema}.replica SET seen_at = now() - interval '1 day';
      UPDATE ${schema}.tally SET counts = '{}' WHERE incarnation = (
        SELECT incarnation FROM ${schema}.replica ORDER BY started_at LIMIT 1)`)
    await expect(foldAll(database)).rejects.toThrow(/cannot be read; restore it from a backup, or delete it/)
    expect(await server.query(`SELECT count(*)::int AS count FROM ${schema}.replica`)).toEqual([{ count: 1 }])
  })
  it('a holder that was not the only one to look does not take its own absence for a leap of the clock', async () => {
    const { database } = await begin(1)
    const holder = (name: string) => {
      const warnings: string[] = []
      let now = 0
      const forget = forgetOld(
        (warning) => warnings.push(warning),
        () => now,
      )
      return {
        warnings,
        /** Looks again after so many days by its own clock; by that of the database it is at once. */
        async look(days: number): Promise<void> {
          now += days * 86_400_000
          const lease = await database.transaction((transaction) =>
            takeLease(transaction, { name, holder: name, seconds: 30 }),
          )
          if (lease !== undefined) await forget(database, lease)
        },
      }
    }
    const [one, other] = [holder('one'), holder('other')]
    await one.look(0)
    await other.look(0)
    await one.look(2)
    expect(one.warnings).toEqual([])
    await one.look(2)
    expect(one.warnings).toEqual([expect.stringMatching(/^the database's clock is 2 days behind/)])
  })
})
