import { describe, expect, it } from 'vitest'
import type { ExplainedCall } from '../../../src/guide/explain/explain-call.ts'
import { explaining } from '../../support/explainer.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { startGateway } from '../../support/start-gateway.ts'

const v1 = await startHttpServer((_, response) => response.end('{}'))
const admin = await (await startGateway(v1.url)).openAdmin()

/** Asks for an explanation. A string is sent as it stands. */
async function order(sent: unknown, headers: Record<string, string> = {}, url = admin) {
  const body = typeof sent === 'string' || sent instanceof Uint8Array ? sent : JSON.stringify(sent)
  const reply = await callLegacy(url, { method: 'POST', path: '/explain', headers, body })
  return { status: reply.status, type: reply.headers['content-type'], json: JSON.parse(reply.text) as unknown }
}

/** The body of the v1 request that is explained. */
const v1Body = async (sent: unknown) => ((await order(sent)).json as ExplainedCall).requests[0]?.body

const mistakes = async (sent: unknown) => {
  const { status, json } = await order(sent)
  return { status, paths: (json as { errors: { path: string; message: string }[] }).errors.map(({ path }) => path) }
}

describe('POST /explain of the admin port', () => {
  it('answers with an explanation, and sends nothing to v1', async () => {
    const call = { method: 'POST', path: '/api/invoice/list?x=1', headers: { 'Accept-Language': 'en' } }
    const { status, type, json } = await order({ ...call, body: { isPayment: true } })
    expect({ status, type }).toEqual({ status: 200, type: 'application/json' })
    expect(json).toEqual(
      JSON.parse(JSON.stringify(explaining({ v1: v1.url })({ ...call, body: '{"isPayment":true}' }))),
    )
    expect((json as ExplainedCall).requests[0]?.url).toBe(
      `${v1.url}/api/v1/finance/invoices?isPaid=true&page=1&perPage=25`,
    )
    expect(v1.received).toEqual([])
  })

  it('gives a form of the dashboard the same explanation, however large it is', async () => {
    const pageOf = async (comment: string) => {
      const call = { method: 'POST', path: '/api/calculate/price', body: `{"comment":"${comment}"}` }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams(call).toString()
      const { status, text } = await callLegacy(admin, { method: 'POST', path: '/explain', headers, body })
      // A large body has a different command, and the footer says when the page was made.
      const [before, curl = ''] = text.replace(/<footer>.*<\/footer>/s, '').split('<h4>As curl</h4>')
      const after = curl.slice(curl.indexOf('</section>'))
      return { status, page: `${before}${after}`.replaceAll(comment.replaceAll('"', '&quot;'), '(comment)') }
    }
    const small = await pageOf('ı\\"b')
    expect(small).toMatchObject({ status: 200, page: expect.stringContaining('&quot;comment&quot;:&quot;(comment)') })
    expect(await pageOf('ı\\"b'.repeat(100_000))).toEqual(small)
  })

  it('keeps the digits of a body that is given as JSON', async () => {
    const written = '{ "id" : 12345678901234567890, "referenceNumbers": ["\\u0041", 1.50, 1e2] }'
    expect(
      await v1Body(`{"body":1, "method":"POST","path":"/api/consignment/document","\\u0062ody": ${written} }`),
    ).toBe(written)
  })

  it('reads a body that is given as text as the call’s exact body', async () => {
    const call = { method: 'POST', path: '/api/consignment/document' }
    const body = '{"comment":1,\n"id":1.00 }'
    expect(await v1Body({ ...call, body })).toBe('{"id":1.00 }')
    expect((await order({ ...call, body: 'no JSON' })).json).toMatchObject({ refusal: { status: 400 } })
  })

  it('answers 200 even for a call that would be refused', async () => {
    const { status, json } = await order({ method: 'GET', path: '/nowhere' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ operation: null, requests: [], refusal: { status: 404 } })
  })

  it('says that an unknown path is passed on where there is a legacy service', async () => {
    const gateway = await startGateway(v1.url, { legacyUrl: v1.url })
    const { json } = await order({ method: 'GET', path: '/nowhere' }, {}, await gateway.openAdmin())
    expect(json).toMatchObject({ operation: null, requests: [] })
    expect(json).toHaveProperty('then', expect.stringContaining('passed on'))
    expect(json).not.toHaveProperty('refusal')
  })

  it('reads a JSON null as the body null, and a missing member as no body', async () => {
    const call = { method: 'POST', path: '/api/consignment/document' }
    const why = async (sent: unknown) => ((await order(sent)).json as ExplainedCall).refusal?.why
    expect(await why({ ...call, body: null })).toEqual(['The request body must be a JSON object.'])
    expect(await why(call)).toEqual([expect.stringContaining('there is no body')])
  })

  it('names every mistake in a request that cannot be read', async () => {
    expect(await mistakes('{')).toEqual({ status: 400, paths: [''] })
    expect(await mistakes('')).toEqual({ status: 400, paths: [''] })
    const latin1 = Buffer.from('{"method":"GET","path":"/country/all?code=\u00fc"}', 'latin1')
    expect(await mistakes(latin1)).toEqual({ status: 400, paths: [''] })
    expect(await mistakes([])).toEqual({ status: 400, paths: [''] })
    expect(await mistakes({})).toEqual({ status: 400, paths: ['method', 'path'] })
    const wrong = { method: 'P OST', path: 'api', headers: { a: 1, b: 'x\ny', c: 'fine' }, bodies: {} }
    const { status, paths } = await mistakes(wrong)
    expect({ status, paths: [...paths].sort() }).toEqual({
      status: 400,
      paths: ['bodies', 'headers.a', 'headers.b', 'method', 'path'],
    })
    expect((await order({ method: 'GET', path: '/', headers: [] })).json).toEqual({
      message: 'The request is not valid.',
      errors: [{ path: 'headers', message: 'must be an object of strings' }],
    })
  })

  it('refuses a request of more than 1 MiB, announced or not', async () => {
    const large = JSON.stringify({ method: 'POST', path: '/api/invoice/list', body: 'x'.repeat(1_048_576) })
    expect((await order(large)).status).toBe(413)
    const chunked = await fetch(`${admin}/explain`, {
      method: 'POST',
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
    expect(await chunked.json()).toEqual({ message: 'The request is larger than 1048576 bytes.' })
  })

  it('needs the admin token, as every other path does', async () => {
    const guarded = await startGateway(v1.url, { settings: { adminToken: 'a-token-of-the-admin' } })
    const url = await guarded.openAdmin()
    const call = { method: 'GET', path: '/country/all' }
    expect((await order(call, {}, url)).status).toBe(401)
    expect((await order(call, { authorization: 'Bearer a-token-of-the-admin' }, url)).status).toBe(200)
  })
})
