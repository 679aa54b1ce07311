import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { type ServiceProcess, servingAt, startService } from '../support/service-process.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { type Settings, startGateway, until } from '../support/start-gateway.ts'
import { startCollector } from '../support/trace-collector.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const traceparent = (flags: string): string => `00-${TRACE}-${PARENT}-${flags}`

/** How long a call that waits for a hanging collector would take. */
const COLLECTOR_TIMEOUT_MS = 9_000

const to = (url: string, sampler: NonNullable<Settings['tracing']>['sampler'] = 'parentbased_always_on') => ({
  tracing: { endpoint: new URL(url), sampler, ratio: 1 },
})

/** A v1 that answers as the path says, and a legacy service that sets two cookies. */
async function startServices(status = 200) {
  const v1 = await startHttpServer(({ target }, response) => {
    const perPage = Number(/perPage=(\d+)/.exec(target)?.[1] ?? 25)
    const page = Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1)
    const list = v1Page([], { page, perPage, total: target.includes('/countries') ? 400 : 0 })
    if (target.includes('/countries')) {
      list.items = Array.from({ length: perPage }, (_, index) => ({ id: page * 1000 + index }))
      list.meta.pageCount = 2
    }
    response.statusCode = status
    response.end(JSON.stringify(target.includes('/auth/') ? v1Record({ token: 'v1-token' }) : list))
  })
  const legacy = await startHttpServer(({ target }, response) => {
    response.writeHead(target.startsWith('/teapot') ? 418 : 200, { 'set-cookie': ['a=1', 'b=2'] })
    response.end(target.startsWith('/auth/') ? '{"token":"legacy-token"}' : '{"data":[]}')
  })
  return { v1, legacy }
}

test.concurrent('a call is a child span of its caller’s, and the call of v1 a child of that, which v1 gets as its parent', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  await gateway.call({ path: '/api/invoice/list', body: '{}', headers: { traceparent: traceparent('01') } })
  const [ask, call] = await collector.spans(2)
  expect(collector.targets()).toEqual(['/v1/traces'])
  expect(call).toMatchObject({ kind: 'server', traceId: TRACE, parentSpanId: PARENT, isError: false })
  expect(call?.name).toBe('POST /api/invoice/list')
  expect(call?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/invoice/list',
    'url.path': '/api/invoice/list',
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'legacy_gateway.operation': 'invoice-list',
  })
  expect(ask).toMatchObject({ kind: 'client', traceId: TRACE, parentSpanId: call?.spanId, isError: false })
  expect(ask?.name).toBe('GET /api/v1/finance/invoices')
  expect(ask?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'legacy_gateway.service': 'v1',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(v1.url).port),
    'url.template': '/api/v1/finance/invoices',
  })
  expect(v1.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${ask?.spanId}-01`)
})

test.concurrent('a call without a readable traceparent starts a trace', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  const headers = [{}, { traceparent: 'ff'.concat(traceparent('01').slice(2)) }, { traceparent: `00-${TRACE}` }]
  for (const each of headers) await gateway.call({ path: '/api/invoice/list', body: '{}', headers: each })
  const spans = await collector.spans(6)
  const calls = spans.filter(({ kind }) => kind === 'server')
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(3)
  expect(calls.filter(({ parentSpanId, traceId }) => (parentSpanId ?? '') !== '' || traceId === TRACE)).toEqual([])
})

test.concurrent('each page of a list is a span, and simultaneous calls keep their spans apart', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  const paths = ['/country/all', '/api/currency', '/api/unit/of/measure/all']
  await Promise.all(paths.map((path) => gateway.call({ path })))
  const spans = await collector.spans(7)
  const calls = spans.filter(({ kind }) => kind === 'server')
  const asked = (name: string) => {
    const id = calls.find((span) => span.name === name)?.spanId
    return spans.filter(({ parentSpanId }) => parentSpanId === id).map((span) => span.name)
  }
  expect(asked('GET /country/all')).toEqual(Array(2).fill('GET /api/v1/public/shared/countries'))
  expect(asked('GET /api/currency')).toHaveLength(1)
  expect(asked('GET /api/unit/of/measure/all')).toHaveLength(1)
})

test.concurrent('the flag of a caller that does not sample is respected, and passed on', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  await gateway.call({ path: '/api/invoice/list', body: '{}', headers: { traceparent: traceparent('00') } })
  await gateway.call({ path: '/api/invoice/list', body: '{"perPage":0}' })
  expect((await collector.spans(1)).map(({ traceId }) => traceId)).not.toContain(TRACE)
  expect(v1.received[0]?.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[\\da-f]{16}-00$`))
  await gateway.close()
  expect(collector.text()).not.toContain(TRACE)
})

test.concurrent('with always_off nothing is recorded', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url, 'always_off') })
  await gateway.call({ path: '/api/invoice/list', body: '{}', headers: { traceparent: traceparent('01') } })
  await gateway.close()
  expect(collector.targets()).toEqual([])
})

test.concurrent('the span of a call that is passed on has its status, even if streamed, and is not named after an unknown path', async () => {
  const [{ v1, legacy }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url), legacyUrl: legacy.url })
  const headers = { traceparent: traceparent('01') }
  const charges = await gateway.call({ path: '/api/transaction/charge/list', body: '{}', headers })
  expect(charges).toMatchObject({ text: '{"data":[]}', headers: { 'set-cookie': ['a=1', 'b=2'] } })
  expect((await gateway.call({ path: '/teapot/12345?q=x', headers })).status).toBe(418)
  const spans = await collector.spans(4)
  const [known, unknown] = spans.filter(({ kind }) => kind === 'server')
  expect(known).toMatchObject({ name: 'POST /api/transaction/charge/list', isError: false })
  expect(unknown?.name).toBe('GET')
  // Neither a route nor a path, since a path may contain anything.
  expect(unknown?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 418,
    'url.scheme': 'http',
  })
  const asked = spans.filter(({ kind }) => kind === 'client')
  expect(asked.map(({ name }) => name)).toEqual(['POST /api/transaction/charge/list', 'GET'])
  expect(asked.map(({ parentSpanId }) => parentSpanId)).toEqual([known?.spanId, unknown?.spanId])
  expect(asked[1]).toMatchObject({
    isError: true,
    attributes: { 'error.type': '418', 'legacy_gateway.service': 'legacy' },
  })
  expect(legacy.received.map((request) => request.headers.traceparent)).toEqual(
    asked.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
  )
  expect(collector.text()).not.toContain('12345')
})

test.concurrent('a method that OpenTelemetry does not know is _OTHER, beside its original name', async () => {
  const [{ v1, legacy }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url), legacyUrl: legacy.url })
  await gateway.call({ method: 'PURGE', path: '/some/where' })
  await gateway.call({ method: 'PATCH', path: '/some/where' })
  await gateway.call({ method: 'PROPFIND', path: '/api/invoice/list' })
  const spans = await collector.spans(5)
  const actual = spans.map(({ kind, name, attributes }) => [
    kind,
    name,
    attributes['http.request.method'],
    attributes['http.request.method_original'],
  ])
  expect(actual).toEqual([
    ['client', 'HTTP', '_OTHER', 'PURGE'],
    ['server', 'HTTP', '_OTHER', 'PURGE'],
    ['client', 'PATCH', 'PATCH', undefined],
    ['server', 'PATCH', 'PATCH', undefined],
    ['server', 'HTTP', '_OTHER', 'PROPFIND'],
  ])
})

test.concurrent('a login calls both services within its span, and its cookies stay separate', async () => {
  const [{ legacy }, collector] = await Promise.all([startServices(), startCollector()])
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow: 1 } } },
    { settings: () => to(collector.url), legacyUrl: legacy.url },
  )
  const login = await sides.gateway.call({ path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}' })
  expect(login.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  const spans = await collector.spans(6)
  const call = spans.findLast(({ kind }) => kind === 'server')
  const asked = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
  expect(asked.map(({ attributes }) => attributes['legacy_gateway.service']).sort()).toEqual(['legacy', 'v1'])
})

test.concurrent('requests of a comparison are in no trace', async () => {
  const collector = await startCollector()
  const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } }, { settings: () => to(collector.url) })
  await sides.call('/api/invoice/list', {})
  await sides.compared(1)
  await sides.gateway.close()
  const spans = await collector.spans(5)
  expect(spans.filter(({ name }) => name === 'POST /api/invoice/list').map(({ kind }) => kind)).toEqual(['server'])
})

test.concurrent('failures are errors with their kind', async () => {
  const collector = await startCollector()
  const gateway = await startGateway(await deadUrl(), { settings: to(collector.url) })
  await gateway.call({ path: '/auth/application', body: '{}' })
  const spans = await collector.spans(2)
  for (const span of spans) expect(span).toMatchObject({ isError: true, attributes: { 'error.type': 'unreachable' } })
  const { v1 } = await startServices(503)
  const other = await startGateway(v1.url, { settings: to(collector.url) })
  await other.call({ path: '/auth/application', body: '{}' })
  const [ask, call] = (await collector.spans(4)).slice(2)
  expect(ask).toMatchObject({ isError: true, attributes: { 'http.response.status_code': 503, 'error.type': '503' } })
  expect(call).toMatchObject({
    isError: true,
    attributes: { 'http.response.status_code': 500, 'error.type': 'unavailable' },
  })
})

test.concurrent('no token, secret, query or personal value is in a span', async () => {
  const [{ v1, legacy }, collector] = await Promise.all([startServices(400), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url), legacyUrl: legacy.url })
  const headers = {
    authorization: 'Bearer Xsecret-token',
    cookie: 'Xsecret',
    tracestate: 'a=Xsecret',
    baggage: 'a=Xsecret',
  }
  const body = JSON.stringify({
    clientId: 'Xsecret',
    secretKey: 'Xsecret',
    email: 'Xsecret@example.com',
    number: 'Xsecret',
  })
  for (const path of ['/auth/application', '/api/invoice/list?q=Xsecret', '/Xsecret/path?Xsecret=Xsecret']) {
    await gateway.call({ path, body, headers })
  }
  await gateway.call({ path: '/country/all?code=Xsecret', headers })
  await gateway.call({ path: '/api/single/point/import/complete', body: '{"id":98765432109}', headers })
  const spans = await collector.spans(10)
  expect(spans.map(({ name }) => name)).toContain('POST /api/v1/shipment/single-point-imports/{id}/complete')
  expect(collector.text()).not.toMatch(/Xsecret|98765432109|v1-token|legacy-token/)
})

test.concurrent('a collector that is down neither breaks nor delays a call, and is logged once', async () => {
  const { v1 } = await startServices()
  // This collector accepts the connection, and hangs.
  const hangs = await startHttpServer(() => undefined)
  for (const url of [await deadUrl(), hangs.url]) {
    const gateway = await startGateway(v1.url, { settings: to(url) })
    for (let call = 0; call < 3; call++) {
      const started = performance.now()
      expect((await gateway.call({ path: '/api/invoice/list', body: '{}' })).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(COLLECTOR_TIMEOUT_MS)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const started = performance.now()
    await gateway.close()
    expect(performance.now() - started).toBeLessThan(COLLECTOR_TIMEOUT_MS)
    expect(gateway.log.filter(({ msg }) => String(msg).startsWith('spans are lost'))).toHaveLength(1)
  }
})

test.concurrent('a collector that refuses batch after batch is logged once, and so is its recovery', async () => {
  const { v1 } = await startServices()
  let status = 400
  const collector = await startHttpServer((_, response) => response.writeHead(status).end('{}'))
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  const batch = async (number: number): Promise<void> => {
    await gateway.call({ path: '/api/invoice/list', body: '{}' })
    await until(() => collector.received.length === number)
  }
  await batch(1)
  await batch(2)
  status = 200
  await batch(3)
  await until(() => gateway.log.some(({ msg }) => msg === 'the collector takes spans again'))
  expect(gateway.log.filter(({ msg }) => String(msg).startsWith('spans are lost'))).toMatchObject([{ level: 40 }])
})

test.concurrent('remaining spans are sent when the gateway stops', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const gateway = await startGateway(v1.url, { settings: to(collector.url) })
  await gateway.call({ path: '/api/invoice/list', body: '{}' })
  expect(collector.text()).toBe('')
  await gateway.close()
  expect(await collector.spans(2)).toHaveLength(2)
})

test.concurrent('without a collector a caller’s traceparent is passed on unchanged', async () => {
  const { v1, legacy } = await startServices()
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
  for (const path of ['/api/invoice/list', '/api/transaction/charge/list']) {
    await gateway.call({ path, body: '{}', headers: { traceparent: traceparent('01') } })
  }
  expect([...v1.received, ...legacy.received].map(({ headers }) => headers.traceparent)).toEqual(
    Array(2).fill(traceparent('01')),
  )
})

test.concurrent('OpenTelemetry is not loaded where it is disabled, and remaining spans are sent at SIGTERM', async () => {
  const [{ v1 }, collector] = await Promise.all([startServices(), startCollector()])
  const env = { V1_BASE_URL: v1.url, NODE_OPTIONS: '--import ./test/support/log-otel-imports.ts' }
  const tracing = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_SERVICE_NAME: 'replica-7' }
  const [disabled, traced] = [
    startService('serve', { ...tracing, OTEL_SDK_DISABLED: 'True' }),
    startService('serve', { ...tracing, OTEL_SDK_DISABLED: '1' }),
  ]
  const use = async (gateway: ServiceProcess): Promise<void> => {
    const { legacy } = await servingAt(gateway)
    await callLegacy(legacy, { path: '/api/invoice/list', body: '{}' })
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).toBe(0)
  }
  await Promise.all([disabled, traced].map(use))
  expect(disabled.output()).toContain('"msg":"stopped"')
  expect(disabled.output()).not.toContain('"loaded"')
  expect(traced.output()).toContain('"loaded"')
  expect(await collector.spans(2)).toHaveLength(2)
  expect(collector.text()).toContain('replica-7')
})
