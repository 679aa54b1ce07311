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

test.each([demo, other])('the right credentials give $clientId a token at the root: 200', async (credentials) => {
  const reply = await askLegacy(faces, path, { body: credentials })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(reply.body).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) })
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

test.each([
  ['another secret', { ...demo, secretKey: 'wrong' }],
  ['an unknown client', { ...demo, clientId: 'nobody' }],
  ["another client's secret", { ...demo, secretKey: other.secretKey }],
  ['1 MB of text', { ...demo, secretKey: 'x'.repeat(1024 * 1024) }],
])('wrong credentials are 401 with a message in either language: %s', async (_, body) => {
  const message = { tr: 'İstemci kimliği veya gizli anahtar geçersiz.', en: 'Client id or secret is invalid.' }
  for (const language of languages) {
    const reply = await askLegacy<LegacyError>(faces, path, { body, language })
    expect(reply.status).toBe(401)
    expect(reply.body).toEqual({ message: message[language] })
  }
})

const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
const empty = { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' }
const text = { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' }

test.each([
  ['no members', {}, { clientId: required, secretKey: required }],
  ['no secret', { clientId: 'demo-client' }, { secretKey: required }],
  ['null', { clientId: null, secretKey: 'x' }, { clientId: required }],
  ['empty text', { clientId: '', secretKey: 'x' }, { clientId: empty }],
  ['numbers', { clientId: 1, secretKey: 0 }, { clientId: text, secretKey: text }],
  ['members of __proto__ only', `{"__proto__":${JSON.stringify(demo)}}`, { clientId: required, secretKey: required }],
])('a missing field is 400 at its path, in the requested language: %s', async (_, body, fields) => {
  for (const language of languages) {
    const reply = await askLegacy<LegacyError>(faces, path, { body, language })
    expect(reply.status).toBe(400)
    const messages = Object.entries(fields).map(([field, message]) => [field, message[language]])
    expect(reply.body).toEqual(violates(language, Object.fromEntries(messages)))
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

  test.each(operations)('are required by %s %s before anything is validated: 401', async (method, path) => {
    for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization: `Basic ${faces.tokens.demo}` }]) {
      for (const language of languages) {
        const body = method === 'POST' ? { body: '{' } : {}
        const reply = await askLegacy<LegacyError>(faces, path, { method, language, headers, ...body })
        expect(reply.status).toBe(401)
        expect(reply.body).toEqual({ message: unauthorized[language] })
        expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer')
      }
    }
  })

  test('are not required by the country list', async () => {
    expect((await askLegacy(faces, '/country/all')).status).toBe(200)
  })
})
