import { expect, it } from 'vitest'
import { type Kept, retention } from '../../../src/control-plane/store/retention.ts'
import { query } from '../../../src/control-plane/store/sql.ts'
import { sqliteEngine } from '../../../src/control-plane/store/sqlite-engine.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const KEPT: Kept = {
  ...{ table: 'audit', key: 'id', column: 'at', days: 400 },
  unless: "old.event = 'stays'",
}

/** A gateway on a state of its own, whose clock and whose time can be set apart. */
function gateway() {
  let wall = Date.parse('2027-03-04T05:06:07Z')
  let monotonic = 0
  const warnings: string[] = []
  const engine = sqliteEngine({ path: ':memory:', holder: 'this', now: () => new Date(wall) })
  const start = () =>
    retention({
      ...{ engine, kept: [KEPT], warn: (message) => void warnings.push(message) },
      monotonic: () => monotonic,
    })
  let { run } = start()
  return {
    warnings,
    /** Writes something that old. */
    write: (id: string, daysAgo: number, event = 'goes') =>
      engine.transaction(() =>
        query(
          `INSERT INTO audit (id, event, operation, at, "by", "from", "to", why, lineage, requests)
           VALUES ($1, $2, '', $3, '', '', '', '', '', 0)`,
          ...[id, event, new Date(wall - daysAgo * DAY).toISOString()],
        ),
      ),
    ids: async () =>
      (await engine.transaction(() => query<{ id: string }>('SELECT id FROM audit ORDER BY id'), 'read')).map(
        ({ id }) => id,
      ),
    /** The clock of the state is set. */
    set(by: number) {
      wall += by
    },
    async runFor(milliseconds: number) {
      for (let ran = 0; ran < milliseconds; ran += HOUR) {
        wall += HOUR
        monotonic += HOUR
        await run()
      }
    },
    async restart() {
      run = start().run
      await run()
    },
  }
}

/** With so many young rows that one old one is no large part of them. */
async function withYoung() {
  const one = gateway()
  for (let at = 0; at < 20; at++) await one.write(`young ${String(at).padStart(2, '0')}`, 0)
  await one.restart()
  return one
}
const old = async ({ ids }: ReturnType<typeof gateway>) => (await ids()).filter((id) => !id.startsWith('young'))

it('what is older than 400 days is deleted once the gateway has run for a day, except what stays', async () => {
  const one = await withYoung()
  await one.write('399', 399)
  await one.write('402', 402)
  await one.write('900', 900, 'stays')
  await one.runFor(23 * HOUR)
  expect(await old(one)).toEqual(['399', '402', '900'])
  await one.runFor(2 * HOUR)
  expect(await old(one)).toEqual(['399', '900'])
  expect(one.warnings).toEqual([])
})

it('a clock that is set 100 days ahead deletes nothing, says so, and is believed once it has been steady for a day', async () => {
  const one = await withYoung()
  await one.write('350', 350)
  await one.runFor(20 * HOUR)
  one.set(100 * DAY)
  await one.runFor(20 * HOUR)
  expect(await old(one)).toEqual(['350'])
  expect(one.warnings).toEqual([
    'the clock of the state has leapt 100 days ahead: nothing is deleted until it has been steady for a day',
  ])
  // Something is written by this clock, as a gateway does that is in use.
  await one.write('young again', 0)
  await one.runFor(5 * HOUR)
  expect(await old(one)).toEqual([])
})

it('a clock that is set back, or ahead and back, deletes nothing', async () => {
  const one = await withYoung()
  await one.write('350', 350)
  for (const leap of [100 * DAY, -100 * DAY, -50 * DAY]) {
    one.set(leap)
    await one.runFor(20 * HOUR)
  }
  expect(await old(one)).toEqual(['350'])
  expect(one.warnings).toHaveLength(3)
})

it('a gateway that is restarted each day deletes nothing, because its clock may be wrong at each start', async () => {
  const one = await withYoung()
  await one.write('402', 402)
  for (let day = 0; day < 3; day++) {
    await one.runFor(22 * HOUR)
    await one.restart()
  }
  expect(await old(one)).toEqual(['402'])
})

it('more than a tenth is not deleted at once unless something was written in the last day', async () => {
  const one = gateway()
  for (const id of ['a', 'b', 'c']) await one.write(id, 402)
  for (let at = 0; at < 10; at++) await one.write(`young ${at}`, 3)
  await one.restart()
  await one.runFor(3 * DAY)
  expect(await old(one)).toEqual(['a', 'b', 'c'])
  await one.write('young today', 0)
  await one.runFor(26 * HOUR)
  expect(await old(one)).toEqual([])
})

it('thousands of rows are deleted in pieces, all on one day', async () => {
  const one = await withYoung()
  for (let at = 0; at < 2_500; at++) await one.write(`${at}`, 500)
  await one.runFor(25 * HOUR)
  expect(await old(one)).toEqual([])
})

it('a clock that leaps while rows are deleted deletes no others', async () => {
  let wall = Date.parse('2027-03-04T05:06:07Z')
  let monotonic = 0
  let leap = 0
  const engine = sqliteEngine({ path: ':memory:', holder: 'this', now: () => new Date(wall) })
  const { run } = retention({
    ...{ kept: [KEPT], warn: () => undefined, monotonic: () => monotonic },
    engine: {
      // Between two transactions of one run.
      async transaction(work, kind) {
        const result = await engine.transaction(work, kind)
        wall += leap
        return result
      },
    },
  })
  const write = (id: string, at: number) =>
    engine.transaction(() =>
      query(
        `INSERT INTO audit (id, event, operation, at, "by", "from", "to", why, lineage, requests)
         VALUES ($1, 'goes', '', $2, '', '', '', '', '', 0)`,
        ...[id, new Date(at).toISOString()],
      ),
    )
  await write('young', wall)
  await write('of the time after the leap', wall + 500 * DAY)
  await run()
  wall += DAY
  monotonic += DAY
  leap = 500 * DAY
  await run()
  const ids = await engine.transaction(() => query<{ id: string }>('SELECT id FROM audit ORDER BY id'), 'read')
  expect(ids.map(({ id }) => id)).toEqual(['of the time after the leap', 'young'])
})
