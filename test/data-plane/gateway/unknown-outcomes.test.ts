import { beforeAll, describe, expect, it } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy, type Reply } from '../../support/legacy-client.ts'
import { createThing, listThings } from '../../support/made-up-operations.ts'
import { deadUrl, http, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Error } from '../../support/v1-bodies.ts'

const OUTCOME = 'x-gateway-outcome'
const THING = '{"success":true,"data":{"id":1}}'
const write = { path: '/api/thing', body: '{"title":"a"}' }
const operations = [createThing, listThings]
const legacyAnswers = { serve: 'legacy' } as const

const metricOf = async (gateway: StartedGateway, name: string): Promise<number> => {
  const { text } = await callLegacy(await gateway.openAdmin(), { path: '/metrics' })
  const line = new RegExp(`^legacy_gateway_${name}_total{operation="thing-create"} (\\d+)$`, 'm').exec(text)
  return Number(line?.[1] ?? Number.NaN)
}
const repeatsIn = ({ log }: StartedGateway) => log.filter(({ msg }) => msg === 'a write repeats one of unknown outcome')
const send = (gateway: StartedGateway, id: string, body = write.body, token = 't'): Promise<Reply> =>
  gateway.call({ ...write, body, headers: { 'x-request-id': id, authorization: `Bearer ${token}` } })

/** Each answers one write; undefined: it never answers. */
type Answering = (Buffer | 'reset' | undefined)[]
const answering = (answers: Answering) =>
  startRawServer((socket, number) => {
    const answer = answers[Math.min(number, answers.length) - 1]
    if (answer === 'reset') socket.resetAndDestroy()
    else if (answer !== undefined) socket.write(answer)
  })

describe.each(['v1', 'legacy'] as const)('a write that %s was to answer', (side) => {
  const start = async (answers: Answering, upstreamTimeoutMs = 20_000) => {
    const { url } = await answering(answers)
    const dead = await deadUrl()
    return side === 'v1'
      ? startGateway(url, { operations, settings: { upstreamTimeoutMs } })
      : startGateway(dead, { operations, legacyUrl: url, settings: { ...legacyAnswers, upstreamTimeoutMs } })
  }

  it.each<[string, Answering, number?]>([
    ['takes too long', [undefined], 300],
    ['breaks the connection', ['reset']],
    ['answers what is not HTTP', [Buffer.from('nonsense\r\n\r\n')]],
    ['answers 500', [http(500, JSON.stringify(v1Error(500, 'INTERNAL').body))]],
    ['answers 502', [http(502, '<html>')]],
    ['answers 504', [http(504, '<html>')]],
    ...(side === 'v1'
      ? ([
          ['answers a success that is not JSON', [http(201, '{')]],
          ['answers without a body', [http(204, '')]],
        ] satisfies [string, Answering][])
      : []),
  ])('has an unknown outcome if the service %s', async (_, answers, timeoutMs) => {
    const gateway = await start([...answers], timeoutMs)
    const reply = await send(gateway, 'first')
    expect(reply).toMatchObject({
      status: expect.toSatisfy((status) => status >= 500),
      headers: { [OUTCOME]: 'unknown' },
    })
    await until(() => gateway.log.some(({ outcome, requestId }) => outcome === 'unknown' && requestId === 'first'))
    expect(await metricOf(gateway, 'writes_unknown_outcome')).toBe(1)
    expect(await metricOf(gateway, 'writes_repeated_after_unknown')).toBe(0)
  })

  it.each<[string, Answering]>([
    ['carries it out', [http(200, THING)]],
    ['refuses it', [http(400, JSON.stringify(v1Error(400, 'NO').body))]],
    ['answers 503', [http(503, JSON.stringify(v1Error(503, 'DEPENDENCY_UNAVAILABLE').body))]],
    ['answers 405', [http(405, '<html>')]],
  ])('has a known outcome if the service %s', async (_, answers) => {
    const gateway = await start(answers)
    expect((await send(gateway, 'first')).headers).not.toHaveProperty(OUTCOME)
    expect((await send(gateway, 'second')).headers).not.toHaveProperty(OUTCOME)
    await until(() => gateway.log.some(({ requestId }) => requestId === 'second'))
    expect(await metricOf(gateway, 'writes_unknown_outcome')).toBe(0)
    expect(repeatsIn(gateway)).toEqual([])
  })
})

it('a write whose bytes never left has a known outcome: no connection, on either side', async () => {
  const dead = await deadUrl()
  const gateways = [
    await startGateway(dead, { operations }),
    await startGateway(dead, { operations, legacyUrl: dead, settings: legacyAnswers }),
  ]
  for (const gateway of gateways) {
    const reply = await send(gateway, 'first')
    expect(reply).toMatchObject({ headers: { 'x-gateway-error': 'unreachable' } })
    expect(reply.headers).not.toHaveProperty(OUTCOME)
  }
})

it('a read that fails has no unknown outcome', async () => {
  const { url } = await answering([http(500, '{}')])
  const gateway = await startGateway(url, { operations })
  const reply = await gateway.call({ path: '/api/things', headers: { authorization: 'Bearer t' } })
  expect(reply.status).toBe(500)
  expect(reply.headers).not.toHaveProperty(OUTCOME)
})

describe('a write that repeats one of unknown outcome', () => {
  let v1: Awaited<ReturnType<typeof startHttpServer>>
  let statuses: Record<string, number>
  beforeAll(async () => {
    v1 = await startHttpServer(({ headers }, response) => {
      const status = statuses[String(headers['x-request-id'])] ?? 201
      response.writeHead(status).end(status === 201 ? THING : JSON.stringify(v1Error(status, 'CODE').body))
    })
  })
  const start = (answers: Record<string, number>) => {
    statuses = answers
    return startGateway(v1.url, { operations })
  }

  it('is sent on as ever, and told in log, metric and on the page of the operation', async () => {
    const gateway = await start({ first: 504 })
    await send(gateway, 'first')
    expect(await send(gateway, 'again')).toMatchObject({ status: 200 })
    expect(v1.received.slice(-2).map(({ headers }) => headers['x-request-id'])).toEqual(['first', 'again'])
    await until(() => repeatsIn(gateway).length > 0)
    expect(repeatsIn(gateway)).toMatchObject([
      {
        ...{ level: 40, requestId: 'again', operation: 'thing-create', status: 200, twice: 'probably' },
        first: { requestId: 'first', status: 500, at: expect.any(Number) },
      },
    ])
    expect(await metricOf(gateway, 'writes_repeated_after_unknown')).toBe(1)
    const page = await callLegacy(await gateway.openAdmin(), { path: '/side-by-side/thing-create' })
    expect(page.text).toContain('1 write was probably carried out twice.')
    for (const id of ['first', 'again']) expect(page.text).toContain(`<code>${id}</code>`)
  })

  it.each([
    ['probably', 'the first took too long, the second succeeded', { first: 504 }],
    ['possibly', 'the service said of the first that it failed', { first: 500 }],
    ['possibly', 'nobody knows of either', { first: 504, again: 504 }],
    ['no', 'the service refused the second', { first: 504, again: 422 }],
    ['no', 'the service was unavailable', { first: 504, again: 503 }],
  ] as const)('was %s carried out twice if %s', async (twice, _, answers) => {
    const gateway = await start(answers)
    await send(gateway, 'first')
    await send(gateway, 'again')
    await until(() => repeatsIn(gateway).length > 0)
    expect(repeatsIn(gateway)).toMatchObject([{ twice }])
  })

  it('is no other body, client or later one that the client sends after it knows', async () => {
    const gateway = await start({ first: 504 })
    await send(gateway, 'first')
    await send(gateway, 'another body', '{"title":"b"}')
    await send(gateway, 'another client', write.body, 'u')
    expect(repeatsIn(gateway)).toEqual([])
    await send(gateway, 'again')
    await send(gateway, 'meant')
    await until(() => gateway.log.some(({ requestId }) => requestId === 'meant'))
    expect(repeatsIn(gateway)).toMatchObject([{ requestId: 'again' }])
  })

  it('is told of the last one of unknown outcome, if there were several, also after a refusal', async () => {
    const gateway = await start({ a: 504, b: 500, c: 503, d: 201 })
    for (const id of ['a', 'b', 'c', 'd']) await send(gateway, id)
    await until(() => repeatsIn(gateway).length === 3)
    expect(repeatsIn(gateway).map(({ requestId, first }) => [requestId, first])).toMatchObject([
      ['b', { requestId: 'a' }],
      ['c', { requestId: 'b' }],
      ['d', { requestId: 'b' }],
    ])
  })
})
