import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import { ask } from './sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages, recipientAddress } from './shipment-requests.ts'

let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const jsonObject = { tr: 'İstek gövdesi bir JSON nesnesi olmalıdır.', en: 'The request body must be a JSON object.' }
const invalid = { tr: 'Geçersiz değer.', en: 'Invalid value.' }

/** Sends bytes as the demo organization. */
const send = (bytes: Buffer, language: string) =>
  fetch(sandbox.v1Url + imports, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.tokens.demo}`, 'Accept-Language': language },
    body: new Uint8Array(bytes),
  })

describe('a body that is not UTF-8 is refused as a whole, and nothing is stored', () => {
  const named = (hex: string) =>
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from(hex, 'hex'), Buffer.from('","carrierShipmentId":"GCCN"}')])

  test.each([
    ['invalid bytes', named('fffe')],
    ['half a letter', named('c5')],
    ['half a surrogate pair', named('eda080')],
    ['an overlong encoding of a letter', named('c080')],
    ['UTF-16', Buffer.from('{"name":"x","carrierShipmentId":"GCCN"}', 'utf16le')],
  ])('%s', async (_, bytes) => {
    const before = countRows(sandbox)
    for (const language of ['tr', 'en'] as const) {
      const reply = await send(bytes, language)
      expect(reply.status).toBe(422)
      expect(await reply.json()).toEqual(validationFailed(language, { '': jsonObject[language] }))
    }
    expect(countRows(sandbox)).toEqual(before)
  })
})

describe('half a surrogate pair, which could not be stored unchanged, is refused', () => {
  test.each([
    [imports, 'name', { name: '\ud800', carrierShipmentId: 'GCCN' }],
    [documents, 'referenceNumbers[1]', documentBody({ referenceNumbers: ['PO', 'x\udc00'] })],
    [packages, 'comment', packageBody({ comment: '\ud83d!' })],
    [packages, 'recipientAddress.city', packageBody({ recipientAddress: { ...recipientAddress(), city: '\udfff' } })],
  ])('%s: 422 at %s', async (path, field, body) => {
    const before = countRows(sandbox)
    for (const language of ['tr', 'en'] as const) {
      const reply = await post(sandbox, path, body, { language })
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual(validationFailed(language, { [field]: invalid[language] }))
    }
    expect(countRows(sandbox)).toEqual(before)
  })
})

test('the last of duplicate members counts', async () => {
  const body = '{"name":1,"name":"Twice","carrierShipmentId":"first","carrierShipmentId":"last"}'
  const reply = await post<{ data: object }>(sandbox, imports, body)
  expect(reply.body.data).toMatchObject({ name: 'Twice', carrierShipmentId: 'last' })
})

test('line breaks stay in a value, and do not start a header', async () => {
  const name = 'a\r\nSet-Cookie: x=1\r\n\r\n'
  const reply = await post<{ data: object }>(sandbox, imports, { name, carrierShipmentId: 'GCCN' })
  expect(reply.headers.get('Set-Cookie')).toBeNull()
  expect(reply.body.data).toMatchObject({ name })
})

test('a query of 100,000 parameters is answered without delay', async () => {
  const query = Array.from({ length: 100_000 }, (_, nth) => `p${nth}`).join('&')
  const startedAt = performance.now()
  expect((await ask(sandbox, `/api/v1/public/shared/countries?${query}`)).status).toBe(200)
  expect((await ask(sandbox, `/api/v1/public/shared/countries?${'id=1&'.repeat(100_000)}`)).status).toBe(422)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
