import { CompactEncrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const LOGIN = { path: '/auth/application', body: '{"clientId":"demo-client","secretKey":"s"}' }
const INVOICES = '/api/invoice/list'
const CITIES = '/city/all'
const KEY = new Uint8Array(32).fill(7)

/** A v1 that accepts its token until the test expires it, and a gateway in front of it. */
async function startServices(settings: Parameters<typeof startGateway>[1] = {}) {
  const state = { isExpired: false, token: 'v1-token' }
  const v1 = await startHttpServer(({ target, headers }, response) => {
    const perPage = Number(/perPage=(\d+)/.exec(target)?.[1] ?? 25)
    if (target.includes('/auth/')) response.end(JSON.stringify(v1Record({ token: state.token })))
    else if (state.isExpired || headers.authorization !== 'Bearer v1-token') {
      response.writeHead(401).end('{"success":false,"code":"UNAUTHORIZED","message":"Yetkisiz."}')
    } else response.end(JSON.stringify(v1Page([{ id: 1 }], { perPage })))
  })
  const legacy = await startHttpServer((_, response) => response.end('{"token":"legacy-token"}'))
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, ...settings })
  const logIn = async (): Promise<string> => JSON.parse((await gateway.call(LOGIN)).text).token
  const statusOf = async (path: string, token: string): Promise<number> => {
    const body = path === INVOICES ? { body: '{}' } : {}
    return (await gateway.call({ path, headers: { authorization: `Bearer ${token}` }, ...body })).status
  }
  return { state, v1, legacy, gateway, logIn, statusOf }
}

describe('the token that a client holds', () => {
  test('is encrypted, not just signed: neither the tokens in it nor the client id can be read', async () => {
    const token = await (await startServices()).logIn()
    const parts = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    expect(parts).toHaveLength(5)
    expect(JSON.parse(parts[0] ?? '')).toEqual({ alg: 'dir', enc: 'A256GCM', typ: 'legacy-gateway' })
    for (const inside of ['v1-token', 'legacy-token', 'demo-client']) expect(parts.join(' ')).not.toContain(inside)
  })

  // A256GCM hides nothing once a nonce is used twice (NIST SP 800-38D, section 8).
  test('has a nonce of its own, even for the same login', async () => {
    const { logIn } = await startServices({ settings: { tokenKeys: [KEY] } })
    const tokens = await Promise.all(Array.from({ length: 50 }, logIn))
    expect(new Set(tokens.map((token) => token.split('.')[2])).size).toBe(50)
  })

  test.each([
    ['no algorithm', { alg: 'none' }],
    ['another encryption', { alg: 'dir', enc: 'A128CBC-HS256', typ: 'legacy-gateway' }],
    ['a password with a slow key derivation', { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 1e9, p2s: 'x' }],
    ['a compressed body', { alg: 'dir', enc: 'A256GCM', typ: 'legacy-gateway', zip: 'DEF' }],
  ])('is forwarded unopened, as not ours, when its header asks for %s', async (_, header) => {
    const { v1, statusOf } = await startServices({ settings: { tokenKeys: [KEY] } })
    const rest = (await (await startServices({ settings: { tokenKeys: [KEY] } })).logIn()).split('.').slice(1)
    const token = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
    const started = performance.now()
    expect(await statusOf(INVOICES, token)).toBe(401)
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(v1.received.at(-1)?.headers.authorization).toBe(`Bearer ${token}`)
  })

  test('holds no character that could end a header', async () => {
    const { state, logIn, statusOf, v1, gateway } = await startServices()
    state.token = 'v1-token\r\nX-Injected: yes'
    expect(await statusOf(INVOICES, await logIn())).toBe(500)
    expect(v1.received.map(({ headers }) => headers)).not.toContainEqual(
      expect.objectContaining({ 'x-injected': 'yes' }),
    )
    expect(JSON.stringify(gateway.log)).not.toContain('X-Injected')
  })

  test('sealed with the right key around something else is a 500 without a stack', async () => {
    const { gateway } = await startServices({ settings: { tokenKeys: [KEY] } })
    const token = await new CompactEncrypt(Buffer.from('{"v1":["not-a-text"]}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'legacy-gateway' })
      .encrypt(KEY)
    const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
    const reply = await gateway.call({ path: INVOICES, headers, body: '{}' })
    expect(reply).toMatchObject({
      ...{ status: 500, text: '{"message":"An unexpected error occurred."}' },
      headers: { 'x-gateway-error': 'internal' },
    })
    expect(gateway.log.at(-1)).toMatchObject({ level: 50, failure: 'internal', err: { stack: expect.any(String) } })
    expect(JSON.stringify(gateway.log)).not.toContain('not-a-text')
  })
})

describe('a token whose inner token has expired', () => {
  test('is refused as v1 refuses it, though it can still be opened', async () => {
    const { state, logIn, statusOf } = await startServices()
    const token = await logIn()
    expect(await statusOf(INVOICES, token)).toBe(200)
    state.isExpired = true
    expect(await statusOf(INVOICES, token)).toBe(401)
  })

  test('still gets a list that is kept for it, while that is fresh', async () => {
    const { state, logIn, statusOf } = await startServices({ settings: { referenceTtlMs: 1_000 } })
    const token = await logIn()
    expect(await statusOf(CITIES, token)).toBe(200)
    state.isExpired = true
    expect(await statusOf(CITIES, token)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await statusOf(CITIES, token)).toBe(401)
  })

  test('gets no list when none is kept', async () => {
    const { state, logIn, statusOf } = await startServices({ settings: { referenceTtlMs: 0 } })
    const token = await logIn()
    expect(await statusOf(CITIES, token)).toBe(200)
    state.isExpired = true
    expect(await statusOf(CITIES, token)).toBe(401)
  })
})

describe('without a TOKEN_KEY', () => {
  test('the key is random: another start does not open the token, and the log warns of it', async () => {
    const [first, second] = [await startServices(), await startServices()]
    const token = await first.logIn()
    expect(await first.statusOf(INVOICES, token)).toBe(200)
    expect(await second.statusOf(INVOICES, token)).toBe(401)
    expect(first.gateway.log[0]).toMatchObject({ level: 40, msg: expect.stringMatching(/^TOKEN_KEY is not set/) })
  })

  test('the log does not warn when there is one, or no legacy service', async () => {
    const { gateway, v1 } = await startServices({ settings: { tokenKeys: [KEY] } })
    expect([...gateway.log, ...(await startGateway(v1.url)).log]).toEqual([])
  })
})
