import { describe, expect, test } from 'vitest'
import { startGateway, until } from '../../support/start-gateway.ts'
import { callForBytes } from '../reference/support/call-for-bytes.ts'
import { startV1List } from '../reference/support/start-v1-list.ts'

/** A gateway in front of a v1 with 500 cities, which need a token. */
async function cities(settings: Parameters<typeof startGateway>[1] = {}) {
  const v1 = await startV1List(500)
  const { url, log } = await startGateway(v1.url, settings)
  const ask = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    callForBytes(`${url}/city/all`, { authorization: `Bearer ${token}`, ...headers })
  return { v1, ask, log }
}

describe('a list that needs a token', () => {
  test('is not served to a caller whose token v1 refuses, in any coding or as a 304', async () => {
    const { v1, ask } = await cities()
    v1.refuse.set('Bearer bad', 401)
    const { headers } = await ask('good')
    await ask('good', { 'accept-encoding': 'gzip' })
    for (const more of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': headers.etag ?? '' }]) {
      const reply = await ask('bad', more)
      expect(reply.status).toBe(401)
      expect(reply.bytes.toString()).not.toContain('"id"')
    }
  })

  test('is read for each token, even when calls arrive at the same time', async () => {
    const { v1, ask } = await cities()
    v1.refuse.set('Bearer bad', 403)
    const statuses = await Promise.all(['good', 'bad', 'other', 'bad', 'good'].map((token) => ask(token)))
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 200, 403, 200])
    expect(v1.pages.filter((page) => page === 1)).toHaveLength(3)
    expect(v1.pages.filter((page) => page === 2)).toHaveLength(2)
  })
})

describe.concurrent('in the background', () => {
  const settings = { referenceTtlMs: 2_000 }

  test('a list in use is read again under its own token, without a call', async () => {
    const { v1, ask } = await cities({ settings })
    await ask('good')
    await ask('good')
    expect(v1.pages).toHaveLength(3)
    // A read without a token fails from now on.
    v1.refuse.set('', 401)
    await until(() => v1.pages.length === 6)
    expect(v1.pages.toSorted()).toEqual([1, 1, 2, 2, 3, 3])
  })

  test('a list whose token v1 now refuses is dropped', async () => {
    const { v1, ask, log } = await cities({ settings })
    await ask('good')
    expect((await ask('good')).status).toBe(200)
    v1.refuse.set('Bearer good', 401)
    await until(() => log.some(({ msg }) => msg === 'a reference list could not be refreshed'))
    expect(v1.pages).toHaveLength(4)
    expect((await ask('good')).status).toBe(401)
  })

  test('a list that is not in use is not read again', async () => {
    const { v1, ask } = await cities({ settings: { referenceTtlMs: 100 } })
    await ask('good')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(v1.pages).toHaveLength(3)
  })
})

test('a failure of page 40 of 90 fails the whole list, and nothing of it is cached', async () => {
  const v1 = await startV1List(18_000)
  v1.refuse.set(40, 503)
  const gateway = await startGateway(v1.url)
  expect((await gateway.call({ path: '/country/all' })).status).toBe(500)
  expect(v1.pages.length).toBeLessThan(60)
  v1.refuse.clear()
  const reply = await gateway.call({ path: '/country/all' })
  expect(JSON.parse(reply.text)).toHaveLength(18_000)
})
