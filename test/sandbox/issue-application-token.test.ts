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
  test('give a token in the success envelope, its message Turkish in every language', async () => {
    for (const body of [demo, other]) {
      const reply = await ask<TokenBody>(sandbox, path, { body, language: 'en' })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data'])
      expect(reply.body).toEqual({
        success: true,
        message: 'Erişim anahtarı oluşturuldu.',
        data: { token: expect.stringMatching(/^[\w-]{43}$/) },
      })
    }
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

test('wrong credentials are refused with 401 and a Turkish message', async () => {
  for (const wrong of [
    { secretKey: 'wrong' },
    { clientId: 'nobody' },
    { secretKey: other.secretKey },
    { clientId: 'DEMO-CLIENT' },
    { secretKey: "' OR '1'='1" },
  ]) {
    const reply = await ask<ErrorBody>(sandbox, path, { body: { ...demo, ...wrong }, language: 'en' })
    expect(reply.status).toBe(401)
    expect(reply.body).toEqual({
      success: false,
      code: 'CLIENT_ID_OR_SECRET_INVALID',
      message: 'İstemci kimliği veya gizli anahtar geçersiz.',
    })
  }
})

test('an invalid body is 422 with every violation in the requested language', async () => {
  const both = (message: typeof required) => ['clientId', 'secretKey'].map((path) => ({ path, message }))
  for (const [body, errors] of [
    [{}, both(required)],
    [{ clientId: null, secretKey: null }, both(required)],
    [{ clientId: '', secretKey: '' }, both(empty)],
    [{ clientId: 1, secretKey: ['demo-secret'] }, both(text)],
    [`{"__proto__":${JSON.stringify(demo)}}`, both(required)],
    ['', [{ path: '', message: jsonObject }]],
    ['clientId=demo-client&secretKey=demo-secret', [{ path: '', message: jsonObject }]],
  ] as const) {
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
  }
})

test('Accept-Language chooses English if it starts with en, else Turkish', async () => {
  const messageOf = async (language: string) =>
    (await ask<ErrorBody>(sandbox, path, { body: {}, language })).body.message
  for (const language of ['en', 'en-US,en;q=0.9', 'english']) expect(await messageOf(language)).toBe(failed.en)
  for (const language of ['tr', 'tr-TR,en', 'de', '*']) expect(await messageOf(language)).toBe(failed.tr)
})
