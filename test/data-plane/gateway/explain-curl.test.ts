import { describe, expect, it } from 'vitest'
import { curlCommand } from '../../../src/guide/explain/curl.ts'
import { explaining } from '../../support/explainer.ts'
import { type Received, startHttpServer } from '../../support/http-server.ts'
import { hasCurl, paste, shells } from '../../support/shells.ts'

/** Runs a command as if pasted, and returns the request that arrives. */
async function pasted(make: (url: string) => string, shell: readonly string[] = ['sh']): Promise<Received> {
  const server = await startHttpServer((_, response) => response.end('{}'))
  const env = { V1_TOKEN: "t$o'k", V1_SECRET_KEY: 'ş$(echo no)`x`', HOME: '/not/shown' }
  await paste(make(server.url), env, shell)
  const [request] = server.received
  if (request === undefined || server.received.length > 1) throw new Error(`${server.received.length} requests arrived`)
  return request
}

const nasty = [
  ...["it's", "''", `'"'"'`, '$HOME', '$(echo no)', '`echo no`', '!!', '#', '@file', '%s %d', '~', '*', '&;|<>'],
  ...['\\\\', '\\\\n', '\\n', '\\u0000', '\\"', "\\\\'", 'İstanbul, Çağlayan, ğüşöı', '日本 🚚', '\u007f', ' '],
]

describe.skipIf(!hasCurl)('the curl command (with curl)', () => {
  it.each(shells)('sends the body byte for byte when it is pasted into %s', async (...shell) => {
    const numbers = '"freight": 100.00, "id" : 12345678901234567890'
    const body = `{\r\n\t"referenceNumbers": ${JSON.stringify(nasty)},\n\n ${numbers}\n}`
    const {
      method,
      target,
      headers,
      body: arrived,
    } = await pasted((v1) => {
      const { requests } = explaining({ v1: `${v1}/pre'fix` })({
        path: '/api/consignment/package/advance',
        headers: { 'accept-language': 'en-GB, tr' },
        body,
      })
      return requests[0]?.curl ?? ''
    }, shell)
    expect({ method, target, arrived }).toEqual({
      method: 'POST',
      target: "/pre'fix/api/v1/shipment/shipments/packages",
      arrived: body,
    })
    expect(headers).toMatchObject({
      authorization: "Bearer t$o'k",
      'accept-language': 'en',
      'content-type': 'application/json',
    })
  })

  it.each(shells)('keeps everything that JSON may hold when it is pasted into %s', async (...shell) => {
    const body = JSON.stringify(nasty)
    const arrived = await pasted(
      (v1) =>
        curlCommand({
          method: 'POST',
          url: v1,
          headers: {},
          body: [{ text: body }, { text: '\n\n' }],
          token: 'V1_TOKEN',
        }),
      shell,
    )
    expect(arrived.body).toBe(`${body}\n\n`)
  })

  it.each(shells)('keeps everything that a header may hold when it is pasted into %s', async (...shell) => {
    const value = `en, "$HOME" 'x' \`y\` \\`
    const { headers } = await pasted(
      (v1) =>
        curlCommand({
          method: 'GET',
          url: v1,
          headers: { 'Accept-Language': value },
          body: undefined,
          token: 'V1_TOKEN',
        }),
      shell,
    )
    expect(headers['accept-language']).toBe(value)
  })

  it('sends the same query as the gateway', async () => {
    const search = `it's $HOME \`x\` "q" [1-3]{a,b} & = + % ğ`
    const { method, target, body } = await pasted((v1) => {
      const explained = explaining({ v1 })({ path: '/api/invoice/list', body: JSON.stringify({ search }) })
      return explained.requests[0]?.curl ?? ''
    })
    expect({ method, body }).toEqual({ method: 'GET', body: '' })
    expect(new URL(target, 'http://v1.test').searchParams.get('search')).toBe(search)
  })

  it('reads secrets from shell variables', async () => {
    const body = '{"clientId":"demo","secretKey":"very secret", "n":1.0}'
    const arrived = await pasted((v1) => {
      const curl = explaining({ v1 })({ path: '/auth/application', body }).requests[0]?.curl ?? ''
      expect(curl).not.toContain('very secret')
      return curl
    })
    expect(arrived.body).toBe('{"clientId":"demo","secretKey":"ş$(echo no)`x`", "n":1.0}')
    expect(arrived.headers.authorization).toBeUndefined()
  })

  it('sends a body that is longer than an argument may be', async () => {
    const body = `{"description":"${"İ's 5%d \\\\".repeat(30_000)}"}`
    const arrived = await pasted((v1) => {
      const path = '/api/consignment/package/advance'
      return explaining({ v1 })({ path, body }).requests[0]?.curl ?? ''
    })
    expect(arrived.body === body).toBe(true)
  })
})
