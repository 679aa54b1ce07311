import { expect, test } from 'vitest'
import { callLegacy } from '../../support/legacy-client.ts'
import { rowsOf } from '../../support/read-html.ts'
import { DEMO_LOGIN, startSideBySide } from '../../support/side-by-side.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { answerPageOf, v1Error, v1Page, v1Record } from '../../support/v1-bodies.ts'
import { standInForV1 } from '../../support/v1-stand-in.ts'

/** The dashboard's name for a client that is known by its token only. */
const HASH = expect.stringMatching(/^[\w-]{22}$/)

/** The dashboard's rows of operation, client and number of calls. */
async function clientsOf(adminUrl: string): Promise<readonly (readonly (string | undefined)[])[]> {
  const { text } = await callLegacy(adminUrl, { path: '/traffic', headers: { accept: 'text/html' } })
  return rowsOf(text, 'who-calls-what')
    .map((row) => row.slice(0, 3))
    .sort()
}

/** A gateway without a legacy service, whose v1 accepts only the token `good`. */
async function gatewayBeforeV1() {
  const v1 = { isDown: false }
  const standIn = standInForV1((asked) => {
    if (v1.isDown) return v1Error(503, 'DEPENDENCY_UNAVAILABLE')
    if (asked.path.endsWith('/auth/application')) {
      return asked.body.includes('"right"') ? { body: v1Record({ token: 'good' }) } : v1Error(401, 'NO')
    }
    const needsToken = !asked.path.includes('/countries')
    if (needsToken && asked.headers.authorization !== 'Bearer good') return v1Error(401, 'NO')
    return asked.path.includes('/finance/') ? { body: v1Page([], { perPage: 25 }) } : answerPageOf(1)(asked)
  })
  const gateway = await startGateway(standIn.url)
  const adminUrl = await gateway.openAdmin()
  return {
    v1,
    call: async (path: string, token?: string, body?: object) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return (await gateway.call({ path, headers, ...(body && { body: JSON.stringify(body) }) })).status
    },
    clients: () => clientsOf(adminUrl),
  }
}

test('a login that succeeds counts under its client id, one that fails under unidentified', async () => {
  const { call, clients } = await gatewayBeforeV1()
  expect(await call('/auth/application', undefined, { clientId: 'anna', secretKey: 'right' })).toBe(200)
  expect(await call('/auth/application', undefined, { clientId: 'anna', secretKey: 'wrong' })).toBe(401)
  expect(await call('/auth/application', undefined, { clientId: 'berta', secretKey: 'wrong' })).toBe(401)
  expect(await call('/auth/application', undefined, { secretKey: 'right' })).toBe(200)
  expect(await clients()).toEqual([
    ['auth', 'anna', '1'],
    ['auth', 'unidentified', '3'],
  ])
})

test.each(['v1', 'legacy'])('a login that %s answers for both services counts the same way', async (serve) => {
  const sides = await startSideBySide({ operations: { auth: { serve } } })
  await sides.gateway.call({ path: '/auth/application', body: JSON.stringify({ ...DEMO_LOGIN, secretKey: 'wrong' }) })
  expect(await clientsOf(sides.adminUrl)).toEqual([
    ['auth', 'demo-client', '1'],
    ['auth', 'unidentified', '1'],
  ])
})

test('a list that needs no token counts under the client of our token, or under unidentified', async () => {
  const sides = await startSideBySide({ operations: {} })
  await sides.call('/country/all')
  await sides.gateway.call({ path: '/country/all' })
  await sides.gateway.call({ path: '/country/all', headers: { authorization: 'Bearer garbage' } })
  expect(await clientsOf(sides.adminUrl)).toEqual([
    ['auth', 'demo-client', '1'],
    ['country-list', 'demo-client', '1'],
    ['country-list', 'unidentified', '2'],
  ])
})

test('a token without a client id counts as a client once v1 has accepted it, even if none is needed or v1 fails', async () => {
  const { v1, call, clients } = await gatewayBeforeV1()
  expect(await call('/country/all', 'good')).toBe(200)
  expect(await clients()).toEqual([['country-list', 'unidentified', '1']])
  expect(await call('/api/invoice/list', 'good', {})).toBe(200)
  expect(await call('/country/all', 'good')).toBe(200)
  v1.isDown = true
  expect(await call('/api/invoice/list', 'good', {})).toBe(500)
  expect(await call('/api/invoice/list', 'garbage', {})).toBe(500)
  expect(await call('/nothing/here', 'good')).toBe(404)
  expect(await clients()).toEqual([
    ['country-list', HASH, '1'],
    ['country-list', 'unidentified', '1'],
    ['invoice-list', HASH, '2'],
    ['invoice-list', 'unidentified', '1'],
    ['unknown', 'unidentified', '1'],
  ])
})

test('a list that is cached for a token vouches for the token, and refusals count under unidentified', async () => {
  const { call, clients } = await gatewayBeforeV1()
  for (const token of ['good', 'garbage', 'good', 'rubbish']) await call('/api/unit/of/measure/all', token)
  expect(await clients()).toEqual([
    ['unit-list', HASH, '2'],
    ['unit-list', 'unidentified', '2'],
  ])
})

test('an answer of the legacy service vouches for a token too, unless every caller would get that answer', async () => {
  const sides = await startSideBySide({ operations: { '*': { serve: 'legacy' } } })
  const login = await callLegacy(sides.gateway.url, { path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
  expect(login.status).toBe(200)
  await sides.call('/api/currency')
  await sides.gateway.call({ path: '/api/currency', headers: { authorization: 'Bearer garbage' } })
  await sides.gateway.call({ path: '/country/all', headers: { authorization: 'Bearer garbage' } })
  await sides.gateway.call({ path: '/nothing', headers: { authorization: 'Bearer garbage' } })
  expect(await clientsOf(sides.adminUrl)).toEqual([
    ['auth', 'demo-client', '2'],
    ['country-list', 'unidentified', '1'],
    ['currency-list', 'demo-client', '1'],
    ['currency-list', 'unidentified', '1'],
    ['unknown', 'unidentified', '1'],
  ])
})

test('without a legacy service, the tokens that logins got count under their client ids, however they are written', async () => {
  const { logIn, list, clients } = await gatewayThatIssues()
  const tokens = [await logIn('anna'), await logIn('anna'), await logIn('Anna')]
  for (const token of tokens) expect(await list(`Bearer ${token}`)).toBe(200)
  expect(await list(`bearer   ${tokens[0]}`)).toBe(200)
  expect(await clients()).toEqual([
    ['auth', 'Anna', '1'],
    ['auth', 'anna', '2'],
    ['invoice-list', 'Anna', '1'],
    ['invoice-list', 'anna', '3'],
  ])
})

test('a token whose login another process saw counts under its hash until the client logs in here', async () => {
  const { logIn, list, clients, issue } = await gatewayThatIssues()
  issue('old')
  expect(await list('Bearer old')).toBe(200)
  expect(await logIn('anna', 'old')).toBe('old')
  expect(await list('Bearer old')).toBe(200)
  expect(await clients()).toEqual([
    ['auth', 'anna', '1'],
    ['invoice-list', HASH, '1'],
    ['invoice-list', 'anna', '1'],
  ])
})

test('a token that is refused counts under unidentified, even if a login got it', async () => {
  const { logIn, list, clients, revoke } = await gatewayThatIssues()
  const token = await logIn('anna')
  revoke(token)
  expect(await list(`Bearer ${token}`)).toBe(401)
  expect(await clients()).toEqual([
    ['auth', 'anna', '1'],
    ['invoice-list', 'unidentified', '1'],
  ])
})

test('no client id reads like a group of clients, or like the hash of another client’s token', async () => {
  const { logIn, list, clients, issue } = await gatewayThatIssues()
  issue('no-login')
  expect(await list('Bearer no-login')).toBe(200)
  const [, hashed = ''] = (await clients())[0] ?? []
  for (const id of ['others', 'unidentified', hashed]) await list(`Bearer ${await logIn(id)}`)
  expect((await clients()).filter(([operation]) => operation === 'invoice-list')).toEqual(
    [
      ['invoice-list', hashed, '1'],
      ['invoice-list', 'id:others', '1'],
      ['invoice-list', 'id:unidentified', '1'],
      ['invoice-list', `id:${hashed}`, '1'],
    ].sort(),
  )
})

test('a client whose id is too long to be a name counts by its tokens', async () => {
  const { logIn, list, clients } = await gatewayThatIssues()
  expect(await list(`Bearer ${await logIn('x'.repeat(201))}`)).toBe(200)
  expect(await clients()).toContainEqual(['invoice-list', HASH, '1'])
})

/** A gateway without a legacy service, whose v1 gives each login a token of its own. */
async function gatewayThatIssues() {
  const issued = new Set<string>()
  let next: string | undefined
  const standIn = standInForV1(({ path, headers }) => {
    if (path.endsWith('/auth/application')) {
      const token = next ?? `token-${issued.size}`
      issued.add(token)
      return { body: v1Record({ token }) }
    }
    const token = headers.authorization?.replace(/^bearer +/i, '') ?? ''
    return issued.has(token) ? { body: v1Page([], { perPage: 25 }) } : v1Error(401, 'NO')
  })
  const gateway = await startGateway(standIn.url)
  const adminUrl = await gateway.openAdmin()
  return {
    issue: (token: string) => issued.add(token),
    revoke: (token: string) => issued.delete(token),
    /** Returns the token that v1 issues: `token`, or a new one. */
    async logIn(clientId: string, token?: string): Promise<string> {
      next = token
      const { text } = await gateway.call({ path: '/auth/application', body: JSON.stringify({ clientId }) })
      return (JSON.parse(text) as { token: string }).token
    },
    list: async (authorization: string) =>
      (await gateway.call({ path: '/api/invoice/list', headers: { authorization }, body: '{}' })).status,
    clients: () => clientsOf(adminUrl),
  }
}
