import { describe, expect, it } from 'vitest'
import type { Exchange, ExchangeRequest } from '../../../src/exchange/exchange.ts'
import { redactor } from '../../../src/exchange/redactor.ts'
import { redactedCall, redactedCurl } from '../../../src/guide/explain/redacted-curl.ts'
import { type Received, startHttpServer } from '../../support/http-server.ts'
import { hasCurl, paste, shells } from '../../support/shells.ts'

const redact = redactor(new Uint8Array(32))
const LEGACY_TOKEN = "t$o'k"

const exchange = (request: Partial<Omit<ExchangeRequest, 'body'>> & { readonly body?: string }): Exchange => ({
  operation: 'thing-list',
  at: new Date(0),
  version: '',
  answeredBy: 'v1',
  client: undefined,
  isCached: false,
  status: 200,
  caller: 'demo-client',
  ...{ failure: undefined, countedClient: 'demo-client' },
  facts: [],
  rolloutClient: 'demo-client',
  size: 0,
  answer: () => Promise.reject(new Error('not asked')),
  credentials: { v1: 'Bearer v1', legacy: 'Bearer legacy', isOurs: true },
  request: {
    method: 'POST',
    path: '/api/thing',
    query: '',
    headers: {},
    ...request,
    body: Buffer.from(request.body ?? ''),
  },
})

/** The call that arrives when the command is pasted into a shell. */
async function arrived(call: Exchange, shell?: readonly string[]): Promise<Received> {
  const server = await startHttpServer((_, response) => response.end('{"answered":true}'))
  const command = redactedCurl(call, redact, `${server.url}/base`)
  expect(await paste(command, { LEGACY_TOKEN }, shell)).toBe('{"answered":true}')
  const [request] = server.received
  if (request === undefined || server.received.length > 1) throw new Error(`${server.received.length} requests arrived`)
  return request
}

const nasty = [
  ...["it's", "''", `'"'"'`, '$HOME', '$(echo no)', '`echo no`', '!!', '#', '@file', '%s %d %%', '~', '*', '&;|<>'],
  ...[
    '\\\\',
    '\\\\n',
    '\\n',
    '\\u0000',
    '\\"',
    "\\\\'",
    'İstanbul, ğüşöı',
    '日本 🚚',
    '\u007f',
    ' ',
    '\u2028',
    '-d',
    '',
  ],
]

describe.skipIf(!hasCurl)('the curl of a difference (with curl)', () => {
  it.each(shells)('reproduces the call when it is pasted into %s', async (...shell) => {
    const text = nasty.map((one) => `"${one.replaceAll(/(?<!\\)"/g, '\\"')}"`).join(',\r\n\t')
    const body = `  {"x": [${text}],\n\n "n" : 100.00, "id":12345678901234567890}\n`
    const headers = { 'accept-language': `en, "$HOME" 'x' \`y\` \\`, 'content-type': 'application/json; a="$(x)"' }
    expect(await arrived(exchange({ body, headers }), shell)).toMatchObject({
      method: 'POST',
      target: '/base/api/thing',
      body,
      headers: { ...headers, authorization: `Bearer ${LEGACY_TOKEN}` },
    })
  })

  it.each(['{}', '[]', '"@/etc/passwd"', 'null', '{"a":"\\u0000"}', '{"%":"%"}'])('has the body %s', async (body) => {
    const request = await arrived(exchange({ body }))
    expect(request.body).toBe(body)
    // The services got this default, since the client sent no Content-Type.
    expect(request.headers['content-type']).toBe('application/json')
  })

  it('has no body when the call had none', async () => {
    expect(await arrived(exchange({}))).toMatchObject({ method: 'POST', body: '' })
  })

  it.each([
    ['body', { body: `{"x":"${'y'.repeat(3_500)}"}` }, true],
    ['body', { body: `{"x":"${'y'.repeat(4_000)}"}` }, false],
    // Each quote is written as four characters.
    ['body', { body: `{"x":"${"'".repeat(2_000)}"}` }, false],
    ['body', { body: `{"x":"${'y'.repeat(1_000_000)}"}` }, false],
    ['query', { method: 'GET', query: `a=${'y'.repeat(5_000)}` }, false],
    ['call', { headers: { 'accept-language': 'y'.repeat(1_000) }, query: `a=${'y'.repeat(3_500)}` }, true],
  ] as const)(
    'has at most 4 KB, leaves out a %s that is too long, says so, and still runs',
    async (what, call, isShown) => {
      const command = redactedCurl(exchange(call), redact, 'http://h')
      expect(Buffer.byteLength(command)).toBeLessThanOrEqual(4_096)
      if (what === 'call') expect(command).toMatch(/\n# Its query of 3502 bytes is not shown: it is too long\.$/)
      else if (isShown) expect((await arrived(exchange(call))).body).toBe('body' in call ? call.body : '')
      else {
        expect(command).toMatch(new RegExp(`\\n# Its ${what} of \\d+ bytes is not shown: it is too long\\.$`))
        expect(await arrived(exchange(call))).toMatchObject({ target: '/base/api/thing', body: '' })
      }
    },
  )

  it.each([
    ['a=[1-3]&b={x,y}&c[]=1&d=[', 'a=[1-3]&b={x,y}&c[]=1&d=['],
    ["a='&b=$HOME&c=`x`&d=\\&e=!!&f=%&g=a+b%20c&h=;|<>", "a='&b=$HOME&c=`x`&d=\\&e=!!&f=%&g=a+b%20c&h=;|<>"],
    ['a=\u00c5\u009f#b', 'a=%C5%9F%23b'],
    ['a=?&b=/../c', 'a=?&b=/../c'],
  ])('has the query %s', async (query, sent) => {
    const request = await arrived(exchange({ method: 'GET', query }))
    expect(request).toMatchObject({ method: 'GET', target: `/base/api/thing?${sent}`, body: '' })
    expect(request.headers).not.toHaveProperty('content-type')
  })

  it('keeps a GET with a body a GET, and does not wait for a body of a HEAD', async () => {
    expect(await arrived(exchange({ method: 'GET', body: '{}' }))).toMatchObject({ method: 'GET', body: '{}' })
    const server = await startHttpServer((_, response) => response.setHeader('content-length', 5).end())
    await paste(redactedCurl(exchange({ method: 'HEAD' }), redact, server.url), {})
    expect(server.received).toMatchObject([{ method: 'HEAD' }])
  })

  it('has pseudonyms for personal values, and no credential', async () => {
    const body = '{"firstName":"Şule","packages":[{"phone":905,"length":1.50}]}'
    const call = exchange({ body, query: "email=a'b&x=1" })
    const request = await arrived(call)
    expect(request.body).toMatch(
      /^\{"firstName":"[ÇĞİÖŞÜ][a-z]{3}","packages":\[\{"phone":[1-8]\d\d,"length":1\.50\}\]\}$/,
    )
    expect(request.target).toMatch(/^\/base\/api\/thing\?email=[a-z]'[a-z]&x=1$/)
    expect(redactedCurl(call, redact, 'http://h')).not.toMatch(/Bearer (v1|legacy)/)
  })

  it('sends no token when the call had none, or the variable is empty', async () => {
    const none = { v1: undefined, legacy: undefined, isOurs: false }
    expect((await arrived({ ...exchange({}), credentials: none })).headers).not.toHaveProperty('authorization')
    const server = await startHttpServer((_, response) => response.writeHead(401).end('{"message":"no"}'))
    expect(await paste(redactedCurl(exchange({}), redact, server.url), {})).toBe('{"message":"no"}')
  })

  it('says that a body that is not JSON is not shown, and still runs', async () => {
    const call = exchange({ body: 'firstName=Ali\n$(echo no)' })
    expect((await arrived(call)).body).toBe('')
    expect(redactedCurl(call, redact, 'http://h')).toMatch(/\n# Its body of 24 bytes is not shown: it is not JSON\.$/)
  })
})

describe('the redacted call, as people read it', () => {
  const read = (call: Exchange) => {
    const { method, path, body } = redactedCall(call, redact, 'http://gateway', 'http://legacy')
    return { method, path, body }
  }

  it('has the method, the path with its query, and the body, none of them with personal values', () => {
    const call = exchange({ query: 'email=a@b.example&page=2', body: '{"email":"a@b.example","page":2}' })
    expect(read(call)).toEqual({
      method: 'POST',
      path: expect.stringMatching(/^\/api\/thing\?email=.+&page=2$/),
      body: expect.stringMatching(/^\{"email":".+","page":2\}$/),
    })
    expect(JSON.stringify(read(call))).not.toMatch(/a@b|a%40b/)
  })

  it('has no body that is not JSON or too long, and says what was cut', () => {
    expect(read(exchange({})).body).toBeNull()
    expect(read(exchange({ body: 'email=a@b.example' })).body).toBeNull()
    expect(read(exchange({ body: `{"a":"${'x'.repeat(5_000)}"}` })).body).toBeNull()
    expect(read(exchange({ body: `{"a":"${'x'.repeat(600)}"}` })).body).toMatch(/^\{"a":"x{494}… \(cut\)$/)
    expect(read(exchange({ query: `a=${'1'.repeat(600)}` })).path).toMatch(/^\/api\/thing\?a=1+… \(cut\)$/)
  })
})
