import { beforeAll, describe, expect, it } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf } from '../support/read-html.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const json = { 'content-type': 'application/json' }

describe('calls that the gateway itself refuses are answered by neither service', () => {
  let sides: SideBySide
  const read = async (path: string): Promise<string> => (await callLegacy(sides.adminUrl, { path })).text

  beforeAll(async () => {
    const served = { '*': { serve: 'v1' }, price: { serve: 'legacy' } }
    sides = await startSideBySide({ operations: served }, { settings: () => ({ maxBodyBytes: 1_000 }) })
    const { gateway, token } = sides
    const headers = { ...json, authorization: `Bearer ${token}` }
    const large = 'x'.repeat(1_001)
    const statuses = [
      (await gateway.call({ method: 'DELETE', path: '/country/all', headers })).status,
      (await gateway.call({ method: 'TRACE', path: '/somewhere', headers })).status,
      (await gateway.call({ path: INVOICES, headers, body: '{' })).status,
      (await gateway.call({ path: INVOICES, headers, body: large })).status,
      (await gateway.call({ path: INVOICES, headers: { ...headers, 'content-encoding': 'br' }, body: '{}' })).status,
      (await gateway.call({ path: '/api/calculate/price', headers, body: large })).status,
    ]
    expect(statuses).toEqual([405, 405, 400, 413, 415, 413])
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    await sides.plant('v1', { path: '*', kind: 'status', status: 403, calls: 'all' })
    expect((await sides.call(INVOICES, {})).status).toBe(403)
  })

  it('in the log', () => {
    const lines = sides.gateway.log.filter(({ msg, operation }) => msg === 'call' && operation !== 'auth')
    expect(lines.map(({ status, answeredBy }) => `${status} ${answeredBy}`)).toEqual([
      ...['405', '405', '400', '413', '415', '413'].map((status) => `${status} gateway`),
      ...['200 v1', '403 v1'],
    ])
  })

  it('in the metrics', async () => {
    const text = await read('/metrics')
    const counted = [...text.matchAll(/^legacy_gateway_calls_total\{(.*)\} ([1-9]\d*)$/gm)].map(
      ([, labels, calls]) => `${labels} ${calls}`,
    )
    expect(counted.filter((line) => !line.includes('"auth"')).sort()).toEqual(
      [
        'operation="invoice-list",status="200",side="v1" 1',
        'operation="invoice-list",status="400",side="gateway" 1',
        'operation="invoice-list",status="403",side="v1" 1',
        'operation="invoice-list",status="413",side="gateway" 1',
        'operation="invoice-list",status="415",side="gateway" 1',
        'operation="price",status="413",side="gateway" 1',
        'operation="unknown",status="405",side="gateway" 2',
      ].sort(),
    )
  })

  it('in the usage', async () => {
    const { clients } = JSON.parse(await read('/clients')) as {
      readonly clients: readonly { readonly client: string; readonly operations: Readonly<Record<string, unknown>> }[]
    }
    const { operations } = clients.find(({ client }) => client === 'demo-client') ?? {}
    expect(operations).toMatchObject({
      'invoice-list': { calls: 5, errors: 4, byV1: 2, byLegacy: 0 },
      price: { calls: 1, errors: 1, byV1: 0, byLegacy: 0 },
    })
  })

  it('on the page of the traffic', async () => {
    const rows = rowsOf(await read('/traffic'), 'who-calls-what')
    const of = (id: string) => rows.find(([operation, client]) => operation === id && client === 'demo-client')
    expect(of('invoice-list')?.slice(2, 7)).toEqual(['5', '4', '0', '2', '0'])
    expect(of('price')?.slice(2, 7)).toEqual(['1', '1', '0', '0', '0'])
  })

  it('and so are, without the legacy service, paths and operations that only it knows', async () => {
    const alone = await startGateway(sides.v1Url)
    expect((await alone.call({ path: '/somewhere' })).status).toBe(404)
    expect((await alone.call({ path: '/api/transaction/charge/list', headers: json, body: '{}' })).status).toBe(501)
    expect((await alone.call({ method: 'OPTIONS', path: '/country/all' })).status).toBe(204)
    const lines = alone.log.filter(({ msg }) => msg === 'call')
    expect(lines.map(({ status, answeredBy }) => `${status} ${answeredBy}`)).toEqual([
      '404 gateway',
      '501 gateway',
      '204 gateway',
    ])
  })
})
