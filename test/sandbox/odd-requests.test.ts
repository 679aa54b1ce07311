import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
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

test('a body that is not UTF-8 is refused as a whole, and nothing is stored', async () => {
  const named = (hex: string) =>
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from(hex, 'hex'), Buffer.from('","carrierShipmentId":"GCCN"}')])
  const utf16 = Buffer.from('{"name":"x","carrierShipmentId":"GCCN"}', 'utf16le')
  const before = countRows(sandbox)
  for (const bytes of [named('fffe'), named('c5'), named('eda080'), named('c080'), utf16]) {
    for (const language of ['tr', 'en'] as const) {
      const reply = await send(bytes, language)
      expect(reply.status).toBe(422)
      expect(await reply.json()).toEqual(validationFailed(language, { '': jsonObject[language] }))
    }
  }
  expect(countRows(sandbox)).toEqual(before)
})

test('half a surrogate pair, which could not be stored unchanged, is refused', async () => {
  const before = countRows(sandbox)
  for (const [path, field, body] of [
    [imports, 'name', { name: '\ud800', carrierShipmentId: 'GCCN' }],
    [documents, 'referenceNumbers[1]', documentBody({ referenceNumbers: ['PO', 'x\udc00'] })],
    [packages, 'recipientAddress.city', packageBody({ recipientAddress: { ...recipientAddress(), city: '\udfff' } })],
  ] as const) {
    for (const language of ['tr', 'en'] as const) {
      const reply = await post(sandbox, path, body, { language })
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual(validationFailed(language, { [field]: invalid[language] }))
    }
  }
  expect(countRows(sandbox)).toEqual(before)
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
