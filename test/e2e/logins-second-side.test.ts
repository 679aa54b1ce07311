import { describe, expect, it } from 'vitest'
import { type HttpServer, type Received, startHttpServer } from '../support/http-server.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const LOGIN = '/auth/application'
const COUNTRIES = '/country/all'
const CLIENT = { 'x-request-id': 'login-7', 'x-forwarded-for': '192.0.2.7' }

/** How a service answers: with a status and headers, in place of what it should; undefined: as it should. */
type Odd = (request: Received) => { readonly status: number; readonly headers?: Record<string, string> } | undefined

const isLogin = ({ target }: Received): boolean => target.includes('auth')
/** A login of anyone but the demo client, who has logged in before the test begins. */
const isLater = (request: Received): boolean => isLogin(request) && !request.body.includes('demo')

function startService(good: (request: Received) => unknown, odd: Odd = () => undefined): Promise<HttpServer> {
  return startHttpServer((request, response) => {
    const { status, headers } = odd(request) ?? { status: 200 }
    const body = status < 400 ? good(request) : { success: false, code: 'NO', message: 'x' }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
}

/** Two services that let everyone in and have one country; `other` is the side that does not answer clients. */
async function startLogins(serve: 'v1' | 'legacy', oddAt: { readonly v1?: Odd; readonly legacy?: Odd } = {}) {
  const legacy = await startService((request) => (isLogin(request) ? { token: 'l' } : [{ id: 1 }]), oddAt.legacy)
  const v1 = await startService(
    (request) => (isLogin(request) ? v1Record({ token: 'v' }) : v1Page([{ id: 1 }])),
    oddAt.v1,
  )
  const sides = await startSideBySide(
    { operations: { '*': { serve, shadow: 1 } } },
    { legacyUrl: legacy.url, v1Url: v1.url },
  )
  const [answering, other] = serve === 'v1' ? [v1, legacy] : [legacy, v1]
  return { ...sides, answering, other }
}

const logIn = ({ gateway }: SideBySide, clientId: string, headers = {}) =>
  gateway.call({ path: LOGIN, headers, body: JSON.stringify({ clientId, secretKey: 's' }) })

const of = async (sides: SideBySide, operation: string) =>
  (await sides.experiments()).operations.find((report) => report.operation === operation)

const SOON = { timeout: 20_000 }

describe.each(['legacy', 'v1'] as const)('a login that %s answers', (serve) => {
  const second = serve === 'v1' ? 'legacy' : 'v1'

  it('is the other side’s to compare, with the id and the addresses of the client’s call', async () => {
    const sides = await startLogins(serve)
    expect((await logIn(sides, 'a', CLIENT)).status).toBe(200)
    const [first] = sides.answering.received.filter(isLater)
    const [second] = sides.other.received.filter(isLater)
    expect(first?.headers).not.toHaveProperty('x-gateway-purpose')
    expect(second?.headers['x-gateway-purpose']).toBe('compare')
    for (const login of [first, second]) {
      expect(login?.headers).toMatchObject({ 'x-request-id': 'login-7', 'x-forwarded-for': '192.0.2.7, 127.0.0.1' })
    }
    // So three logs can be joined.
    const logged = sides.gateway.log.filter(({ msg, requestId }) => msg === 'call' && requestId === 'login-7')
    expect(logged).toMatchObject([{ operation: 'auth', answeredBy: serve }])
  })

  it.each([429, 503])(
    'is not judged if the other side answers %i and Retry-After, and comparing pauses',
    async (status) => {
      const asks: Odd = (request) => (isLater(request) ? { status, headers: { 'retry-after': '60' } } : undefined)
      const sides = await startLogins(serve, { [second]: asks })
      expect((await logIn(sides, 'a')).status).toBe(200)
      await expect.poll(async () => (await of(sides, 'auth'))?.unjudged, SOON).toEqual({ 'asked to slow down': 1 })
      expect(await of(sides, 'auth')).toMatchObject({ totals: { mismatched: 0, failed: 0 }, differences: [] })

      expect((await sides.call(COUNTRIES)).status).toBe(200)
      await expect
        .poll(async () => (await of(sides, 'country-list'))?.unjudged, SOON)
        .toEqual({ 'asked to slow down': 1 })
      expect(sides.other.received.filter(({ target }) => target.includes('countr'))).toEqual([])
    },
  )

  it('goes to the other side also while that wants no comparisons, because its client needs both tokens', async () => {
    const asks: Odd = (request) => (isLogin(request) ? undefined : { status: 429, headers: { 'retry-after': '60' } })
    const sides = await startLogins(serve, { [second]: asks })
    expect((await sides.call(COUNTRIES)).status).toBe(200)
    await expect
      .poll(async () => (await of(sides, 'country-list'))?.unjudged, SOON)
      .toEqual({ 'asked to slow down': 1 })
    expect((await logIn(sides, 'a')).status).toBe(200)
    await expect.poll(async () => (await of(sides, 'auth'))?.totals.matched, SOON).toBe(2)
    expect(sides.other.received.filter(isLater)).toHaveLength(1)
  })

  it('is judged if its own side answers 429, for that is the client’s own', async () => {
    const limits: Odd = (request) => (isLater(request) ? { status: 429, headers: { 'retry-after': '60' } } : undefined)
    const sides = await startLogins(serve, { [serve]: limits })
    expect((await logIn(sides, 'a')).status).toBe(429)
    await expect.poll(async () => (await of(sides, 'auth'))?.totals.requests, SOON).toBe(2)
    const { differences, unjudged } = (await of(sides, 'auth')) ?? {}
    const found = [differences?.map(({ kind, details }) => [kind, details]), unjudged]
    expect(found).toEqual(serve === 'v1' ? [[['status', { '200 → 429': 1 }]], {}] : [[], { 'control: 429': 1 }])
    expect((await sides.call(COUNTRIES)).status).toBe(200)
    await expect.poll(async () => (await of(sides, 'country-list'))?.totals.matched, SOON).toBe(1)
  })
})

it('where legacy is down, a client gets v1’s own 429, which is then its own', async () => {
  const sides = await startLogins('legacy', {
    legacy: (request) => (isLater(request) ? { status: 503 } : undefined),
    v1: (request) => (isLater(request) ? { status: 429, headers: { 'retry-after': '60' } } : undefined),
  })
  const answer = await logIn(sides, 'a')
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60'])
})
