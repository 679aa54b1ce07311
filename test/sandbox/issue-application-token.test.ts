import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { ask, demo, type ErrorBody, logIn, other, startInMemory, type TokenBody } from './sandbox-client.ts'

const path = '/api/v1/auth/application'
const invoices = '/api/v1/finance/invoices'
const dayMs = 24 * 60 * 60 * 1000

let sandbox: Sandbox
let nowMs = Date.UTC(2025, 0, 1)
beforeAll(async () => {
  sandbox = await startInMemory(() => nowMs)
})
afterAll(() => sandbox.close())

const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
const empty = { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' }
const text = { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' }
const jsonObject = {
  tr: 'İstek gövdesi bir JSON nesnesi olmalıdır.',
  en: 'The request body must be a JSON object.',
}
const failed = { tr: 'Doğrulama başarısız oldu.', en: 'Validation failed.' }

describe('the right credentials', () => {
  test.each([demo, other])('give $clientId a token in the success envelope', async (credentials) => {
    const reply = await ask<TokenBody>(sandbox, path, { body: credentials })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(reply.body).toEqual({
      success: true,
      message: 'Erişim anahtarı oluşturuldu.',
      data: { token: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data'])
  })

  test('give a Turkish message even in English', async () => {
    const { body } = await ask<TokenBody>(sandbox, path, { body: demo, language: 'en' })
    expect(body.message).toBe('Erişim anahtarı oluşturuldu.')
  })

  test('work with any content type and with unknown members', async () => {
    const body = JSON.stringify({ ...demo, organizationId: 2, __proto__: null })
    const reply = await ask<TokenBody>(sandbox, path, { body, headers: { 'Content-Type': 'text/plain' } })
    expect(reply.status).toBe(200)
  })

  test('give a new token each time, and the earlier one stays valid', async () => {
    const [first, second] = [await logIn(sandbox, demo), await logIn(sandbox, demo)]
    expect(first).not.toBe(second)
    for (const token of [first, second]) expect((await ask(sandbox, invoices, { token })).status).toBe(200)
  })

  test('give a token that is valid for a day', async () => {
    const token = await logIn(sandbox, demo)
    nowMs += dayMs - 1
    expect((await ask(sandbox, invoices, { token })).status).toBe(200)
    nowMs += 1
    expect((await ask(sandbox, invoices, { token })).status).toBe(401)
  })
})

describe('wrong credentials', () => {
  test.each([
    ['another secret', { ...demo, secretKey: 'wrong' }],
    ['an unknown client', { ...demo, clientId: 'nobody' }],
    ["another client's secret", { ...demo, secretKey: other.secretKey }],
    ['another case', { ...demo, clientId: 'DEMO-CLIENT' }],
    ['blanks around', { ...demo, secretKey: ' demo-secret ' }],
    ['what SQL could take for a condition', { ...demo, secretKey: "' OR '1'='1" }],
    ['1 MB of text', { ...demo, secretKey: 'x'.repeat(1024 * 1024) }],
    ['half a surrogate pair', { ...demo, secretKey: '\ud800' }],
  ])('are refused with 401 and a Turkish message: %s', async (_, body) => {
    for (const language of ['tr', 'en']) {
      const reply = await ask<ErrorBody>(sandbox, path, { body, language })
      expect(reply.status).toBe(401)
      expect(reply.body).toEqual({
        success: false,
        code: 'CLIENT_ID_OR_SECRET_INVALID',
        message: 'İstemci kimliği veya gizli anahtar geçersiz.',
      })
    }
  })
})

describe('an invalid body', () => {
  const missing = (message: typeof required, ...paths: string[]) => paths.map((path) => ({ path, message }))
  test.each([
    ['no members', {}, missing(required, 'clientId', 'secretKey')],
    ['no secret', { clientId: 'demo-client' }, missing(required, 'secretKey')],
    ['no client', { secretKey: 'demo-secret' }, missing(required, 'clientId')],
    ['null', { clientId: null, secretKey: null }, missing(required, 'clientId', 'secretKey')],
    ['empty text', { clientId: '', secretKey: '' }, missing(empty, 'clientId', 'secretKey')],
    ['numbers', { clientId: 1, secretKey: 0 }, missing(text, 'clientId', 'secretKey')],
    ['bools', { clientId: true, secretKey: false }, missing(text, 'clientId', 'secretKey')],
    ['lists', { clientId: ['demo-client'], secretKey: [] }, missing(text, 'clientId', 'secretKey')],
    ['objects', { clientId: {}, secretKey: {} }, missing(text, 'clientId', 'secretKey')],
    ['members of __proto__ only', `{"__proto__":${JSON.stringify(demo)}}`, missing(required, 'clientId', 'secretKey')],
    ['another case of the names', { ClientId: 'x', SECRETKEY: 'x' }, missing(required, 'clientId', 'secretKey')],
    ['no body', '', missing(jsonObject, '')],
    ['no JSON', '{"clientId": "demo-client",', missing(jsonObject, '')],
    ['a form', 'clientId=demo-client&secretKey=demo-secret', missing(jsonObject, '')],
    ['a list', [demo], missing(jsonObject, '')],
    ['a null', 'null', missing(jsonObject, '')],
    ['a string', '"demo-client"', missing(jsonObject, '')],
    ['a number', '1', missing(jsonObject, '')],
    ['a million brackets', '['.repeat(1e6), missing(jsonObject, '')],
  ])('is 422 with every violation in the requested language: %s', async (_, body, errors) => {
    for (const language of ['tr', 'en'] as const) {
      const reply = await ask<ErrorBody>(sandbox, path, { method: 'POST', body, language })
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual({
        success: false,
        code: 'VALIDATION_FAILED',
        message: failed[language],
        errors: errors.map(({ path, message }) => ({ path, message: message[language] })),
      })
    }
  })

  test('is 422 when the request has no body', async () => {
    const reply = await ask<ErrorBody>(sandbox, path, { method: 'POST' })
    expect([reply.status, reply.body.code]).toEqual([422, 'VALIDATION_FAILED'])
  })
})

test.each([
  ['en', failed.en],
  ['en-US,en;q=0.9', failed.en],
  ['english', failed.en],
  ['tr', failed.tr],
  ['tr-TR,en', failed.tr],
  ['de', failed.tr],
  ['*', failed.tr],
])('Accept-Language %s chooses the language by how it starts', async (language, message) => {
  const { body } = await ask<ErrorBody>(sandbox, path, { body: {}, language })
  expect(body.message).toBe(message)
})
