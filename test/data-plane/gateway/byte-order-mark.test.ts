import { beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { joined } from '../../support/json-text.ts'
import type { LegacyCall } from '../../support/legacy-client.ts'
import { startScripted } from '../../support/scripted-v1.ts'
import { DEMO_LOGIN, startSideBySide } from '../../support/side-by-side.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const MARK = Buffer.from([0xef, 0xbb, 0xbf])
const marked = (body: unknown): Buffer => joined(MARK, typeof body === 'string' ? body : JSON.stringify(body))

let call: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  call = await startScripted()
})

describe('a byte order mark before v1’s JSON', () => {
  const pagination = '"pagination":{"count":1,"page":1,"perPage":25,"lastPage":1}'
  test.each<[string, LegacyCall, unknown, string]>([
    ['a login', { path: '/auth/application', body: '{}' }, v1Record({ token: 't' }), '{"token":"t"}'],
    ['a list', { path: '/api/calculate/price', body: '{}' }, { success: true, items: [{ id: 1 }] }, '[{"id":1}]'],
    [
      'a page',
      { path: '/api/invoice/list', body: '{}' },
      v1Page([{ id: 1 }], { perPage: 25 }),
      `{"data":[{"id":1}],${pagination}}`,
    ],
    ['a whole list', { path: '/api/unit/of/measure/all' }, v1Page([{ id: 1 }]), '[{"id":1}]'],
  ])('is skipped in %s, and not passed on', async (_, legacy, body, text) => {
    const { reply } = await call(legacy, { status: 200, body: marked(body) })
    expect(reply).toMatchObject({ status: 200, text })
  })

  test('is skipped in an acknowledgement', async () => {
    const legacy = { path: '/api/calculate/price/country/validate', body: '{}' }
    const { reply } = await call(legacy, { status: 200, body: marked({ success: true }) })
    expect(reply).toMatchObject({ status: 204, text: '' })
  })

  test('is skipped in an error, whose params keep their digits', async () => {
    const error = '{"success":false,"code":"NO","message":"Olmaz.","params":{"id":1.00}}'
    const { reply } = await call({ path: '/api/invoice/list', body: '{}' }, { status: 400, body: marked(error) })
    expect(reply).toMatchObject({ status: 406, headers: { 'x-gateway-code': 'NO' } })
    expect(reply.text).toBe('{"message":"Olmaz.","params":{"id":1.00}}')
  })

  test.each([
    ['two of them', joined(MARK, MARK, '{"success":true}')],
    ['one and nothing else', MARK],
    ['half of one', joined(MARK.subarray(0, 2), '{"success":true}')],
    ['one after it', joined('{"success":true}', MARK)],
  ])('is not JSON with %s', async (_, body) => {
    const { reply } = await call({ path: '/api/calculate/price/country/validate', body: '{}' }, { status: 200, body })
    expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'malformed' } })
  })
})

describe('a byte order mark before the legacy service’s JSON', () => {
  const COUNTRIES = '/country/all'
  /** A legacy service that answers a login, and one list. */
  const startLegacy = () =>
    startHttpServer(({ target }, response) =>
      response.end(marked(target.startsWith(COUNTRIES) ? [] : { token: 'of-legacy' })),
    )

  test.each(['v1', 'legacy'])('does not prevent one token for both services, when %s serves', async (serve) => {
    const legacy = await startLegacy()
    const sides = await startSideBySide({ operations: { '*': { serve } } }, { legacyUrl: legacy.url })
    const reply = await sides.gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
    expect(reply).toMatchObject({ status: 200, text: expect.stringMatching(/^\{.*"token":"[\w-]+\.\.[\w.-]+"/) })
    await sides.call('/api/transaction/charge/list', {})
    expect(legacy.received.at(-1)?.headers.authorization).toBe('Bearer of-legacy')
  })

  test.each(['v1', 'legacy'])('does not count as a difference, when %s serves', async (serve) => {
    const { url } = await startLegacy()
    const sides = await startSideBySide({ operations: { '*': { serve, shadow: 1 } } }, { legacyUrl: url })
    await sides.gateway.call({ path: `${COUNTRIES}?code=XX` })
    const { operations } = await sides.compared(1)
    expect(operations).toMatchObject([{ operation: 'country-list', totals: { requests: 1, matched: 1 } }])
  })
})
