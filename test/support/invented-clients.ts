import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ClientGuide } from '../../src/guide/client/client-guide.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { insertRow, inTransaction } from '../../src/sandbox/store/sandbox-rows.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { callsOf, clientsThat, usageOf } from '../control-plane/usage/support/asked-clients.ts'
import { invoiceOf } from '../sandbox/many-invoices.ts'
import { closeAtEnd } from './clean-up.ts'
import { GOOD_BODIES } from './good-bodies.ts'
import { callLegacy, type LegacyCall } from './legacy-client.ts'
import { type StartedGateway, startGateway } from './start-gateway.ts'
import { wholeToken } from './whole-token.ts'

/** The accounts of the three clients. The sandbox has the first two; the third is added. */
export const ACCOUNTS = {
  shop: { clientId: 'demo-client', secretKey: 'demo-secret' },
  erp: { clientId: 'other-client', secretKey: 'other-secret' },
  script: { clientId: 'script-client', secretKey: 'script-secret' },
} as const
export type Client = keyof typeof ACCOUNTS
export const CLIENTS = Object.keys(ACCOUNTS) as readonly Client[]

/** A call with the status that it gets. */
export interface ClientCall extends Omit<LegacyCall, 'body'> {
  readonly operation: string
  readonly body?: object
  readonly status: number
}

export const [GOOD_SHIPMENT = {}] = GOOD_BODIES['/api/consignment/package/advance'] ?? []
/** Whatever a shipment may say of goods and amounts, with digits that a float would not keep. */
export const SHIPMENT = {
  ...GOOD_SHIPMENT,
  ...{ freight: 12.5, discount: 1, other: 0, comment: 'Kapıda bırakın', taxIdentificationNumber: 'DE811907980' },
}
export const UNPAID = { isPayment: false, page: 1, perPage: 50 }

const invoices = (body: object, status = 200): ClientCall => ({
  ...{ operation: 'invoice-list', method: 'POST', path: '/api/invoice/list', body, status },
})
const shipment = (body: object, status: number): ClientCall => ({
  ...{ operation: 'package', method: 'POST', path: '/api/consignment/package/advance', body, status },
})
const list = (operation: string, path: string): ClientCall => ({
  ...{ operation, method: 'GET', path, headers: { 'accept-language': 'en' }, status: 200 },
})

/** What the clients call once they have logged in. */
export const CALLS: Readonly<Record<Client, readonly ClientCall[]>> = {
  shop: [
    ...[invoices(UNPAID), invoices(UNPAID), invoices(UNPAID)],
    ...[shipment({ ...SHIPMENT, carrierId: 99 }, 406), shipment(SHIPMENT, 200)],
  ],
  erp: [
    list('currency-list', '/api/currency?sortBy=sellingRateTry'),
    list('country-list', '/country/all?sortBy=name'),
    list('city-list', '/city/all?countryCode=TR'),
    list('county-list', '/county/all'),
    list('unit-list', '/api/unit/of/measure/all'),
    list('export-code-list', '/api/export/code'),
  ],
  script: [
    invoices({ paid: false, since: '01.02.2026' }),
    invoices({ dateAtBetween: { startAt: '31.12.2025' } }, 400),
    invoices({ statusId: 4 }),
    invoices({ statusId: 'abc' }, 400),
    invoices({ search: '', isPayment: true }),
    invoices({ statusId: 2, unpaid: true, search: '', perPage: 20 }),
  ],
}
/** The script's last call without its mistakes. */
export const MENDED = { statusId: 2, perPage: 20 }

export interface InventedClients {
  readonly sandbox: Sandbox
  readonly gateway: StartedGateway
  /** Their tokens at the gateway. */
  readonly tokens: Readonly<Record<Client, string>>
  readonly guides: Readonly<Record<Client, ClientGuide>>
  readonly adminUrl: string
  /** The rows of a table of the sandbox that the SQL selects. */
  select(sql: string): readonly Readonly<Record<string, unknown>>[]
  /** Starts another gateway with the same STATE_DB, which has seen no call. Returns the guides that it makes. */
  guidesOfAnother(): Promise<Readonly<Record<Client, ClientGuide>>>
}

/**
 * Starts a sandbox with three accounts and a gateway, and lets the three clients log in and call.
 * @param answers who answers: legacy, with both faces behind the gateway; or v1, without a legacy service.
 */
export async function startInventedClients(answers: 'legacy' | 'v1'): Promise<InventedClients> {
  const folder = mkdtempSync(join(tmpdir(), 'invented-clients-'))
  const db = join(folder, 'sandbox.db')
  addScript(db)
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db })
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { serve: 'legacy' } } }))
  const start = () =>
    startGateway(sandbox.v1Url, {
      settings: {
        ...{ clientGuides: true, stateDb: join(folder, 'state.db'), v1PublicUrl: new URL(sandbox.v1Url) },
        ...(answers === 'legacy' && { rolloutFile }),
      },
      ...(answers === 'legacy' && { legacyUrl: sandbox.legacyUrl ?? '' }),
    })
  const gateway = await start()
  closeAtEnd(async () => {
    await gateway.close()
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })
  const tokens = await asClients(async (client) => {
    const body = JSON.stringify(ACCOUNTS[client])
    const token = await wholeToken(() => gateway.call({ path: '/auth/application', body }))
    for (const call of CALLS[client]) await makeCall(gateway, token, call)
    return token
  })
  const adminUrl = await gateway.openAdmin()
  return {
    ...{ sandbox, gateway, tokens, adminUrl, guides: await guidesAt(adminUrl) },
    select(sql) {
      const open = new DatabaseSync(db, { readOnly: true, timeout: 10_000 })
      try {
        return open.prepare(sql).all()
      } finally {
        open.close()
      }
    },
    async guidesOfAnother() {
      const another = await start()
      const guides = await guidesAt(await another.openAdmin())
      await another.close()
      return guides
    },
  }
}

/** Adds an account of the script to a new sandbox, with invoices of every status. */
function addScript(file: string): void {
  const db = openStore(file)
  const id = 3
  const { clientId, secretKey } = ACCOUNTS.script
  inTransaction(db, () => {
    insertRow(db, 'organizations', { id, name: 'Betik Lojistik', clientId, secretKey })
    for (let count = 0; count < 90; count++) {
      const statusId = ([1, 2, 3] as const)[count % 3] ?? 1
      insertRow(db, 'invoices', { ...invoiceOf(id, `SCRIPT-${count}`), statusId, isPaid: count % 2 === 0 ? 1 : 0 })
    }
  })
  db.close()
}

async function makeCall(gateway: StartedGateway, token: string, call: ClientCall): Promise<void> {
  const { operation, status, body, headers, ...where } = call
  const answer = await gateway.call({
    ...where,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (answer.status !== status) throw new Error(`${operation}: ${answer.status} ${answer.text}`)
}

/** Reads the guides, once all calls are known and were looked at. */
async function guidesAt(adminUrl: string): Promise<Readonly<Record<Client, ClientGuide>>> {
  await clientsThat(adminUrl, (report) =>
    CLIENTS.every((client) =>
      CALLS[client].every(({ operation }) => {
        const { clientId } = ACCOUNTS[client]
        const calls = CALLS[client].filter((call) => call.operation === operation).length
        const isLogin = usageOf(report, clientId, 'auth')
        return (
          callsOf(report, clientId, operation) === calls &&
          usageOf(report, clientId, operation)?.seen === calls &&
          isLogin?.seen === isLogin?.calls
        )
      }),
    ),
  )
  return asClients(async (client) => JSON.parse(await guideAt(adminUrl, client, 'json')) as ClientGuide)
}

/** Reads a guide through the admin port. */
export async function guideAt(adminUrl: string, client: Client, format: 'html' | 'md' | 'json'): Promise<string> {
  const path = `/clients/${ACCOUNTS[client].clientId}/guide?format=${format}`
  const { status, text } = await callLegacy(adminUrl, { path })
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return text
}

async function asClients<T>(what: (client: Client) => Promise<T>): Promise<Readonly<Record<Client, T>>> {
  const all = await Promise.all(CLIENTS.map(async (client) => [client, await what(client)] as const))
  return Object.fromEntries(all) as Record<Client, T>
}
