import { beforeAll, expect, test } from 'vitest'
import { type ScriptedCall, startScripted } from '../../support/scripted-v1.ts'
import type { V1Answer } from '../../support/v1-stand-in.ts'

let call: ScriptedCall
beforeAll(async () => {
  call = await startScripted()
})

/** v1 finds this many mistakes, each with a message of so many letters. */
function refusal(count: number, letters = 60): V1Answer {
  const message = 'Geçersiz değer. '.padEnd(letters, 'ş')
  const errors = Array.from({ length: count }, (_, row) => ({ path: `products.${row}.unitOfMeasureCode`, message }))
  const body = { success: false, code: 'VALIDATION_FAILED', message: 'İstek geçersiz.', errors }
  return { status: 422, body }
}

const advance = { path: '/api/consignment/package/advance', body: '{}', headers: { authorization: 'Bearer t' } }

interface Refused {
  readonly message: string
  readonly violations: readonly { readonly propertyPath: string; readonly message: string }[]
}

test.each([
  [1, 60],
  [3_000, 60],
  [10_000, 100],
  [1, 300_000],
])('%d violations with messages of %d letters arrive whole, at their legacy paths', async (count, letters) => {
  const { reply } = await call(advance, refusal(count, letters))
  const { status, headers, text } = reply
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
  const { reply } = await call(advance, refusal(12_345))
  const { status, headers, text } = reply
  expect(status).toBe(400)
  expect((JSON.parse(text) as Refused).violations).toHaveLength(10_000)
  expect(headers['x-gateway-violations-left-out']).toBe('2345')
})

test('a business rule with large params keeps its code, its status and every digit of the params', async () => {
  const options = Array.from(
    { length: 20_000 },
    (_, id) => `{"id":${id},"rate":1.00,"big":12345678901234567890}`,
  ).join()
  const code = 'SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED'
  const body = `{"success":false,"code":"${code}","message":"Eksik.","params":{"options":[${options}]}}`
  const { reply } = await call(advance, { status: 400, body })
  const { status, headers, text } = reply
  expect(status).toBe(406)
  expect(headers['x-gateway-code']).toBe(code)
  expect(text).toBe(`{"message":"Eksik.","params":{"options":[${options}]}}`)
})

test('params of more than 2 MiB are left out, and a header says how large they are', async () => {
  const params = JSON.stringify({ options: 'x'.repeat(3_000_000) })
  const body = `{"success":false,"code":"CARRIER_IS_NOT_FOUND","message":"Yok.","params":${params}}`
  const { reply } = await call(advance, { status: 400, body })
  const { status, headers, text } = reply
  expect([status, text]).toEqual([406, '{"message":"Yok."}'])
  expect(headers).toMatchObject({
    'x-gateway-code': 'CARRIER_IS_NOT_FOUND',
    'x-gateway-params-left-out': String(params.length),
  })
})

test('a list answers thousands of violations too', async () => {
  const { reply } = await call({ path: '/country/all' }, refusal(5_000))
  expect(reply.status).toBe(400)
  expect((JSON.parse(reply.text) as Refused).violations).toHaveLength(5_000)
})
