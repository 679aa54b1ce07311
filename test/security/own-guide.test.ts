import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { GUIDE, guideTextsOf, startGuideServices } from '../support/guide-services.ts'
import { sendBytes } from '../support/legacy-client.ts'

const UNAUTHORIZED = { status: 401, text: '{"message":"Yetkilendirme gerekli."}' }
const hashOf = (token: string): string => hash('sha256', `Bearer ${token}`, 'base64url').slice(0, 22)
const isOf = (client: string) => ({ status: 200, text: guideTextsOf(client).markdown })

describe.each([
  ['a token of the gateway', true],
  ['a service’s own token', false],
])('a client cannot read another’s guide, holding %s:', (_, hasLegacy) => {
  const start = () => startGuideServices({ hasLegacy })

  test('its own token gives its own guide, whatever else the request says', async () => {
    const { logIn, read, made } = await start()
    await logIn('victim')
    const token = await logIn('me')
    const calls = [
      ...['?client=victim', '?client=victim&client=me', '?token=victim'].map((query) => ({ path: `${GUIDE}${query}` })),
      ...['x-client-id', 'x-forwarded-user', 'from', 'x-original-url', 'x-rewrite-url'].map((name) => ({
        headers: { [name]: 'victim' },
      })),
      { headers: { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=victim', cookie: 'client=victim' } },
    ]
    for (const call of calls) expect(await read(token, call)).toMatchObject(isOf('me'))
    expect(made).not.toContain('victim')
  })

  test('no token, and what no service has issued, give none, and the message is Turkish', async () => {
    const { logIn, read, made, gateway } = await start()
    const token = await logIn('victim')
    const english = { 'accept-language': 'en' }
    expect(await read(undefined, { headers: english })).toMatchObject({
      ...{ ...UNAUTHORIZED, headers: { 'www-authenticate': 'Bearer realm="legacy-gateway"' } },
    })
    for (const wrong of ['victim', 'x', `${token}x`, token.slice(0, -1), hashOf(token), 'null', `${token}, ${token}`]) {
      expect(await read(wrong, { headers: english })).toMatchObject({
        ...{ ...UNAUTHORIZED, headers: { 'www-authenticate': 'Bearer realm="legacy-gateway", error="invalid_token"' } },
      })
    }
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${btoa('victim:right')}`, token]) {
      expect(await gateway.call({ path: GUIDE, headers: { authorization } })).toMatchObject({ status: 401 })
    }
    expect(made).toEqual([])
  })

  test('a token that has expired, or was revoked, gives none, also if it gave one before', async () => {
    const { logIn, read, valid, gateway } = await start()
    const [used, unused] = [await logIn('me'), await logIn('me')]
    const headers = { authorization: `Bearer ${used}` }
    expect((await gateway.call({ path: '/api/invoice/list', headers, body: '{}' })).status).toBe(200)
    valid.clear()
    for (const token of [used, unused]) expect(await read(token)).toMatchObject(UNAUTHORIZED)
  })

  test('a login that names a client twice names none, because services may take either', async () => {
    const { logInWith, read } = await start()
    for (const body of [
      '{"clientId":"victim","clientId":"me","secretKey":"right"}',
      '{"clientId":"me","secretKey":"right","clientId":"victim"}',
      // With an escape, in another case, and in Turkish capitals.
      '{"clientId":"me","secretKey":"right","client\\u0049d":"victim"}',
      '{"CLIENTID":"me","secretKey":"right","clientId":"victim"}',
      '{"clıentıd":"me","secretKey":"right","clientId":"victim"}',
    ]) {
      const { text } = await logInWith(body)
      const { token } = JSON.parse(text) as { token: string }
      expect(await read(token), body).toMatchObject(isOf(hashOf(token)))
    }
  })

  test('a client whose id reads like a token’s hash, an address or a group has a name of its own', async () => {
    const { logIn, logInWith, read } = await start()
    const { text } = await logInWith('{"clientId":["no text"],"secretKey":"right"}')
    const { token } = JSON.parse(text) as { token: string }
    expect(await read(token)).toMatchObject(isOf(hashOf(token)))
    for (const id of [hashOf(token), 'unidentified', 'others', 'id:others', `id:${hashOf(token)}`]) {
      expect(await read(await logIn(id))).toMatchObject(isOf(`id:${id}`))
    }
    for (const id of ['127.0.0.1', 'Victim', 'victim ', '__proto__', 'unknown']) {
      expect(await read(await logIn(id))).toMatchObject(isOf(id))
    }
  })

  test('of two Authorization headers none counts', async () => {
    const { logIn, gateway, made } = await start()
    const [mine, other] = [await logIn('me'), await logIn('victim')]
    for (const tokens of [
      [mine, other],
      [other, mine],
      [mine, mine],
    ]) {
      const lines = tokens.map((token, index) => `${index === 0 ? 'Authorization' : 'authorization'}: Bearer ${token}`)
      const head = [`GET ${GUIDE} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines].join('\r\n')
      expect(await sendBytes(gateway.url, `${head}\r\n\r\n`)).toContain('HTTP/1.1 400 ')
    }
    expect(made).toEqual([])
  })

  test('another spelling of its path is not the path of a guide', async () => {
    const { logIn, read, made } = await start()
    const token = await logIn('me')
    const paths = [
      ...[`${GUIDE}/`, `/${GUIDE}`, `${GUIDE}/victim`, `${GUIDE}/../guide`, `${GUIDE};client=victim`],
      ...['/./.legacy-gateway/guide', '/%2elegacy-gateway/guide', '/.legacy-gateway%2fguide', '/.LEGACY-GATEWAY/guide'],
      ...['/.legacy-gateway/guide%00', '/.legacy-gateway/clients/victim/guide', '/clients/victim/guide'],
    ]
    for (const path of paths) expect((await read(token, { path })).text, path).not.toContain('Guide of')
    expect(made).toEqual([])
  })
})

test('a token that the gateway sealed gives no guide once it was changed in any part, nor under another key', async () => {
  const { logIn, read, made } = await startGuideServices({ hasLegacy: true })
  const token = await logIn('me')
  const parts = token.split('.')
  const forged = parts.map((part, index) => {
    const other = part === '' ? 'AAAA' : `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`
    return parts.with(index, other).join('.')
  })
  const elsewhere = await (await startGuideServices({ hasLegacy: true })).logIn('me')
  for (const wrong of [...forged, parts.slice(0, 4).join('.'), `${token}.x`, elsewhere]) {
    expect(await read(wrong)).toMatchObject(UNAUTHORIZED)
  }
  expect(made).toEqual([])
})

test('a token that only the legacy service accepts gives the guide of its holder', async () => {
  const { read, valid, v1 } = await startGuideServices({ hasLegacy: true })
  valid.add('legacy-old')
  expect(await read('legacy-old')).toMatchObject(isOf(hashOf('legacy-old')))
  v1.status = 503
  valid.add('legacy-older')
  expect(await read('legacy-older')).toMatchObject(isOf(hashOf('legacy-older')))
  expect(await read('legacy-none')).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
})
