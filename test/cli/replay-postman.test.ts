import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { counting, DEMO, replayOver, startServices } from '../support/run-replay.ts'

const services = await startServices()

const info = {
  _postman_id: '0b4f6c1e-0000-4000-8000-000000000000',
  name: 'Legacy',
  schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
}
const url = (path: string, query: readonly object[] = []): object => ({
  raw: `{{baseUrl}}/${path}`,
  host: ['{{baseUrl}}'],
  path: path.split('/'),
  query,
})
const raw = (text: string): object => ({ mode: 'raw', raw: text, options: { raw: { language: 'json' } } })
const invoices = (name: string, body: object): object => ({
  name,
  request: {
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 'TOP-SECRET' }] },
    method: 'POST',
    header: [
      { key: 'Authorization', value: 'Bearer TOP-SECRET' },
      { key: 'Cookie', value: 'session=TOP-SECRET' },
      { key: 'Accept-Language', value: 'en' },
    ],
    body,
    url: url('api/invoice/list'),
  },
})
const day = JSON.stringify({
  info,
  auth: { type: 'apikey', apikey: [{ key: 'value', value: 'TOP-SECRET' }] },
  item: [
    {
      name: 'Invoices',
      item: [
        invoices('Unpaid', raw('{ "isPayment": false, "perPage": {{rows}} }')),
        invoices('Of a customer', raw('{ "search": "{{customer}}" }')),
        invoices('With a file', { mode: 'formdata', formdata: [{ key: 'a', type: 'file', src: 'a.pdf' }] }),
      ],
    },
    {
      name: 'Countries',
      request: { method: 'GET', header: [], url: url('country/all', [{ key: 'code', value: 'de' }]) },
    },
    { name: 'Units', request: '{{baseUrl}}/api/unit/of/measure/all' },
  ],
  variable: [
    { key: 'baseUrl', value: 'https://legacy.example' },
    { key: 'rows', value: '3' },
    { key: 'customer', value: '' },
  ],
})

describe.concurrent('legacy-gateway replay of a Postman collection', { timeout: 60_000 }, () => {
  it('replays its requests, and reports those that it cannot by number and name', async () => {
    const { exit, output, errors, json } = await replayOver(services, day)
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ requests: 5, matched: 3, skipped: 2 })
    expect(json().operations.find(({ operation }) => operation === 'invoice-list')?.unjudged).toEqual({
      'one of its variables has no usable value': 1,
      'its body is a multipart form (formdata); only raw bodies and urlencoded forms are replayed': 1,
    })
    expect(errors).toContain('recording:2: "Of a customer": {{customer}} has no value')
    expect(errors).toContain('recording:3: "With a file": its body is a multipart form')
    expect(output).toContain('skipped (one of its variables has no usable value): 1')
  })

  it('names in the report the request that shows a difference', async () => {
    const other = await startServices()
    await other.plant('legacy', { path: '/country/all', kind: 'change', at: '[].taxType', to: 'X' })
    const { exit, json } = await replayOver(other, day)
    expect(exit).toBe(1)
    expect(counting(json(), 'country-list')).toEqual(['changed [].taxType < items[].tax.type: 1 (4)'])
  })

  it('sends neither its host nor its credentials', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    await replayOver({ ...services, legacyUrl: legacy.url }, day, ['--no-confirm'])
    expect(legacy.received.map(({ method, target }) => `${method} ${target}`).sort()).toEqual([
      'GET /api/unit/of/measure/all',
      // Whether it is v1: v1 itself refuses calls without a token.
      'GET /api/v1/public/shared/countries?perPage=1',
      'GET /country/all?code=de',
      'POST /api/invoice/list',
    ])
    expect(legacy.received.find(({ method }) => method === 'POST')).toMatchObject({
      body: '{ "isPayment": false, "perPage": 3 }',
      headers: { 'content-type': 'application/json', 'accept-language': 'en', host: new URL(legacy.url).host },
    })
    expect(JSON.stringify(legacy.received)).not.toContain('TOP-SECRET')
  })

  it('refuses a collection of another version', async () => {
    const old = day.replace('v2.1.0', 'v2.0.0')
    const { exit, errors } = await replayOver(services, old, DEMO)
    expect(exit).toBe(2)
    expect(errors).toMatch(
      /recording: a Postman collection of version 2\.0; only 2\.1 can be replayed: export it as Collection v2\.1\n$/,
    )
  })
})
