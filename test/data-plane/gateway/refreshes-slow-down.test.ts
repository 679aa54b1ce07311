import { expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const COUNTRIES = { method: 'GET', path: '/country/all' } as const
const TTL_MS = 500

test('a v1 that asks for less when a list is refreshed gets no further refresh, and clients get their lists meanwhile', async () => {
  const v1 = await startHttpServer(({ headers }, response) => {
    const isRefresh = headers['x-gateway-purpose'] === 'refresh'
    response.writeHead(isRefresh ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '60' })
    response.end(isRefresh ? '{"success":false,"code":"NO","message":"x"}' : JSON.stringify(v1Page([{ id: 1 }])))
  })
  const gateway = await startGateway(v1.url, { settings: { referenceTtlMs: TTL_MS, referenceStaleMs: 0 } })
  const of = (purpose: string | undefined) =>
    v1.received.filter(({ headers }) => headers['x-gateway-purpose'] === purpose).length
  const call = async (): Promise<void> => {
    expect(await gateway.call(COUNTRIES)).toMatchObject({ status: 200, text: '[{"id":1}]' })
  }
  await until(async () => {
    await call()
    return of('refresh') > 0
  })
  const read = of(undefined)
  // The list is read again for a client four times, each time past the moment at which it would be refreshed ahead.
  await until(async () => {
    await call()
    return of(undefined) >= read + 4
  })
  expect(of('refresh')).toBe(1)
  const refused = gateway.log.filter(({ msg }) => msg === 'a reference list could not be refreshed')
  expect(refused.length).toBeGreaterThan(1)
  expect(refused.at(-1)).toMatchObject({ reason: expect.stringContaining('asked to be left alone') })
})

test('a client that waits for a refresh which v1 refuses gets the list all the same', async () => {
  const refused: (() => void)[] = []
  const v1 = await startHttpServer(({ headers }, response) => {
    const isRefresh = headers['x-gateway-purpose'] === 'refresh'
    response.writeHead(isRefresh ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '60' })
    if (isRefresh) refused.push(() => response.end('{"success":false,"code":"NO","message":"x"}'))
    else response.end(JSON.stringify(v1Page([{ id: v1.received.length }])))
  })
  const gateway = await startGateway(v1.url, { settings: { referenceTtlMs: TTL_MS, referenceStaleMs: 3_600_000 } })
  await until(async () => {
    expect((await gateway.call(COUNTRIES)).status).toBe(200)
    return refused.length > 0
  })
  // The list becomes stale while it is being refreshed, so this call waits for the refresh.
  await new Promise((resolve) => setTimeout(resolve, TTL_MS))
  const before = v1.received.length
  const waiting = gateway.call(COUNTRIES)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(v1.received).toHaveLength(before)
  refused.shift()?.()
  expect(await waiting).toMatchObject({ status: 200, text: `[{"id":${before + 1}}]` })
})
