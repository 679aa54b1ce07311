import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { brownoutRule } from '../../support/brownout-rule.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { GUIDE, type GuideServices, guideTextsOf, startGuideServices } from '../../support/guide-services.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { rowsOf } from '../../support/read-html.ts'
import { startGateway, until } from '../../support/start-gateway.ts'

const CURRENCIES = '/api/currency'
const EITHER = [
  ['a token of the gateway', { hasLegacy: true }],
  ['v1’s own token', { hasLegacy: false }],
] as const

describe('with CLIENT_GUIDES=on', () => {
  let services: GuideServices
  let anna: string
  beforeAll(async () => {
    services = await startGuideServices()
    anna = await services.logIn('anna')
  })

  test.each(EITHER)('a client reads its own guide with %s', async (_, options) => {
    const { logIn, read } = await startGuideServices(options)
    const [anna, berta] = [await logIn('anna'), await logIn('berta')]
    expect(await read(anna)).toMatchObject({ status: 200, text: guideTextsOf('anna').markdown })
    expect(await read(berta)).toMatchObject({ status: 200, text: guideTextsOf('berta').markdown })
    expect(await read(anna, { headers: { authorization: `bearer  ${anna}` } })).toMatchObject({
      text: guideTextsOf('anna').markdown,
    })
  })

  test('HTML may load and run nothing, no cache keeps it, and no other page learns its address', async () => {
    const { headers } = await services.read(anna, { headers: { accept: 'text/html' } })
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, private',
      'referrer-policy': 'no-referrer',
      vary: 'Authorization, Accept',
      deprecation: expect.stringMatching(/^@\d+$/),
      'x-request-id': expect.any(String),
    })
  })

  test.each([
    ['', undefined, 'markdown'],
    ['', '*/*', 'markdown'],
    ['', 'text/html;q=0.5, */*', 'markdown'],
    ['', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'html'],
    ['', 'text/markdown', 'markdown'],
    ['', 'application/json', 'json'],
    ['', 'text/html;q=0.5, application/json', 'json'],
    ['', 'text/html;q=0', 'markdown'],
    ['?format=md', 'text/html', 'markdown'],
    ['?format=json', undefined, 'json'],
    ['?format=html&client=berta', 'application/json', 'html'],
  ] as const)('the form is what %s and Accept: %s ask for: %s', async (query, accept, format) => {
    const { status, text, headers } = await services.read(anna, {
      path: `${GUIDE}${query}`,
      headers: accept === undefined ? {} : { accept },
    })
    expect([status, text]).toEqual([200, guideTextsOf('anna')[format]])
    const textType = (type: string) => `text/${type}; charset=UTF-8`
    const types = { html: textType('html'), markdown: textType('markdown'), json: 'application/json' }
    expect(headers['content-type']).toBe(types[format])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store, private' })
  })

  test('an unknown form is refused, and named', async () => {
    const { status, text } = await services.read(anna, { path: `${GUIDE}?format=pdf` })
    expect([status, JSON.parse(text)]).toMatchObject([400, { violations: [{ propertyPath: 'format' }] }])
  })

  test('its programs are in the language that is asked for, and an unknown one is refused, and named', async () => {
    const { logIn, read } = await startGuideServices({
      guide: async (client, language) => ({ ...guideTextsOf(client), markdown: `${client} in ${language}` }),
    })
    const token = await logIn('anna')
    const readIn = (query: string) => read(token, { path: `${GUIDE}?${query}` })
    expect((await readIn('')).text).toBe('anna in curl')
    expect((await readIn('snippets=PHP')).text).toBe('anna in PHP')
    expect((await readIn('snippets=java')).text).toBe('anna in Java')
    const { status, text } = await readIn('snippets=cobol')
    expect([status, JSON.parse(text)]).toMatchObject([400, { violations: [{ propertyPath: 'snippets' }] }])
  })

  test('HEAD answers without a body, other methods are refused, and none reaches a service', async () => {
    const { logIn, read, legacy, v1 } = await startGuideServices({ hasLegacy: true })
    const token = await logIn('anna')
    const length = String(guideTextsOf('anna').markdown.length)
    expect(await read(token, { method: 'HEAD' })).toMatchObject({
      ...{ status: 200, text: '' },
      headers: { 'content-length': length },
    })
    const asked = [v1.received.length, legacy.received.length]
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? {} : { body: '{}' }
      expect(await read(token, { method, ...body })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    }
    expect(await read(token, { method: 'OPTIONS' })).toMatchObject({
      ...{ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } },
    })
    expect([v1.received.length, legacy.received.length]).toEqual(asked)
  })

  test('pages of allowed origins may read it', async () => {
    const origin = 'https://app.example.com'
    const { logIn, read } = await startGuideServices({ settings: { corsOrigins: [origin] } })
    const preflight = { origin, 'access-control-request-method': 'GET' }
    expect(await read(undefined, { method: 'OPTIONS', headers: preflight })).toMatchObject({
      ...{
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-methods': 'GET, HEAD' },
      },
    })
    expect((await read(await logIn('anna'), { headers: { origin } })).headers).toMatchObject({
      ...{ 'access-control-allow-origin': origin, vary: 'Authorization, Accept, Origin' },
    })
  })

  test('a client about which nothing is known gets a 404 that says so, in its language', async () => {
    const token = await services.logIn('nobody')
    const replies = await Promise.all(
      ['tr', 'en'].map((language) => services.read(token, { headers: { 'accept-language': language } })),
    )
    expect(replies.map(({ status }) => status)).toEqual([404, 404])
    expect(JSON.parse(replies[0]?.text ?? '')).toEqual({ message: expect.stringContaining('kılavuz') })
    expect(JSON.parse(replies[1]?.text ?? '')).toEqual({ message: expect.stringContaining('guide') })
    expect(replies[1]?.headers).toMatchObject({
      ...{ 'cache-control': 'no-store, private', vary: 'Authorization, Accept, Accept-Language' },
    })
  })

  test('it is below BASE_PATH, and nowhere else', async () => {
    const { gateway, v1 } = await startGuideServices({ settings: { basePath: '/old' } })
    const body = '{"clientId":"anna","secretKey":"right"}'
    const { text } = await gateway.call({ path: '/old/auth/application', body })
    const headers = { authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` }
    expect(await gateway.call({ path: `/old${GUIDE}`, headers })).toMatchObject({ text: guideTextsOf('anna').markdown })
    expect((await gateway.call({ path: GUIDE, headers })).status).toBe(404)
    expect(v1.received).toHaveLength(2)
  })

  test('no brownout refuses it, and one that spares a client by its id spares its own tokens of v1', async () => {
    const rolloutFile = join(stateFolder(), 'rollout.json')
    const [from = '', to = ''] = [-60_000, 600_000].map((later) => new Date(Date.now() + later).toISOString())
    const rule = brownoutRule({ operations: ['*'], of: 'clients', from, to, except: ['berta', '127.0.0.1'] })
    writeFileSync(rolloutFile, JSON.stringify({ operations: {}, brownouts: [rule] }))
    const { logIn, read, gateway } = await startGuideServices({ settings: { rolloutFile } })
    const [anna, berta] = [await logIn('anna'), await logIn('berta')]
    const list = async (token: string) =>
      (await gateway.call({ path: CURRENCIES, headers: { authorization: `Bearer ${token}` } })).status
    expect([await list(anna), await list(berta)]).toEqual([503, 200])
    expect(await read(anna)).toMatchObject({ status: 200, text: guideTextsOf('anna').markdown })
    expect((await read()).status).toBe(401)
  })

  test('it is logged like a call, but does not count as one', async () => {
    const { logIn, read, gateway } = await startGuideServices({ settings: { namesAnswerer: true } })
    const adminUrl = await gateway.openAdmin()
    const token = await logIn('anna')
    const replies = [await read(token), await read(), await read(token, { method: 'PUT', body: '{}' })]
    expect(replies.map(({ headers }) => headers['x-gateway-answered-by'])).toEqual(['gateway', 'gateway', 'gateway'])
    const lines = () => gateway.log.filter(({ path }) => path === GUIDE)
    await until(() => lines().length === 3)
    expect(lines().map(({ status, operation, answeredBy }) => [status, operation, answeredBy])).toEqual(
      [200, 401, 405].map((status) => [status, undefined, undefined]),
    )
    expect(JSON.stringify(gateway.log)).not.toContain(token)
    const { text } = await callLegacy(adminUrl, { path: '/traffic', headers: { accept: 'text/html' } })
    expect(rowsOf(text, 'who-calls-what').map(([operation, client]) => [operation, client])).toEqual([['auth', 'anna']])
    expect((await callLegacy(adminUrl, { path: '/metrics' })).text).not.toMatch(
      /_calls_total\{operation="unknown"[^}]*\} [1-9]/,
    )
  })

  test('an unreachable store and a failing service are reported as unavailable, and asked again', async () => {
    const state = { isAway: true }
    const { logIn, read, v1 } = await startGuideServices({
      async guide(client) {
        if (state.isAway) throw new StateError('the database is away', true)
        return guideTextsOf(client)
      },
    })
    const token = await logIn('anna')
    v1.status = 503
    expect(await read(token)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
    v1.status = undefined
    expect(await read(token)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
    state.isAway = false
    expect((await read(token)).status).toBe(200)
  })
})

describe('reading guides loads neither the gateway nor the services', () => {
  test('each guide is made once in 5 s, and each token checked once a minute, even if it is wrong', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { logIn, read, made, v1 } = await startGuideServices()
    const [one, other] = [await logIn('anna'), await logIn('anna')]
    const checks = () => v1.received.filter(({ target }) => !target.endsWith('/auth/application')).length
    await Promise.all([read(one), read(one), read(other)])
    for (const token of [one, other, 'garbage', 'garbage']) await read(token)
    expect([made, checks()]).toEqual([['anna'], 3])
    vi.advanceTimersByTime(5_001)
    expect((await read(one)).status).toBe(200)
    expect([made, checks()]).toEqual([['anna', 'anna'], 3])
    vi.advanceTimersByTime(60_000)
    expect((await read('garbage')).status).toBe(401)
    expect((await read(one)).status).toBe(200)
    expect([made.length, checks()]).toEqual([3, 5])
  })

  test('the check is one row of a list', async () => {
    const { logIn, read, v1 } = await startGuideServices()
    await read(await logIn('anna'))
    expect(v1.received.at(-1)).toMatchObject({ method: 'GET', target: expect.stringMatching(/\?perPage=1$/) })
  })

  test('four are made at a time: a request for a fifth is refused with Retry-After', async () => {
    const waiting: (() => void)[] = []
    const { logIn, read, made } = await startGuideServices({
      guide: (client) => new Promise((resolve) => waiting.push(() => resolve(guideTextsOf(client)))),
    })
    const tokens: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) tokens.push(await logIn(name))
    const replies = tokens.slice(0, 4).map((token) => read(token))
    await until(() => made.length === 4)
    expect(await read(tokens[4])).toMatchObject({
      ...{ status: 500, headers: { 'x-gateway-error': 'overloaded', 'retry-after': '1' } },
    })
    for (const finish of waiting.splice(0)) finish()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const last = read(tokens[4])
    await until(() => waiting.length === 1)
    waiting[0]?.()
    expect((await last).status).toBe(200)
  })
})

describe('the Link of legacy answers', () => {
  const link = '</.legacy-gateway/guide>; rel="deprecation"'
  const settings = { v1PublicUrl: new URL('https://api.example.com') }
  const linkOf = async (path: string, body?: string, more = {}) => {
    const { gateway } = await startGuideServices({ settings: { ...settings, ...more } })
    return (await gateway.call({ path, ...(body !== undefined && { body }) })).headers.link
  }

  test('names the guide, after the successor in v1', async () => {
    const successor = '<https://api.example.com/api/v1/finance/invoices>; rel="successor-version"'
    expect(await linkOf('/api/invoice/list', '{}')).toBe(`${successor}, ${link}`)
    for (const path of ['/nothing', GUIDE]) expect(await linkOf(path)).toBe(link)
    expect(await linkOf('/old/nothing', undefined, { basePath: '/old' })).toBe(link.replace('/', '/old/'))
  })

  test('leaves all headers together under 8 KB', async () => {
    const { gateway } = await startGuideServices({ settings: { ...settings, maxBodyBytes: 10_000_000 } })
    const names = Array.from({ length: 5_000 }, (_, index) => [`${index}`.padEnd(200, 'x'), 1])
    const { headers, headerBytes } = await gateway.call({
      path: '/api/invoice/list',
      headers: { 'x-request-id': 'x'.repeat(128) },
      body: JSON.stringify(Object.fromEntries(names)),
    })
    expect(headers.link).toContain(link)
    expect(headerBytes).toBeLessThan(8_192)
  })

  test('does not lead a brownout to name the guide as the successor', async () => {
    const rolloutFile = join(stateFolder(), 'rollout.json')
    const [from = '', to = ''] = [-60_000, 600_000].map((later) => new Date(Date.now() + later).toISOString())
    writeFileSync(rolloutFile, JSON.stringify({ operations: {}, brownouts: [brownoutRule({ from, to })] }))
    // v1's address is internal, so clients do not learn it.
    const gateway = await startGateway('http://10.1.2.3', { settings: { clientGuides: true, rolloutFile } })
    const { status, headers, text } = await gateway.call({ path: '/country/all', headers: { 'accept-language': 'en' } })
    expect([status, headers.link]).toEqual([503, link])
    expect(text).toContain('Use GET /api/v1/public/shared/countries instead')
  })
})

describe('without CLIENT_GUIDES', () => {
  const settings = { clientGuides: false }

  test('the path is unknown', async () => {
    const { gateway, logIn, read } = await startGuideServices({ settings })
    expect(await read(await logIn('anna'))).toMatchObject({ status: 404 })
    expect((await gateway.call({ path: '/nothing' })).headers).not.toHaveProperty('link')
  })

  test('it is passed on to the legacy service, if there is one', async () => {
    const { logIn, read, legacy } = await startGuideServices({ hasLegacy: true, settings })
    expect(await read(await logIn('anna'))).toMatchObject({ status: 200, text: '{"data":[]}' })
    expect(legacy.received.at(-1)?.target).toBe(GUIDE)
  })
})
