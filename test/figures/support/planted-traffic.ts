import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import type { LegacyCall } from '../../support/legacy-client.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { startGateway } from '../../support/start-gateway.ts'

/** A call that was sent, and what came back: the truth that all figures are held against. */
export interface Sent {
  readonly client: string
  readonly operation: string
  readonly status: number
  /** The side that answers the operation; undefined if the gateway itself refuses the call. */
  readonly by: 'v1' | 'legacy' | undefined
}

export interface PlantedTraffic {
  readonly adminUrl: string
  readonly sent: readonly Sent[]
  readonly clients: readonly string[]
  /** The addresses of both services, and the recording of the traffic, to replay it. */
  readonly services: { readonly v1: string; readonly legacy: string }
  readonly recording: string
}

/** More than a class of difference tells apart exactly. */
const CLIENTS = 40
const TARGET = 0.5
const HOUR_MS = 3_600_000
const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

// The plan never gets its verdict, so that it does not move while its figures are read.
const ROLLOUT = {
  operations: {
    '*': { serve: 'legacy', shadow: 1, target: TARGET },
    'currency-list': { serve: 'v1' },
    'city-list': { serve: 'legacy', target: 0.99, plan: { steps: [12.5, 100], calls: 1_000_000 } },
    'import-create': { serve: 'legacy', shadowWrites: 'translate-only' },
  },
  // A low confidence, so that few calls prove an operation; not all of them at once.
  confidence: 0.9,
  unjudged: 0.2,
  ignore: [{ operation: 'invoice-list', path: 'data[].priceTry', why: 'planted: prices differ' }],
  brownouts: [
    { operations: ['export-code-list'], from: at(-HOUR_MS), to: at(HOUR_MS), percent: 100, why: 'planted' },
    { operations: ['unit-list'], from: at(24 * HOUR_MS), to: at(25 * HOUR_MS), percent: 100, why: 'to come' },
  ],
}

/** Differences of the legacy service, which all clients of the operation see; and failures of v1. */
const FAULTS = [
  ['legacy', { path: '/country/all', kind: 'change', at: '[0].code', to: 'XX', calls: 'all' }],
  ['legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 1, calls: 'all' }],
  ['v1', { path: '/api/v1/shared/units-of-measure', kind: 'status', status: 503, calls: 'all' }],
] as const

/** Sends the same traffic at every start through a gateway between two stand-ins that know every client. */
export async function plantTraffic(): Promise<PlantedTraffic> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const [v1, legacy] = [await knowingAll(sandbox.v1Url), await knowingAll(sandbox.legacyUrl ?? '')]
  for (const [face, fault] of FAULTS) {
    const url = face === 'v1' ? sandbox.v1Url : (sandbox.legacyUrl ?? '')
    await fetch(`${url}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
  }
  const folder = mkdtempSync(join(tmpdir(), 'figures-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const [rolloutFile, recordFile] = [join(folder, 'rollout.json'), join(folder, 'traffic.ndjson')]
  writeFileSync(rolloutFile, JSON.stringify(ROLLOUT))
  const gateway = await startGateway(v1, {
    legacyUrl: legacy,
    settings: { rolloutFile, recordFile, stateDb: join(folder, 'state.db'), tokenKeys: [randomBytes(32)] },
  })
  const adminUrl = await gateway.openAdmin()
  const sent: Sent[] = []
  const send = async (of: Pick<Sent, 'client' | 'operation' | 'by'>, how: LegacyCall) => {
    const reply = await gateway.call(how)
    sent.push({ ...of, status: reply.status })
    return reply
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => `client-${String(n).padStart(2, '0')}`)
  for (const [n, client] of clients.entries()) {
    const login = await send(
      { client, operation: 'auth', by: 'legacy' },
      { path: '/auth/application', body: JSON.stringify({ clientId: client, secretKey: 'any' }) },
    )
    const { token } = JSON.parse(login.text) as { readonly token: string }
    const headers = { authorization: `Bearer ${token}`, 'accept-language': 'tr', 'user-agent': `program/${n}` }
    const get = (operation: string, path: string, by: Sent['by'] = 'legacy') =>
      send({ client, operation, by }, { path, headers })
    const post = (operation: string, path: string, body: object) =>
      send({ client, operation, by: 'legacy' }, { path, headers, body: JSON.stringify(body) })
    await get('country-list', '/country/all')
    await post('invoice-list', '/api/invoice/list', { perPage: 5, page: 1 + (n % 3) })
    if (n >= 10) continue
    // Every client has calls of its own, and some have many.
    for (let more = 0; more <= n; more++) await get('county-list', `/county/all?cityId=${1 + n + more}`)
    await get('city-list', '/city/all?countryCode=TR')
    await get('currency-list', '/api/currency', 'v1')
    await get('currency-list', '/api/currency', 'v1')
    await post('invoice-list', '/api/invoice/list', { search: 'nothing has this number' })
    await post('invoice-list', '/api/invoice/list', { perPage: 5, statusId: 'x', other: 1 })
    await post('import-create', '/api/single/point/import', { name: `Ada ${n}`, shipmentId: `GCCN-${n}` })
    await post('charge-list', '/api/transaction/charge/list', {})
    if (n < 3) await get('unit-list', '/api/unit/of/measure/all')
    if (n < 4)
      await send({ client, operation: 'export-code-list', by: undefined }, { path: '/api/export/code', headers })
    if (n < 2) await get('unknown', '/api/no/such/path')
  }
  for (let times = 0; times < 3; times++) {
    const headers = { authorization: 'Bearer nobody-knows-this' }
    await send(
      { client: 'unidentified', operation: 'county-list', by: 'legacy' },
      { path: '/county/all?cityId=1', headers },
    )
  }
  await quiet(adminUrl, sent.filter(({ operation }) => operation !== 'unknown').length)
  return { adminUrl, sent, clients, services: { v1, legacy }, recording: recordFile }
}

/** Waits until all that can be compared is compared, and so many calls are counted. */
async function quiet(adminUrl: string, calls: number): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    const { queue, operations } = JSON.parse((await callLegacy(adminUrl, { path: '/experiments' })).text)
    const counted = operations.reduce(
      (sum: number, { totals }: { totals: { requests: number } }) => sum + totals.requests,
      0,
    )
    if (queue.length + queue.running === 0 && counted >= calls) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the traffic was not compared in time')
}

/** A face of the sandbox that lets everybody log in. */
async function knowingAll(url: string): Promise<string> {
  const { url: own } = await startHttpServer(async ({ method, target, headers, body }, response) => {
    const isLogin = target.endsWith('/auth/application')
    const account = JSON.stringify({ clientId: 'demo-client', secretKey: 'demo-secret' })
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...passed } = headers
    const answer = await fetch(url + target, {
      ...{ method, headers: passed as Record<string, string> },
      ...(method !== 'GET' && method !== 'HEAD' && { body: isLogin ? account : body }),
    })
    const {
      'content-encoding': _____,
      'transfer-encoding': ______,
      connection: _______,
      ...given
    } = Object.fromEntries(answer.headers)
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { ...given, 'content-length': String(bytes.length) }).end(bytes)
  })
  return own
}
