import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildLegacy, legacyOperations } from '../../../src/sandbox/legacy/build-legacy.ts'
import { openStore } from '../../../src/sandbox/store/open-store.ts'
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
  expect(legacyOperations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /auth/application',
    'POST /api/calculate/price',
    'POST /api/calculate/price/country/validate',
    'POST /api/consignment/document',
    'POST /api/consignment/package/advance',
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

test.each(['/', '/country', '/country/all/', '/country//all', '/Country/All', '/api/v1/finance/invoices', '/%E0%A4%A'])(
  'an unknown address is 404 with a message: %s',
  async (path) => {
    const message = { tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' }
    for (const language of languages) {
      for (const method of ['GET', 'POST']) {
        const reply = await askLegacy<LegacyError>(faces, path, { method, language })
        expect(reply.status).toBe(404)
        expect(reply.body).toEqual({ message: message[language] })
      }
    }
  },
)

test('legacy paths are not on the v1 face', async () => {
  expect((await ask(faces, '/country/all')).status).toBe(404)
})

test.each([
  ['GET', '/api/invoice/list', 'POST'],
  ['PUT', '/auth/application', 'POST'],
  ['POST', '/country/all', 'GET, HEAD'],
  ['DELETE', '/api/currency', 'GET, HEAD'],
])('%s %s is 405 and names the allowed method', async (method, path, allow) => {
  const message = { tr: 'Bu adres bu yöntemi desteklemiyor.', en: 'This address does not support this method.' }
  for (const language of languages) {
    const reply = await askLegacy<LegacyError>(faces, path, { method, language })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('Allow')).toBe(allow)
    expect(reply.body).toEqual({ message: message[language] })
  }
})

describe('a body over 4 MiB is 413 with a message', () => {
  const bytes = Buffer.from(JSON.stringify({ ...demo, x: 'x'.repeat(4 * 1024 * 1024) }))

  test('when its length is announced', async () => {
    const reply = await askLegacy(faces, '/auth/application', { body: bytes.toString(), language: 'en' })
    expect(reply.status).toBe(413)
    expect(reply.body).toEqual({ message: 'The request body is too large.' })
  })

  test('when it is not', async () => {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
    }
    const body = ReadableStream.from(pieces())
    const response = await fetch(`${faces.legacyUrl}/auth/application`, { method: 'POST', body, duplex: 'half' })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ message: 'İstek gövdesi çok büyük.' })
  })
})

test('a failure of the store is 500 with the unexpected-error message, and hides its cause', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const db = openStore(':memory:')
  const legacy = buildLegacy({ db, now: Date.now })
  db.close()
  for (const language of languages) {
    const response = await legacy.request('/country/all', { headers: { 'Accept-Language': language } })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ message: unexpected[language] })
  }
  expect(log).toHaveBeenCalledTimes(2)
})

test.each([
  ['en', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['tr', 'tr'],
  ['tr-TR,en', 'tr'],
  ['de', 'tr'],
  [undefined, 'tr'],
] as const)('Accept-Language %s chooses the language by how it starts: %s', async (sent, language) => {
  const { body } = await askLegacy<LegacyError>(faces, '/nowhere', sent === undefined ? {} : { language: sent })
  expect(body.message).toBe({ tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' }[language])
})
