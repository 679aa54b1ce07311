import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { IMPORTS } from '../../../src/app/stores.ts'
import { readAnswers } from '../../../src/control-plane/cutover/store/stage-answers.ts'
import { readPositions } from '../../../src/control-plane/cutover/store/stored-decisions.ts'
import { type StoredResults, storedResults } from '../../../src/control-plane/evidence/tally/stored-results.ts'
import type { Import } from '../../../src/control-plane/store/engine.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../../src/control-plane/store/postgres/postgres-engine.ts'
import type { Work } from '../../../src/control-plane/store/sql.ts'
import { sqliteEngine } from '../../../src/control-plane/store/sqlite-engine.ts'
import { loginDb } from '../../../src/control-plane/usage/logins/login-store.ts'
import { brownoutsPage } from '../../../src/control-plane/usage/store/brownout-marks.ts'
import { wholeUsage } from '../../../src/control-plane/usage/store/read-pages.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'

/*
 * Gateways of version 0.2.0 (the last commit before the ledger, 9ce37319) made these: two on a file, one after the other; three on a
 * database, of which one had stopped and been folded, and two had results in rows and in portions. Beside them stands what that
 * version read there itself.
 */
const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

/** A state of version 0.2.0, and what is known of it. */
interface OldState {
  open(imports?: readonly Import[]): Promise<Pick<ReturnType<typeof sqliteEngine>, 'transaction' | 'statement'>>
  /** The version of its tables, and whether it still has a table. */
  version(): Promise<number>
  has(table: string): Promise<boolean>
  sql(text: string): Promise<unknown>
  readonly expected: StoredResults
  /** Calls of v1 at the stages 2 and 3 of the plan, and calls that a brownout refused. */
  readonly answers: Readonly<Record<number, number>>
  readonly refused: number
}

/** What a dossier reads. */
function* everything(): Work<StoredResults & { readonly calls: readonly unknown[] }> {
  const results = yield* storedResults()
  const usage = yield* wholeUsage('2026-01-01')
  const names = ({ client, operation }: (typeof usage)[number]): string => `${client} ${operation}`
  const calls = usage
    .toSorted((a, b) => (names(a) < names(b) ? -1 : 1))
    .map(({ client, operation, byV1, byLegacy, lastAt }) => ({
      ...{ client, operation, byV1, byLegacy, lastAt },
    }))
  return { ...results, calls }
}

const expectedOf = (name: string): StoredResults => {
  const { percents, ...results } = JSON.parse(fixture(name))
  return { ...results, percents: new Map(percents) }
}

function oldFile(): OldState {
  const path = join(stateFolder(), 'state.db')
  const withDb = async <Result>(use: (db: DatabaseSync) => Result): Promise<Result> => {
    const db = new DatabaseSync(path, { timeout: 10_000 })
    try {
      return use(db)
    } finally {
      db.close()
    }
  }
  const db = new DatabaseSync(path)
  db.exec(fixture('state-file-0.2.0.sql'))
  db.close()
  return {
    async open(imports = IMPORTS) {
      const engine = sqliteEngine({ path, holder: 'this', imports })
      engine.open()
      return engine
    },
    version: () => withDb((db) => Number(db.prepare('PRAGMA user_version').get()?.user_version)),
    has: (table) => withDb((db) => db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined),
    sql: (text) => withDb((db) => db.exec(text)),
    expected: expectedOf('state-file-0.2.0.json'),
    ...{ answers: { 2: 1, 3: 9 }, refused: 5 },
  }
}

const server = sharedPostgres() as SharedPostgres

async function oldDatabase(): Promise<OldState> {
  const schema = newSchema()
  await server.query(fixture('database-0.2.0.sql').replaceAll(/\bfixture(?=\.)|(?<=SCHEMA )fixture/g, schema))
  await server.query(`ALTER SCHEMA ${schema} OWNER TO gateway`)
  for (const { tablename } of await server.query(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`)) {
    await server.query(`ALTER TABLE ${schema}."${tablename}" OWNER TO gateway`)
  }
  await server.query(
    `ALTER FUNCTION ${schema}.beat(text, text, bigint, text, text, text, jsonb, double precision, bytea) OWNER TO gateway`,
  )
  return {
    async open(imports = IMPORTS) {
      const database = openDatabase({ ...server.settings, schema })
      const engine = postgresEngine({ database, schema, holder: 'this', imports })
      try {
        await engine.statement('SELECT 1')
      } catch (error) {
        await database.close(0)
        throw error
      }
      return engine
    },
    version: async () => Number((await server.query(`SELECT steps FROM ${schema}.version`))[0]?.steps),
    has: async (table) =>
      (await server.query(`SELECT 1 FROM pg_tables WHERE schemaname = '${schema}' AND tablename = '${table}'`)).length >
      0,
    sql: (text) => server.query(text.replaceAll('schema.', `${schema}.`)),
    expected: expectedOf('database-0.2.0.json'),
    ...{ answers: { 2: 5, 3: 9 }, refused: 9 },
  }
}

/** Stops the import before its statement with this number, counted over all imports. Tells how many there were. */
function broken(before: number) {
  let ran = 0
  const imports = IMPORTS.map(
    (whole): Import =>
      function* (now, hasTable) {
        const work = whole(now, hasTable)
        let step = work.next()
        while (step.done !== true) {
          if (ran++ === before) throw new Error('the process ended')
          step = work.next(yield step.value)
        }
      },
  )
  return { imports, statements: () => ran }
}

describe.each([
  ['a state file', 2, async () => oldFile(), 3],
  ['a database', 6, oldDatabase, 7],
] as const)('what version 0.2.0 stored in %s', (name, oldVersion, newState, every) => {
  const itRuns = it.skipIf(name === 'a database' && server === undefined)
  let counts = 'counts'
  beforeAll(() => {
    counts = name === 'a database' ? 'tally' : 'counts'
  })

  /** Everything that was stored is there once. */
  async function isWhole(state: OldState): Promise<void> {
    const engine = await state.open()
    expect(await engine.transaction(everything, 'read')).toEqual(state.expected)
    const answered = await engine.transaction(function* () {
      const { stages } = yield* readPositions()
      return yield* readAnswers(stages)
    }, 'read')
    expect(Object.fromEntries(answered.map(({ stage, v1 }) => [stage, v1.calls]))).toEqual(state.answers)
    const { logins } = await loginDb(engine).read(0)
    expect(logins.map(({ client }) => client).sort()).toEqual(['anna', 'berta'])
    const query = { key: 'ZQL8fEEs21Z1', operations: ['*'], from: BEGAN }
    const { rows } = await engine.transaction(() => brownoutsPage([query], '', 2_000), 'read')
    const browned = rows.find(({ client }) => client === 'demo-client')
    expect(browned?.calls.get(query.key)?.refused).toBe(state.refused)
  }
  /** The brownout began on the day on which the fixtures were made. */
  const BEGAN = Date.parse('2026-11-28T11:09:00Z')

  itRuns('is imported once, when a gateway of this version starts', async () => {
    const state = await newState()
    for (let start = 0; start < 2; start++) await isWhole(state)
    expect([await state.version(), await state.has(counts), await state.has('ledger')]).toEqual([7, false, true])
  })

  itRuns('stays as it is when the import ends at any point, and is imported by the next start', async () => {
    const { imports, statements } = broken(Number.POSITIVE_INFINITY)
    await (await newState()).open(imports)
    expect(statements()).toBeGreaterThan(15)
    for (let before = 0; before < statements(); before += every) {
      const state = await newState()
      await expect(state.open(broken(before).imports)).rejects.toThrow('the process ended')
      expect([await state.version(), await state.has(counts), await state.has('ledger')]).toEqual([
        ...[oldVersion, true, false],
      ])
      if (before % 5 === 0) await isWhole(state)
    }
  })

  itRuns('stays as it is when a row cannot be read: the start fails, and says which', async () => {
    const state = await newState()
    await state.sql(
      `UPDATE ${name === 'a database' ? 'schema.' : ''}${counts} SET counts = '{}' WHERE operation = 'auth'`,
    )
    await expect(state.open()).rejects.toThrow(
      new RegExp(
        `a row of the table ${counts}, of auth, cannot be read \\(.*restore it from a backup, or delete it`,
        's',
      ),
    )
    expect([await state.version(), await state.has(counts)]).toEqual([oldVersion, true])
  })

  itRuns('is imported once when several gateways start at the same moment', async () => {
    const state = await newState()
    await Promise.all([state.open(), state.open(), state.open()])
    await isWhole(state)
  })
})

it('a state file of the release 0.2.0, which had no tables but those of results, is imported', async () => {
  const state = oldFile()
  for (const table of ['audit', 'audit_counts', 'answered', 'login', 'usage', 'usage_brownout', 'position', 'outbox']) {
    await state.sql(`DROP TABLE ${table}`)
  }
  const engine = await state.open()
  const { counts } = await engine.transaction(() => storedResults(), 'read')
  expect(counts).toEqual(state.expected.counts)
})

it('a state file of version 1, which the releases 0.1.0 and 0.2.0 wrote, is imported as an old lineage', async () => {
  const path = join(stateFolder(), 'state.db')
  const old = new DatabaseSync(path)
  old.exec(`
    CREATE TABLE begun (at TEXT NOT NULL); INSERT INTO begun VALUES ('2027-03-01T00:00:00.000Z');
    CREATE TABLE counts (
      operation TEXT NOT NULL, day TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (operation, day)) STRICT;
    PRAGMA user_version = 1; PRAGMA journal_mode = WAL`)
  const differing = { part: 'answer', kind: 'changed', path: 'a', requests: 2, count: 2, details: {}, lines: [] }
  const counts = {
    ...{ operation: 'made-up', matched: 268, failed: 1, skipped: 0, unlisted: 0, askedTwice: 0 },
    ...{ classes: [differing], patterns: [{ classes: [0], requests: 2 }], settled: { ignored: 0, mismatched: 0 } },
    ...{ places: [], inputs: [1, 2], assumptions: [] },
  }
  for (const day of ['2027-03-02', '2027-03-04']) {
    old.prepare('INSERT INTO counts VALUES (?, ?, ?)').run('made-up', day, JSON.stringify(counts))
  }
  old.close()
  const engine = sqliteEngine({ path, holder: 'this', imports: IMPORTS })
  const stored = await engine.transaction(() => storedResults(), 'read')
  engine.close()
  expect(stored.since).toBe('2027-03-01T00:00:00.000Z')
  expect(stored.counts).toMatchObject([
    {
      ...{ operation: 'made-up', lineage: { mapping: 'version 1', v1: null, legacy: null }, failed: 2 },
      judged: { content: { matched: 536 } },
      patterns: [{ requests: 4 }],
      ...{ since: Date.parse('2027-03-02'), until: Date.parse('2027-03-05') - 1 },
    },
  ])
})
