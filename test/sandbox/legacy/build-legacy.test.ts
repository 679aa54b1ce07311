import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildFace, operationsOf } from '../../../src/sandbox/faces/build-face.ts'
import { legacyFace } from '../../../src/sandbox/faces/legacy-face.ts'
import { openStore } from '../../../src/sandbox/store/sandbox-store.ts'
import { ask, demo } from '../sandbox-client.ts'
import { askLegacy, type LegacyError, languages, unexpected } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())
afterEach(() => vi.restoreAllMocks())

test('has the operations of the contract and no others', () => {
  expect(operationsOf('legacy').map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /auth/application',
    'POST /api/calculate/price',
    'POST /api/calculate/price/country/validate',
    'POST /api/consignment/package/advance',
    'POST /api/consignment/document',
    'POST /api/single/point/import',
    'POST /api/single/point/import/complete',
    'POST /api/invoice/list',
    'POST /api/transaction/charge/list',
    'GET /country/all',
    'GET /city/all',
    'GET /county/all',
    'GET /api/currency',
    'GET /api/unit/of/measure/all',
    'GET /api/export/code',
  ])
})

test('an unknown address is 404 with a message', async () => {
  const message = { tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' }
  for (const path of ['/', '/country/all/', '/Country/All', '/api/v1/finance/invoices', '/%E0%A4%A']) {
    for (const language of languages) {
      for (const method of ['GET', 'POST']) {
        const reply = await askLegacy<LegacyError>(faces, path, { method, language })
        expect(reply.status, path).toBe(404)
        expect(reply.body).toEqual({ message: message[language] })
      }
    }
  }
})

test('legacy paths are not on the v1 face', async () => {
  expect((await ask(faces, '/country/all')).status).toBe(404)
})

test('another method is 405 and names the allowed one', async () => {
  const message = { tr: 'Bu adres bu yöntemi desteklemiyor.', en: 'This address does not support this method.' }
  for (const [method, path, allow] of [
    ['GET', '/api/invoice/list', 'POST'],
    ['DELETE', '/country/all', 'GET, HEAD'],
  ] as const) {
    for (const language of languages) {
      const reply = await askLegacy<LegacyError>(faces, path, { method, language })
      expect(reply.status).toBe(405)
      expect(reply.headers.get('Allow')).toBe(allow)
      expect(reply.body).toEqual({ message: message[language] })
    }
  }
})

test('a body over 4 MiB is 413 with a message', async () => {
  const body = JSON.stringify({ ...demo, x: 'x'.repeat(4 * 1024 * 1024) })
  const reply = await askLegacy(faces, '/auth/application', { body, language: 'en' })
  expect(reply.status).toBe(413)
  expect(reply.body).toEqual({ message: 'The request body is too large.' })
})

test('a failure of the store is 500 with the unexpected-error message, and hides its cause', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const db = openStore(':memory:')
  const legacy = buildFace(legacyFace, { db, now: Date.now })
  db.close()
  for (const language of languages) {
    const response = await legacy.request('/country/all', { headers: { 'Accept-Language': language } })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ message: unexpected[language] })
  }
  expect(log).toHaveBeenCalledTimes(2)
})

test('Accept-Language chooses English if it starts with en, else Turkish', async () => {
  const messageOf = async (asked: { language?: string }) =>
    (await askLegacy<LegacyError>(faces, '/nowhere', asked)).body.message
  expect(await messageOf({ language: 'en-US,en;q=0.9' })).toBe('The resource is not found.')
  for (const asked of [{}, { language: 'tr-TR,en' }, { language: 'de' }]) {
    expect(await messageOf(asked)).toBe('İstenen kaynak bulunamadı.')
  }
})
