import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, textOf } from '../support/read-html.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import type { Settings } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const PRICE = '/api/calculate/price'
const KEY = new Uint8Array(32).fill(7)
const ROLLOUT = {
  operations: {
    '*': { serve: 'legacy', shadow: 1 },
    'invoice-list': { mayChoose: ['demo-client'] },
    price: { mayChoose: ['somebody-else'] },
  },
}

const server = sharedPostgres() as SharedPostgres

const read = async ({ adminUrl }: SideBySide, path: string): Promise<string> =>
  (await callLegacy(adminUrl, { path })).text

/** The cells of the demo client's invoices in a table, by the heads of their columns. */
function cellsOf(html: string, id: string): Readonly<Record<string, string>> {
  const table = html.slice(html.indexOf(`<table id="${id}"`))
  const heads = Array.from(
    table.slice(0, table.indexOf('</thead>')).matchAll(/<th[^>]*>(.*?)<\/th>/g),
    ([, head = '']) => textOf(`<main>${head}`).trim(),
  )
  const row = rowsOf(html, id).find(([operation]) => operation === 'invoice-list') ?? []
  return Object.fromEntries(row.map((cell, at) => [heads[at], cell]))
}

/** What the store has of them: in JSON, and on the client's page. */
async function stored(sides: SideBySide): Promise<readonly unknown[]> {
  const { clients } = JSON.parse(await read(sides, '/clients')) as {
    readonly clients: readonly { readonly client: string; readonly operations: Readonly<Record<string, object>> }[]
  }
  const json = clients.find(({ client }) => client === 'demo-client')?.operations['invoice-list']
  return [json, cellsOf(await read(sides, '/clients/demo-client'), 'operations')]
}

describe.each([
  ['SQLite', (folder: string): Partial<Settings> => ({ stateDb: join(folder, 'state.db') }), false],
  [
    'PostgreSQL',
    (): Partial<Settings> => ({ postgres: { ...server.settings, schema: newSchema() } }),
    server === undefined,
  ],
] as const)('calls whose side a client chose, in %s', (_, stateIn, isSkipped) => {
  it.skipIf(isSkipped)('are as many after a restart, and stand on the pages', async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    let state: Partial<Settings> | undefined
    const start = (): Promise<SideBySide> =>
      startSideBySide(ROLLOUT, {
        ...{ v1Url: sandbox.v1Url, legacyUrl: sandbox.legacyUrl ?? '' },
        settings(folder) {
          // Both gateways have the state that the first one began.
          state ??= stateIn(folder)
          return { tokenKeys: [KEY], ...state }
        },
      })
    const first = await start()
    for (const wish of ['v1', 'legacy', 'v1', 'else', undefined]) {
      await first.call(INVOICES, {}, wish === undefined ? {} : { 'x-gateway-serve': wish })
    }
    await first.call(PRICE, {}, { 'x-gateway-serve': 'v1' })
    const counts = { Calls: '5', 'By v1': '2', 'By legacy': '3', Chosen: '3' }
    expect(cellsOf(await read(first, '/traffic'), 'who-calls-what')).toMatchObject({ Client: 'demo-client', ...counts })
    const before = await stored(first)
    expect(before).toMatchObject([{ calls: 5, byV1: 2, byLegacy: 3, chosen: 3 }, counts])
    await first.gateway.close()

    const again = await start()
    expect(await stored(again)).toEqual(before)
    await again.call(INVOICES, {}, { 'x-gateway-serve': 'v1' })
    expect(cellsOf(await read(again, '/traffic'), 'who-calls-what')).toMatchObject({ Calls: '1', Chosen: '1' })
    // Stored numbers may be a moment old.
    const grown = async () => (await stored(again))[0]
    await expect.poll(grown, { timeout: 20_000 }).toMatchObject({ calls: 6, chosen: 4 })
  })
})
