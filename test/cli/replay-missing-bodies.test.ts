import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { COUNTRIES, DEMO, line, type Ran, replayOver, startServices } from '../support/run-replay.ts'

const services = await startServices()

const PRICE = 'https://gateway.example/api/calculate/price'
const price = { url: PRICE, method: 'POST', bodySize: 57 }
const countries = { url: 'https://gateway.example/country/all?code=de', method: 'GET', bodySize: 0 }
const elsewhere = { url: 'https://gateway.example/app.js', method: 'GET', bodySize: 0 }
const entry = (request: object, more: object = {}): object => ({ request: { headers: [], ...request }, ...more })
const har = (...entries: readonly object[]): string => JSON.stringify({ log: { version: '1.2', entries } })
const MISSING = 'its body is not in the file'
const WITH_LENGTH = 'had a body of 57 bytes that is not in the file; export it again with its content'

const operationOf = ({ json }: Ran, id: string) => json().operations.find(({ operation }) => operation === id)

describe.concurrent('legacy-gateway replay of calls that cannot be replayed as they were', { timeout: 60_000 }, () => {
  it('judges none of them, names them, and proves nothing', async () => {
    const ran = await replayOver(services, har(entry(price), entry(price)), DEMO)
    expect(ran.exit).toBe(3)
    expect(ran.errors).toContain(`recording:1: ${WITH_LENGTH}\n`)
    expect(ran.errors).toContain(`recording:2: ${WITH_LENGTH}\n`)
    expect(ran.errors).toMatch(/nothing was compared: 2 exchanges could not be read, or not replayed as recorded\n$/)
    expect(operationOf(ran, 'price')).toMatchObject({
      ...{ verdict: 'insufficient data', unjudged: { [MISSING]: 2 } },
      uncompared: [{ outcome: 'skipped', reason: MISSING, requests: 2, lines: [1, 2] }],
    })
    expect(ran.report('report.html')).toContain(MISSING)
  })

  it('keeps their operation from ready, beyond one in a hundred', async () => {
    const good = Array.from({ length: 40 }, (_, at) =>
      entry(countries, { startedDateTime: new Date(at * 3_600_000).toISOString() }),
    )
    const aborted = entry(countries, { response: { status: 0, _error: 'net::ERR_ABORTED' } })
    const run = (...entries: readonly object[]) => replayOver(services, har(...entries), [...DEMO, '--target', '0.9'])
    expect((await run(...good)).exit).toBe(0)
    const ran = await run(...good, aborted)
    expect(ran.exit).toBe(3)
    expect(operationOf(ran, 'country-list')).toMatchObject({
      verdict: 'insufficient data',
      totals: { matched: 40 },
      missing: ['judged 97.56 % of 99 %'],
    })
  })

  it('judges other operations', async () => {
    const ran = await replayOver(
      services,
      har(entry(price), entry(countries), entry(elsewhere, { response: { status: 0 } })),
    )
    expect(ran.exit).toBe(3)
    expect(operationOf(ran, 'country-list')).toMatchObject({ unjudged: {}, totals: { matched: 1 } })
    // A call of no operation is skipped anyway.
    expect(operationOf(ran, 'unknown')).toMatchObject({ unjudged: {}, totals: { skipped: 1 } })
    expect(ran.json().unreadable).toEqual({ count: 0, first: [] })
  })

  it('sends no write that was never answered, and none without its body', async () => {
    const noted = await startHttpServer((_, response) => response.end('[]'))
    const write = { url: 'https://g.example/api/single/point/import', method: 'POST' }
    const postData = { mimeType: 'application/json', text: '{"name":"x","shipmentId":"G1"}' }
    const entries = [
      entry({ ...write, postData }, { response: { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' } }),
      entry({ ...write, bodySize: 30 }),
      entry({
        ...write,
        postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '%20' }] },
      }),
    ]
    const copies = { legacyUrl: noted.url, v1Url: services.v1Url }
    await replayOver(copies, har(...entries), ['--include-writes', '--no-confirm'])
    expect(noted.received.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('says the first ten, and how many more', async () => {
    const { errors } = await replayOver(
      services,
      har(...Array.from({ length: 25 }, () => entry(price)), entry(countries)),
    )
    expect(errors.split('\n').filter((line) => line.includes(WITH_LENGTH))).toHaveLength(10)
    expect(errors).toContain('recording: 15 more that cannot be read, or not replayed as they were\n')
  })
})

describe.concurrent('legacy-gateway replay of a HAR whose entries are not in the order of their times', {
  timeout: 60_000,
}, () => {
  it('sends them by their times, with equal ones in the order of the file', async () => {
    const noted = await startHttpServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('[]'),
    )
    const at = (code: string, startedDateTime?: string): object =>
      entry({ method: 'GET', url: `https://g.example/country/all?code=${code}` }, { startedDateTime })
    const all = [
      at('5', '2025-01-01T13:00:05.000+03:00'),
      at('1', '2025-01-01T10:00:01.1234567Z'),
      at('2', 'yesterday'),
      at('6', '2025-01-01T10:00:05.000Z'),
      at('4', '2025-01-01T10:00:04.000+0000'),
      at('3', '2025-01-01T10:00:03.000Z'),
    ]
    const sides = { legacyUrl: noted.url, v1Url: services.v1Url }
    await replayOver(sides, har(...all), ['--concurrency', '1', '--no-confirm'])
    const codes = noted.received.flatMap(({ target }) => /^\/country\/all\?code=(\d)$/.exec(target)?.[1] ?? [])
    expect(codes).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})

describe('legacy-gateway replay of lines that cannot be read', { timeout: 60_000 }, () => {
  it('shows no difference where others match', async () => {
    expect((await replayOver(services, `${line(COUNTRIES)}{"v":1\n`)).exit).toBe(3)
  })
})
