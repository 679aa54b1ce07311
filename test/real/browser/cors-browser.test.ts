import { beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page } from '../../support/v1-bodies.ts'

const startPages = () =>
  startHttpServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'),
  )

describe.skipIf(!hasChromium)('a page in a browser (with chromium)', { timeout: 60_000 }, () => {
  let gateway: StartedGateway
  let listed: string
  let other: string
  let browser: OpenedBrowser
  beforeAll(async () => {
    const v1 = await startHttpServer(({ headers }, response) => {
      if (headers.authorization === 'Bearer good') response.end(JSON.stringify(v1Page([{ id: 1 }])))
      else response.writeHead(401).end(JSON.stringify(v1Error(401, 'TOKEN_INVALID').body))
    })
    listed = (await startPages()).url
    other = (await startPages()).url
    gateway = await startGateway(v1.url, { settings: { corsOrigins: [listed] } })
    browser = await openSharedBrowser()
  }, 60_000)

  /** What a page of an origin can read of a call's answer, or the error it gets instead. */
  async function callFrom(origin: string, path: string, token: string) {
    const { page } = await browser.open()
    await page.goto(origin)
    const body = path === '/api/invoice/list' ? '{"perPage":200}' : undefined
    const call = {
      url: gateway.url + path,
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'of-a-page' },
      body,
    }
    return page.evaluate(async ({ url, headers, body: sent }) => {
      const method = sent === undefined ? 'GET' : 'POST'
      const json = sent === undefined ? undefined : { 'content-type': 'application/json' }
      try {
        const answer = await fetch(url, { method, headers: { ...headers, ...json }, ...(sent && { body: sent }) })
        const read = ['x-request-id', 'x-gateway-code', 'etag'].map((name) => answer.headers.get(name))
        return { status: answer.status, text: await answer.text(), read }
      } catch (error) {
        return { failed: (error as Error).name }
      }
    }, call)
  }

  test('of a listed origin calls with its token, and reads the answer and its headers', async () => {
    expect(await callFrom(listed, '/api/invoice/list', 'good')).toMatchObject({
      ...{ status: 200, text: expect.stringContaining('"data":[{"id":1}]') },
      read: ['of-a-page', null, null],
    })
    expect(await callFrom(listed, '/api/currency', 'good')).toMatchObject({
      ...{ status: 200, text: '[{"id":1}]' },
      read: ['of-a-page', null, expect.stringMatching(/^"/)],
    })
  })

  test('reads an error too', async () => {
    expect(await callFrom(listed, '/api/invoice/list', 'bad')).toMatchObject({
      ...{ status: 401, text: '{"message":"Token invalid."}' },
      read: ['of-a-page', 'TOKEN_INVALID', null],
    })
  })

  test('of another origin cannot read the answer', async () => {
    expect(await callFrom(other, '/api/invoice/list', 'good')).toEqual({ failed: 'TypeError' })
    expect(await callFrom(other, '/api/currency', 'good')).toEqual({ failed: 'TypeError' })
  })
})
