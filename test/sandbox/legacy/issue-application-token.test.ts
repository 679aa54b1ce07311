import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, demo, other } from '../sandbox-client.ts'
import { askLegacy, type LegacyError, languages, logInToLegacy, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

const path = '/auth/application'
const dayMs = 24 * 60 * 60 * 1000
let nowMs = Date.UTC(2025, 0, 1)
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces(() => nowMs)
})
afterAll(() => faces.close())

test('the right credentials give a token at the root: 200', async () => {
  for (const body of [demo, other]) {
    const reply = await askLegacy(faces, path, { body })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(reply.body).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) })
  }
})

test('a token is valid for a day, and for its organization', async () => {
  const [token, others] = [await logInToLegacy(faces, demo), await logInToLegacy(faces, other)]
  const countOf = async (mine: string) => {
    const { status, body } = await faces.ask<{ pagination?: { count: number } }>('/api/invoice/list', {
      body: {},
      token: mine,
    })
    return status === 200 ? body.pagination?.count : status
  }
  nowMs += dayMs - 1
  const [own, theirs] = [await countOf(token), await countOf(others)]
  expect(own).toBeGreaterThan(0)
  expect(theirs).toBeGreaterThan(0)
  expect(own).not.toBe(theirs)
  nowMs += 1
  expect(await countOf(token)).toBe(401)
})

test('wrong credentials are 401 with a message in either language', async () => {
  const message = { tr: 'İstemci kimliği veya gizli anahtar geçersiz.', en: 'Client id or secret is invalid.' }
  for (const wrong of [{ secretKey: 'wrong' }, { clientId: 'nobody' }, { secretKey: other.secretKey }]) {
    for (const language of languages) {
      const reply = await askLegacy<LegacyError>(faces, path, { body: { ...demo, ...wrong }, language })
      expect(reply.status).toBe(401)
      expect(reply.body).toEqual({ message: message[language] })
    }
  }
})

const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
const empty = { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' }
const text = { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' }

test('a missing field is 400 at its path, in the requested language', async () => {
  for (const [body, fields] of [
    [{}, { clientId: required, secretKey: required }],
    [{ clientId: null, secretKey: 'x' }, { clientId: required }],
    [{ clientId: '', secretKey: 'x' }, { clientId: empty }],
    [
      { clientId: 1, secretKey: 0 },
      { clientId: text, secretKey: text },
    ],
  ] as const) {
    for (const language of languages) {
      const reply = await askLegacy<LegacyError>(faces, path, { body, language })
      expect(reply.status).toBe(400)
      const messages = Object.entries<typeof text>(fields).map(([field, message]) => [field, message[language]])
      expect(reply.body).toEqual(violates(language, Object.fromEntries(messages)))
    }
  }
})

describe('tokens', () => {
  const unauthorized = {
    tr: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
    en: 'Authorization failed: a valid access token is required.',
  }

  test('of v1 are refused by legacy, and those of legacy by v1', async () => {
    const [legacy, v1] = [await logInToLegacy(faces, demo), faces.v1Tokens.demo]
    expect(legacy).not.toBe(v1)
    const invoices = '/api/v1/finance/invoices'
    const tokens = {
      legacy,
      v1: (await ask<{ data: { token: string } }>(faces, '/api/v1/auth/application', { body: demo })).body.data.token,
    }
    expect((await ask(faces, invoices, { token: tokens.v1 })).status).toBe(200)
    expect((await ask(faces, invoices, { token: tokens.legacy })).status).toBe(401)
    expect((await faces.ask('/api/invoice/list', { body: {}, token: tokens.legacy })).status).toBe(200)
    expect((await faces.ask('/api/invoice/list', { body: {}, token: tokens.v1 })).status).toBe(401)
  })

  const operations = [
    ['POST', '/api/calculate/price'],
    ['POST', '/api/calculate/price/country/validate'],
    ['POST', '/api/consignment/document'],
    ['POST', '/api/consignment/package/advance'],
    ['POST', '/api/single/point/import'],
    ['POST', '/api/single/point/import/complete'],
    ['POST', '/api/invoice/list'],
    ['POST', '/api/transaction/charge/list'],
    ['GET', '/city/all'],
    ['GET', '/county/all'],
    ['GET', '/api/currency'],
    ['GET', '/api/unit/of/measure/all'],
    ['GET', '/api/export/code'],
  ] as const

  test('are required by every other operation before anything is validated: 401', async () => {
    for (const [method, path] of operations) {
      for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization: `Basic ${faces.tokens.demo}` }]) {
        for (const language of languages) {
          const body = method === 'POST' ? { body: '{' } : {}
          const reply = await askLegacy<LegacyError>(faces, path, { method, language, headers, ...body })
          expect(reply.status).toBe(401)
          expect(reply.body).toEqual({ message: unauthorized[language] })
          expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer')
        }
      }
    }
    expect((await askLegacy(faces, '/country/all')).status).toBe(200)
  })
})
