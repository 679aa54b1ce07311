import { beforeAll, expect, test } from 'vitest'
import { KEPT_STATUSES } from '../../../src/engine/read-v1-error.ts'
import { startScripted } from '../../support/scripted-v1.ts'

let call: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  call = await startScripted()
})

const list = { path: '/api/invoice/list', body: '{}' }
const inEnglish = { ...list, headers: { 'accept-language': 'en' } }
const turkish = Buffer.from('{"success":false,"message":"Olmaz.","params":{"most":2.0}}')
const html = Buffer.from('<html><h1>Not here</h1></html>')

test.each(KEPT_STATUSES)('a %i of v1 keeps its status and its message', async (status) => {
  const { reply } = await call(list, { status, body: turkish })
  expect(reply).toMatchObject({ status, text: '{"message":"Olmaz.","params":{"most":2.0}}' })
  expect(reply.headers['x-gateway-error']).toBeUndefined()
})

test.each(KEPT_STATUSES)('a %i of v1 without a text gets one from the gateway, in both languages', async (status) => {
  const texts = [
    (await call(list, { status, body: html })).reply.text,
    (await call(inEnglish, { status, body: html })).reply.text,
    (await call(inEnglish, { status, body: turkish })).reply.text.replace(',"params":{"most":2.0}', ''),
  ]
  expect(texts[1]).toMatch(/^\{"message":"[A-Z][\w ]+\."\}$/)
  expect(texts[1]).not.toContain('The request is not valid.')
  expect(texts[2]).toBe(texts[1])
  expect(texts[0]).not.toBe(texts[1])
})

test.each([
  ...[402, 407, 408, 411, 412, 414, 417, 418, 421, 423, 424, 425, 426, 428, 431, 499],
  ...[300, 301, 302, 303, 305, 307, 308],
])('a %i of v1 is malformed', async (status) => {
  const { reply } = await call(list, { status, body: turkish })
  expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'malformed' } })
})
