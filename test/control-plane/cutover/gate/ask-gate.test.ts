import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { buildGates } from '../../../../src/app/build-cutover.ts'
import type { GateAnswer, GateQuestion } from '../../../../src/control-plane/cutover/gate/ask-gate.ts'
import { signatureOf } from '../../../../src/control-plane/cutover/webhook/send-message.ts'
import { startConnectProxy } from '../../../support/connect-proxy.ts'
import { startHttpServer } from '../../../support/http-server.ts'

const SECRET = 'sixteen-letters-'
const DIRECT = { v1: undefined, legacy: undefined, proxy: undefined }
const QUESTION: GateQuestion = {
  ...{ operation: 'invoice-list', step: 2, next: 25, since: '2027-05-03T09:00:00.000Z' },
  counts: { calls: 512, failures: 1, legacyCalls: 9_000, legacyFailures: 4 },
}

const ask = (url: string, timeoutMs = 300, connecting: Parameters<typeof buildGates>[0]['connecting'] = DIRECT) =>
  buildGates({ webhookSecret: SECRET, connecting })({ url, timeoutMs }, QUESTION, new AbortController().signal)

/** Asks a gate that answers like this. */
async function askOne(answer: (response: ServerResponse) => void, timeoutMs?: number): Promise<GateAnswer> {
  const { url } = await startHttpServer((_, response) => answer(response))
  return ask(url, timeoutMs)
}

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const text =
  (status: number, body: string, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

describe('a gate', () => {
  it('is sent where the plan stands, signed as a webhook message is', async () => {
    const { url, received } = await startHttpServer((_, response) => response.end())
    expect(await ask(`${url}/gates/invoices?key=1`)).toEqual({ says: 'go' })
    const [{ method, target, headers, body } = { headers: {}, body: '' }] = received
    expect([method, target]).toEqual(['POST', '/gates/invoices?key=1'])
    expect(JSON.parse(body)).toEqual(QUESTION)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^legacy-gateway\/\d/),
      'webhook-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'x-signature': signatureOf(Buffer.from(body), SECRET),
    })
  })

  it.each<[string, (response: ServerResponse) => void, GateAnswer]>([
    ['200', json(200, { why: 'all is well' }), { says: 'go' }],
    ['200 with a page', text(200, '<html>'), { says: 'go' }],
    ['204', text(204, ''), { says: 'wait', why: 'gives no reason' }],
    ['409', json(409, { why: 'no parcel has left' }), { says: 'wait', why: 'says: no parcel has left' }],
    ['409 without a reason', json(409, {}), { says: 'wait', why: 'gives no reason' }],
    ['409 with an empty reason', json(409, { why: ' \n' }), { says: 'wait', why: 'gives no reason' }],
    ['410', json(410, { why: 'parcels are lost' }), { says: 'brake', why: 'says: parcels are lost' }],
  ])('that answers %s', async (_, answer, expected) => {
    expect(await askOne(answer)).toEqual(expected)
  })

  const NO_REASON = 'answered 410 without a reason, which brakes nothing'
  it.each<[string, (response: ServerResponse) => void, string | RegExp]>([
    ['410 with a page, as of a page that is gone', text(410, '<h1>Gone</h1>'), NO_REASON],
    ['410 with a list', json(410, ['parcels are lost']), NO_REASON],
    ['410 with null', json(410, null), NO_REASON],
    ['410 with a number as reason', json(410, { why: 410 }), NO_REASON],
    ['410 with a body that never ends', (response) => void response.writeHead(410).write('{"why":"lost"'), NO_REASON],
    ['410 with too long a body', json(410, { why: 'x'.repeat(20_000) }), NO_REASON],
    [
      '410 with a broken body',
      (response) => void response.writeHead(410, { 'content-length': 50 }).write('{'),
      NO_REASON,
    ],
    ['404', json(404, { why: 'parcels are lost' }), 'answered 404'],
    ['500', json(500, { why: 'parcels are lost' }), 'answered 500'],
    ['a redirect', text(302, '', { location: '/' }), 'answered 302, and redirects are not followed'],
    ['201', json(201, {}), 'answered 201'],
    ['nothing', () => undefined, 'did not answer: no answer within 300 ms'],
    ['with a closed connection', (response) => void response.destroy(), /^did not answer: /],
    ['no HTTP', (response) => void response.socket?.end('hello\r\n\r\n'), /^did not answer: /],
  ])('that answers %s lets the plan wait', async (_, answer, why) => {
    expect(await askOne(answer)).toEqual({
      says: 'wait',
      why: typeof why === 'string' ? why : expect.stringMatching(why),
    })
  })

  it('that nobody runs lets the plan wait, and its path is not told', async () => {
    const answer = await ask('http://127.0.0.1:1/path-secret?key=secret')
    expect(answer).toEqual({ says: 'wait', why: expect.stringMatching(/^did not answer: .*ECONNREFUSED/) })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('has its reason cut, on one line, and without what a terminal or a database could not bear', async () => {
    const why = `no\nparcel\u0000 \u001b[31mhas\u202e left\ud800 ${'x'.repeat(1_000)}`
    const answer = await askOne((response) => void response.writeHead(409).end(JSON.stringify({ why })))
    const said = `says: no parcel [31mhas left\ufffd ${'x'.repeat(1_000)}`
    expect(answer).toEqual({ says: 'wait', why: `${said.slice(0, 'says: '.length + 300)}…` })
  })

  it('over https is asked through the proxy, which does not learn the path', async () => {
    const proxy = await startConnectProxy((_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const settings = { proxy: { origin: proxy.url, authorization: undefined }, except: '' }
    const answer = await ask('https://gate.example.com/path-secret', 5_000, { ...DIRECT, proxy: settings })
    expect(proxy.asked.map(({ authority }) => authority)).toEqual(['gate.example.com:443'])
    expect(answer).toEqual({ says: 'wait', why: expect.stringContaining(`the proxy at ${proxy.url}`) })
    expect(JSON.stringify([answer, proxy.asked])).not.toContain('path-secret')
  })

  it('is given up when the gateway stops', async () => {
    const { url, received } = await startHttpServer(() => undefined)
    const closing = new AbortController()
    const asked = buildGates({ webhookSecret: SECRET, connecting: DIRECT })(
      ...([{ url, timeoutMs: 30_000 }, QUESTION, closing.signal] as const),
    )
    await expect.poll(() => received.length).toBe(1)
    closing.abort()
    expect(await asked).toMatchObject({ says: 'wait' })
  })
})
