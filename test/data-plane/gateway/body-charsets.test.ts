import { beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const INVOICES = '/api/invoice/list'

/** A v1 without invoices, which takes any login. */
const startV1 = () =>
  startHttpServer(({ target }, response) => {
    const isLogin = target.startsWith('/api/v1/auth')
    response.end(JSON.stringify(isLogin ? v1Record({ token: 't' }) : v1Page([], { perPage: 25 })))
  })

let v1: HttpServer
let gateway: StartedGateway
beforeAll(async () => {
  v1 = await startV1()
  gateway = await startGateway(v1.url)
})

/** Lists invoices with this body and content type; null: none. Returns the status and what v1 was asked to search for. */
async function listing(body: Uint8Array, type: string | null, language = 'en') {
  const before = v1.received.length
  const headers = { 'accept-language': language, ...(type !== null && { 'content-type': type }) }
  const { status, text } = await gateway.call({ path: INVOICES, body, headers })
  const search = new URLSearchParams(v1.received[before]?.target.split('?')[1]).get('search')
  return { status, search, text }
}

/** İstanbul Şişli ğü in ISO-8859-9, which Windows calls 1254. */
const TURKISH = Buffer.from('{"search":"\xddstanbul \xdei\xfeli \xf0\xfc"}', 'latin1')
const TEXT = '{"search":"İstanbul Şişli ğü"}'
const UTF_8 = Buffer.from(TEXT)
const MARK = Buffer.from([0xef, 0xbb, 0xbf])
const little = (text: string): Buffer => Buffer.from(text, 'utf16le')
const big = (text: string): Buffer => little(text).swap16()

describe('a body is read in the charset of its content type, and v1 gets UTF-8', () => {
  test.each([
    ['application/json; charset=iso-8859-9', TURKISH],
    ['application/json;charset=ISO-8859-9', TURKISH],
    ['application/json; charset="iso-8859-9"', TURKISH],
    ["application/json; charset='iso-8859-9'", TURKISH],
    ['application/json; Charset = windows-1254 ; x=y', TURKISH],
    ['text/plain; charset=latin5', TURKISH],
    ['application/json; charset=cp1254', TURKISH],
    ['application/json; charset=utf-16le', little(TEXT)],
    ['application/json; charset=utf-16', little(TEXT)],
    ['application/json; charset=utf-16', little(`\ufeff${TEXT}`)],
    ['application/json; charset=UTF-16', big(`\ufeff${TEXT}`)],
    ['application/json; charset=utf-16', big(TEXT)],
    ['application/json; charset=utf-16be', big(TEXT)],
    ['application/json; charset=utf-8', UTF_8],
    ['application/json; charset=UTF8', UTF_8],
    ['application/json; charset=', UTF_8],
    ['application/json', UTF_8],
    [null, UTF_8],
    // RFC 8259 section 8.1: JSON is UTF-8, and a charset has no meaning.
    ['application/json; charset=iso-8859-9', UTF_8],
    ['application/json; charset=iso-8859-1', UTF_8],
    ['application/json; charset=us-ascii', UTF_8],
    ['application/json; charset=no-such-charset', UTF_8],
  ])('%s', async (type, body) => {
    expect(await listing(body, type)).toMatchObject({ status: 200, search: 'İstanbul Şişli ğü' })
  })

  test('windows-1252 has other letters than 1254 at the same places, and typographic quotes', async () => {
    const body = Buffer.from('{"search":"\x93\xdd\xf0\x94 \x80"}', 'latin1')
    expect(await listing(body, 'application/json; charset=latin1')).toMatchObject({ search: '“Ýð” €' })
    expect(await listing(body, 'application/json; charset=windows-1254')).toMatchObject({ search: '“İğ” €' })
  })

  test('also if it is long, so that it is read in pieces that do not end with a letter', async () => {
    const text = `{"x":"${'ş€'.repeat(50_000)}","search":"ş"}`
    expect(await listing(little(` ${text}`), 'application/json; charset=utf-16le')).toMatchObject({ search: 'ş' })
  })

  test('for a write, with every digit', async () => {
    const body = Buffer.from('{"name":"\xdd\xfe","n":1.00}', 'latin1')
    const headers = { 'content-type': 'application/json; charset=iso-8859-9' }
    await gateway.call({ path: '/api/single/point/import', body, headers })
    expect(v1.received.at(-1)).toMatchObject({ body: '{"name":"İş","n":1.00}' })
    expect(v1.received.at(-1)?.headers['content-type']).toBe('application/json')
  })
})

describe('a body that cannot be read is a 400 that says why', () => {
  test.each([
    [null, TURKISH, 'is not UTF-8. Send UTF-8, or name the encoding in Content-Type'],
    ['application/json', TURKISH, 'is not UTF-8. Send UTF-8, or name the encoding in Content-Type'],
    ['application/json; charset=utf-8', TURKISH, 'is not UTF-8.'],
    ['application/json; charset=no-such-charset', TURKISH, 'is not UTF-8.'],
    ['application/json; charset=utf-7', TURKISH, 'is not UTF-8.'],
    ['application/json; charset=utf-16le', little(TEXT).subarray(0, -1), 'is not utf-16le, although its Content-Type'],
    ['application/json; charset=utf-16le', Buffer.from([0x7b, 0, 0, 0xd8, 0x7d, 0]), 'is not utf-16le, although'],
    ['application/json; charset=euc-kr', Buffer.from([0x7b, 0xff, 0x7d]), 'is not euc-kr, although'],
    ['application/json; charset=utf-16be', little(TEXT), 'is not JSON'],
  ])('%s', async (type, body, message) => {
    const { status, search, text } = await listing(body, type)
    expect({ status, search }).toEqual({ status: 400, search: null })
    const answer = JSON.parse(text) as { message: string; violations: readonly object[] }
    expect(answer.message).toContain(message)
    expect(answer.violations).toEqual([{ propertyPath: '', message: answer.message }])
  })

  test('in Turkish too', async () => {
    const { text } = await listing(TURKISH, null, 'tr')
    expect(text).toContain('İstek gövdesi UTF-8 değil. UTF-8 gönderin')
  })

  test('a byte order mark in UTF-8 is no JSON, with or without a charset', async () => {
    for (const type of ['application/json', 'application/json; charset=iso-8859-9']) {
      expect(await listing(Buffer.concat([MARK, UTF_8]), type)).toMatchObject({ status: 400 })
    }
  })
})

describe('with a legacy service', () => {
  const type = 'application/json; charset=iso-8859-9'
  const startLegacy = () =>
    startHttpServer(({ target }, response) => {
      const page = '{"data":[],"pagination":{"count":0,"page":1,"perPage":25,"lastPage":0}}'
      response.end(target.startsWith('/auth') ? '{"token":"of-legacy"}' : page)
    })

  test.each(['v1', 'legacy'])('such a call is compared, when %s serves', async (serve) => {
    const legacy = await startLegacy()
    const rollout = { operations: { '*': { serve, shadow: 1 } } }
    const sides = await startSideBySide(rollout, { v1Url: v1.url, legacyUrl: legacy.url })
    const headers = { authorization: `Bearer ${sides.token}`, 'content-type': type }
    expect((await sides.gateway.call({ path: INVOICES, body: TURKISH, headers })).status).toBe(200)
    const { operations } = await sides.compared(1)
    expect(operations).toMatchObject([{ operation: 'invoice-list', totals: { requests: 1, mismatched: 0, failed: 0 } }])
    const asked = v1.received.at(-1)?.target.split('?')[1]
    expect(new URLSearchParams(asked).get('search')).toBe('İstanbul Şişli ğü')
    const sent = legacy.received.at(-1)
    // As the client sent it, if legacy answers; otherwise in UTF-8, which its content type then says.
    expect(sent?.headers['content-type']).toBe(serve === 'legacy' ? type : 'application/json; charset=utf-8')
    expect(sent?.headers['content-length']).toBe(String((serve === 'legacy' ? TURKISH : UTF_8).length))
  })

  test('a login in ISO-8859-9 reaches both services in UTF-8', async () => {
    const legacy = await startLegacy()
    const both = await startGateway(v1.url, { legacyUrl: legacy.url })
    const body = Buffer.from('{"clientId":"\xfe","secretKey":"b"}', 'latin1')
    await both.call({ path: '/auth/application', body, headers: { 'content-type': type } })
    for (const { received } of [v1, legacy]) expect(received.at(-1)?.body).toBe('{"clientId":"ş","secretKey":"b"}')
    expect(legacy.received[0]?.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})
