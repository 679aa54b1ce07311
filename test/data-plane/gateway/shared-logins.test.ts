import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { brownoutRule } from '../../support/brownout-rule.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { type GuideGateway, guideTextsOf, startGuideServices } from '../../support/guide-services.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import type { Settings } from '../../support/start-gateway.ts'

const SOON = { interval: 10 }
/** Answered by v1 each time, never from a list that is kept. */
const INVOICES = { path: '/api/invoice/list', body: '{}' }
const server = sharedPostgres() as SharedPostgres
afterEach(() => vi.useRealTimers())

/** Where gateways keep whose tokens are. */
interface Kept {
  readonly settings: Partial<Settings>
  rows(): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Nobody can use it until it is released. */
  hold(): Promise<{ release(): Promise<void> }>
}

const ROWS = "SELECT key AS hash, part AS client, at FROM ledger WHERE kind = 'login' ORDER BY number, key"

function inFile(): Kept {
  const stateDb = join(stateFolder(), 'state.db')
  return {
    settings: { stateDb },
    async rows() {
      const db = new DatabaseSync(stateDb, { timeout: 10_000 })
      try {
        return db.prepare(ROWS).all()
      } finally {
        db.close()
      }
    },
    async hold() {
      const db = new DatabaseSync(stateDb, { timeout: 10_000 })
      db.exec('BEGIN EXCLUSIVE')
      return { release: async () => db.close() }
    },
  }
}

function inPostgres(): Kept {
  const schema = newSchema()
  return {
    settings: { postgres: { ...server.settings, schema } },
    rows: () => server.query(ROWS.replace('FROM ', `FROM ${schema}.`)),
    async hold() {
      const { hosts, user, password, database } = server.settings
      const other = new Client({ ...hosts[0], user, password, database })
      await other.connect()
      await other.query(`BEGIN; LOCK TABLE ${schema}.ledger, ${schema}.ledger_head`)
      return { release: () => other.end() }
    },
  }
}

const isOf = (client: string) => ({ status: 200, text: guideTextsOf(client).markdown })
const hashOf = (token: string): string => hash('sha256', `Bearer ${token}`, 'base64url').slice(0, 22)

/** A brownout that spares anna, and these tests' logins. */
function sparingAnna(): string {
  const rolloutFile = join(stateFolder(), 'rollout.json')
  const [from = '', to = ''] = [-60_000, 6_000_000].map((later) => new Date(Date.now() + later).toISOString())
  const rule = brownoutRule({ of: 'clients', from, to, except: ['anna', '127.0.0.1'] })
  writeFileSync(rolloutFile, JSON.stringify({ operations: {}, brownouts: [rule] }))
  return rolloutFile
}

const list = async ({ gateway }: GuideGateway, token: string): Promise<number> =>
  (await gateway.call({ ...INVOICES, headers: { authorization: `Bearer ${token}` } })).status

async function start(kept: Kept, settings: Partial<Settings> = {}, hasLegacy = false) {
  const services = await startGuideServices({ hasLegacy, settings: { ...kept.settings, ...settings } })
  const rows = async () => (await kept.rows()).map(({ hash, client }) => [hash, client])
  return { ...services, ...kept, rows }
}

describe.each([
  ['SQLite', inFile],
  ['PostgreSQL', inPostgres],
])('a client that holds v1’s own token, with the state in %s,', (name, newState) => {
  const itRuns = test.skipIf(name === 'PostgreSQL' && server === undefined)

  itRuns('keeps its name over a restart, in counts, guide and brownouts', async () => {
    const { gateway, logIn, startAnother } = await start(newState(), { rolloutFile: sparingAnna() })
    const [anna, berta] = [await logIn('anna'), await logIn('berta')]
    await gateway.close()
    const again = await startAnother()
    await expect.poll(() => again.read(anna), SOON).toMatchObject(isOf('anna'))
    expect(await again.read(berta)).toMatchObject(isOf('berta'))
    expect([await list(again, anna), await list(again, berta)]).toEqual([200, 503])
    const adminUrl = await again.gateway.openAdmin()
    const clients = async () => {
      const { text } = await callLegacy(adminUrl, { path: '/clients' })
      return (JSON.parse(text) as { clients: { client: string }[] }).clients.map(({ client }) => client).sort()
    }
    await expect.poll(clients, SOON).toEqual(['anna', 'berta'])
  })

  itRuns('is known to another replica after two seconds, and spared there', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { logIn, startAnother, rows } = await start(newState(), { rolloutFile: sparingAnna(), tickMs: undefined })
    const other = await startAnother()
    const [anna, berta] = [await logIn('anna'), await logIn('berta')]
    expect(await list(other, anna)).toBe(503)
    vi.advanceTimersByTime(1_000)
    await expect.poll(rows, SOON).toHaveLength(2)
    vi.advanceTimersByTime(1_000)
    await expect.poll(() => list(other, anna), SOON).toBe(200)
    expect(await list(other, berta)).toBe(503)
    expect(await other.read(anna)).toMatchObject(isOf('anna'))
    expect(await other.read(berta)).toMatchObject(isOf('berta'))
  })

  itRuns(
    'logs in while the state is away, and other replicas know it when it is back',
    async () => {
      const { logIn, read, startAnother, rows, hold } = await start(newState())
      const other = await startAnother()
      await logIn('early')
      await expect.poll(rows, SOON).toHaveLength(1)
      const held = await hold()
      const anna = await logIn('anna').finally(held.release)
      expect(await read(anna)).toMatchObject(isOf('anna'))
      await expect.poll(() => other.read(anna), SOON).toMatchObject(isOf('anna'))
    },
    90_000,
  )

  itRuns('is stored by a hash of its token, and only if v1 let it in', async () => {
    const { gateway, logIn, logInWith, rows } = await start(newState())
    expect((await logInWith('{"clientId":"anna","secretKey":"wrong"}')).status).toBe(401)
    await logInWith('{"clientId":"anna","secretKey":"right","clientId":"berta"}')
    await logIn('x'.repeat(201))
    await logIn('not \ud800 clean')
    await gateway.call({ ...INVOICES, headers: { authorization: 'Bearer forged' } })
    const anna = await logIn('anna')
    await gateway.close()
    expect(await rows()).toEqual([[hashOf(anna), 'anna']])
  })
})

describe('a client that holds v1’s own token', () => {
  test('gets nothing from a row by a token that is made up or revoked', async () => {
    const { logIn, startAnother, valid, made, rows } = await start(inFile(), { rolloutFile: sparingAnna() })
    const anna = await logIn('anna')
    await expect.poll(rows, SOON).toHaveLength(1)
    const other = await startAnother()
    await expect.poll(() => list(other, anna), SOON).toBe(200)
    for (const forged of [`${anna}x`, anna.slice(0, -1), hashOf(anna), 'anna']) {
      expect([await list(other, forged), (await other.read(forged)).status]).toEqual([503, 401])
    }
    valid.clear()
    expect((await other.read(anna)).status).toBe(401)
    // Spared by the brownout, and refused by v1.
    expect(await list(other, anna)).toBe(401)
    expect([made, await rows()]).toEqual([[], [[hashOf(anna), 'anna']]])
  })

  test('is not stored while there is a legacy service: its token names it', async () => {
    const { gateway, logIn, read, rows } = await start(inFile(), {}, true)
    expect(await read(await logIn('anna'))).toMatchObject(isOf('anna'))
    await gateway.close()
    expect(await rows()).toEqual([])
  })
})
