import { expect, test } from 'vitest'
import { startGateway } from '../support/start-gateway.ts'
import { standInForV1 } from '../support/v1-stand-in.ts'

/** A v1 that finds this many mistakes, each with a message of so many letters. */
function refusing(count: number, letters = 60, more: object = {}) {
  const message = 'Geçersiz değer. '.padEnd(letters, 'ş')
  const errors = Array.from({ length: count }, (_, row) => ({ path: `products.${row}.unitOfMeasureCode`, message }))
  const body = { success: false, code: 'VALIDATION_FAILED', message: 'İstek geçersiz.', errors, ...more }
  return standInForV1(() => ({ status: 422, body }))
}

const call = { path: '/api/consignment/package/advance', body: '{}', headers: { authorization: 'Bearer t' } }

interface Refused {
  readonly message: string
  readonly violations: readonly { readonly propertyPath: string; readonly message: string }[]
}

test.each([
  [1, 60],
  [3_000, 60],
  [6_000, 60],
  [10_000, 500],
  [1, 300_000],
])('%d violations with messages of %d letters arrive whole, at their legacy paths', async (count, letters) => {
  const gateway = await startGateway(refusing(count, letters).url)
  const { status, headers, text } = await gateway.call(call)
  const { message, violations } = JSON.parse(text) as Refused
  expect(status).toBe(400)
  expect(message).toBe('İstek geçersiz.')
  expect(violations).toHaveLength(count)
  expect(violations.at(-1)?.propertyPath).toBe(`products[${count - 1}].unitOfMeasure.code`)
  expect(violations.every((violation) => violation.message.startsWith('Geçersiz'))).toBe(true)
  expect(headers).toMatchObject({ 'x-gateway-code': 'VALIDATION_FAILED' })
  expect(headers).not.toHaveProperty('x-gateway-violations-left-out')
})

test('of more than 10,000 violations the first 10,000 arrive, and a header says how many do not', async () => {
  const gateway = await startGateway(refusing(23_456).url)
  const { status, headers, text } = await gateway.call(call)
  expect(status).toBe(400)
  expect((JSON.parse(text) as Refused).violations).toHaveLength(10_000)
  expect(headers['x-gateway-violations-left-out']).toBe('13456')
})

test('a business rule with large params keeps its code, its status and every digit of the params', async () => {
  const options = Array.from(
    { length: 20_000 },
    (_, id) => `{"id":${id},"rate":1.00,"big":12345678901234567890}`,
  ).join()
  const code = 'SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED'
  const body = `{"success":false,"code":"${code}","message":"Eksik.","params":{"options":[${options}]}}`
  const v1 = standInForV1(() => ({ status: 400, body }))
  const gateway = await startGateway(v1.url)
  const { status, headers, text } = await gateway.call(call)
  expect(status).toBe(406)
  expect(headers['x-gateway-code']).toBe(code)
  expect(text).toBe(`{"message":"Eksik.","params":{"options":[${options}]}}`)
})

test('params of more than 2 MiB are left out, and a header says how large they are', async () => {
  const params = JSON.stringify({ options: 'x'.repeat(3_000_000) })
  const body = `{"success":false,"code":"CARRIER_IS_NOT_FOUND","message":"Yok.","params":${params}}`
  const gateway = await startGateway(standInForV1(() => ({ status: 400, body })).url)
  const { status, headers, text } = await gateway.call(call)
  expect([status, text]).toEqual([406, '{"message":"Yok."}'])
  expect(headers).toMatchObject({
    'x-gateway-code': 'CARRIER_IS_NOT_FOUND',
    'x-gateway-params-left-out': String(params.length),
  })
})

test('a list answers thousands of violations too', async () => {
  const gateway = await startGateway(refusing(5_000).url)
  const { status, text } = await gateway.call({ path: '/country/all' })
  expect(status).toBe(400)
  expect((JSON.parse(text) as Refused).violations).toHaveLength(5_000)
})
