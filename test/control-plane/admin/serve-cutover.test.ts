import { beforeAll, describe, expect, it } from 'vitest'
import type { Ordered } from '../../../src/control-plane/cutover/decide/order.ts'
import { type CutoverAdmin, MOVED, REPORT, startCutoverAdmin } from '../../support/cutover-admin.ts'
import { callLegacy, type Reply } from '../../support/legacy-client.ts'

const TOKEN = 'a-token-of-the-admin'
const PATH = '/cutover/invoice-list/advance'
const ORDER = { by: 'Ada', why: 'the numbers are good' }
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const TEXTS = 'must be text of 1 to'

const send = (
  { url }: CutoverAdmin,
  body: string | object = ORDER,
  headers: object = JSON_TYPE,
  path = PATH,
  method = 'POST',
): Promise<Reply> =>
  callLegacy(url, {
    ...{ method, path, headers: { host: new URL(url).host, ...headers } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const messageOf = ({ status, text }: Reply) => [status, (JSON.parse(text) as { readonly message: string }).message]

let open: CutoverAdmin
let guarded: CutoverAdmin
beforeAll(async () => {
  open = await startCutoverAdmin()
  guarded = await startCutoverAdmin({ token: TOKEN })
})

describe('GET /cutover', () => {
  it('reports where each plan stands', async () => {
    const { status, headers, text } = await callLegacy(guarded.url, {
      path: '/cutover',
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(text)[0]).toEqual(REPORT)
    expect(Object.keys(JSON.parse(text)[0]).sort()).toEqual(
      [
        ...['operation', 'state', 'percent', 'step', 'steps', 'since', 'version', 'calls', 'next', 'why', 'brake'],
        ...['run', 'seed'],
      ].sort(),
    )
  })

  it('is an empty list where nothing has a plan', async () => {
    const { url } = await startCutoverAdmin({ reports: [] })
    expect((await callLegacy(url, { path: '/cutover', headers: { host: new URL(url).host } })).text).toBe('[]')
  })
})

describe('an order', () => {
  it.each(['advance', 'approve', 'pause', 'resume', 'stop'])(
    '%s is passed on with who gives it and why, and answered with the new report',
    async (action) => {
      const admin = await startCutoverAdmin()
      const { status, text } = await send(
        admin,
        { by: ' Ada ', why: ' ğ ü ş ', version: 7 },
        JSON_TYPE,
        `/cutover/price/${action}`,
      )
      const { state, percent, step, since, version } = MOVED
      const report = { ...REPORT, operation: 'price', state, percent, step, since, version }
      expect([status, JSON.parse(text)]).toEqual([200, report])
      expect(admin.orders).toEqual([{ operation: 'price', action, by: 'Ada', why: 'ğ ü ş', version: 7 }])
    },
  )

  it('needs no version', async () => {
    const admin = await startCutoverAdmin()
    expect((await send(admin)).status).toBe(200)
    expect(admin.orders).toEqual([{ operation: 'invoice-list', action: 'advance', ...ORDER }])
  })

  it.each<[Extract<Ordered, { refused: unknown }>['refused'], number, object]>([
    ['stale', 409, { refused: 'stale', report: REPORT }],
    ['refused', 409, { refused: 'refused', report: REPORT }],
    ['unavailable', 503, { refused: 'unavailable', report: REPORT }],
  ])('that comes back as %s is a %i, in words and with where the plan stands', async (refused, status, more) => {
    const admin = await startCutoverAdmin({ ordered: { refused, message: 'so it is.' } })
    const answer = await send(admin, { ...ORDER, version: 3 })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { message: 'so it is.', ...more }])
    expect(admin.orders).toMatchObject([{ version: 3 }])
  })

  it('about a plan that was taken away meanwhile is a 404', async () => {
    const admin = await startCutoverAdmin({ ordered: { refused: 'unknown', message: 'gone' } })
    expect(messageOf(await send(admin))).toEqual([
      404,
      'This operation has no plan; these have a plan: invoice-list, price.',
    ])
  })
})

describe('nobody is asked to carry out', () => {
  const refused = async (admin: CutoverAdmin, sent: Promise<Reply>) => {
    const before = admin.orders.length
    const answer = await sent
    expect(admin.orders).toHaveLength(before)
    return answer
  }

  it.each([{}, { authorization: 'Bearer another-token-than-that' }])(
    'an order without the token: %j',
    async (given) => {
      expect((await refused(guarded, send(guarded, ORDER, { ...JSON_TYPE, ...given }))).status).toBe(401)
    },
  )

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of the same machine', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('an order that a page of %s sent, with the token or where none is needed', async (_, headers) => {
    const message = [403, 'A page from another origin cannot do this.']
    const withToken = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}`, ...headers }
    expect(messageOf(await refused(open, send(open, ORDER, { ...JSON_TYPE, ...headers })))).toEqual(message)
    expect(messageOf(await refused(guarded, send(guarded, ORDER, withToken)))).toEqual(message)
    const form = { ...FORM_TYPE, ...headers }
    expect(messageOf(await refused(open, send(open, 'by=Ada&why=so', form)))).toEqual(message)
  })

  it.each([{}, { 'content-type': 'text/plain' }, FORM_TYPE, { 'content-type': 'multipart/form-data; boundary=x' }])(
    'an order that is not JSON: %j',
    async (type) => {
      expect((await refused(open, send(open, ORDER, type))).status).toBe(415)
    },
  )

  it('an order under a name that is not of this machine, where no token is needed', async () => {
    const headers = { ...JSON_TYPE, host: 'rebound.example' }
    expect((await refused(open, send(open, ORDER, headers))).status).toBe(421)
  })

  it.each([
    ['{', 'Send a JSON object: { "by": "…", "why": "…", "version": 7 }; version is optional.'],
    ['[]', 'Send a JSON object: { "by": "…", "why": "…", "version": 7 }; version is optional.'],
    [{ by: 'Ada' }, `why ${TEXTS} 1000 characters, without control characters.`],
    [{ by: 'Ada', why: ' ' }, `why ${TEXTS} 1000 characters, without control characters.`],
    [{ ...ORDER, why: 'x'.repeat(1_001) }, `why ${TEXTS} 1000 characters, without control characters.`],
    [{ why: 'so' }, `by ${TEXTS} 200 characters, without control characters.`],
    [{ ...ORDER, by: 'a\nb' }, `by ${TEXTS} 200 characters, without control characters.`],
    [{ ...ORDER, by: 'a\u001b[2J' }, `by ${TEXTS} 200 characters, without control characters.`],
    [{ ...ORDER, why: 'a\u202eb' }, `why ${TEXTS} 1000 characters, without control characters.`],
    [{ ...ORDER, why: 'a\ud800' }, `why ${TEXTS} 1000 characters, without control characters.`],
    [{ ...ORDER, by: ' Auto ' }, 'by must say who you are; auto is reserved for the gateway itself.'],
    [{ ...ORDER, version: '7' }, 'version must be a whole number, as in GET /cutover.'],
    [{ ...ORDER, version: null }, 'version must be a whole number, as in GET /cutover.'],
    [{ ...ORDER, version: 1.5 }, 'version must be a whole number, as in GET /cutover.'],
    [{ ...ORDER, percent: 100 }, 'the only members are by, why, version.'],
  ])('%j', async (body, message) => {
    expect(messageOf(await refused(open, send(open, body)))).toEqual([400, message])
  })

  it('an order that is too large', async () => {
    expect(messageOf(await refused(open, send(open, { ...ORDER, why: 'x'.repeat(20_000) })))).toEqual([
      413,
      'The order is larger than 16384 bytes.',
    ])
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('the method %s', async (method) => {
    const answer = await refused(open, send(open, ORDER, JSON_TYPE, PATH, method))
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each([
    ['/cutover/country-list/stop', 'This operation has no plan; these have a plan: invoice-list, price.'],
    ['/cutover/no-such/stop', 'No such operation; these have a plan: invoice-list, price.'],
    ['/cutover/%2E%2E%2Finvoice-list/stop', 'No such operation; these have a plan: invoice-list, price.'],
    ['/cutover/*/stop', 'No such operation; these have a plan: invoice-list, price.'],
    ['/cutover/invoice-list/undo', 'No such order; expected one of advance, approve, pause, resume, stop.'],
    ['/cutover/invoice-list/stopped', 'No such order; expected one of advance, approve, pause, resume, stop.'],
    ['/cutover/invoice-list', 'No such path.'],
    ['/cutover/invoice-list/stop/', 'No such path.'],
  ])('an order at %s', async (path, message) => {
    expect(messageOf(await refused(open, send(open, ORDER, JSON_TYPE, path)))).toEqual([404, message])
  })

  it('an order where nothing has a plan', async () => {
    const admin = await startCutoverAdmin({ reports: [] })
    const message = 'This operation has no plan; no operation has a plan.'
    expect(messageOf(await refused(admin, send(admin)))).toEqual([404, message])
  })
})
