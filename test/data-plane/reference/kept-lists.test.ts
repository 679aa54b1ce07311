import { beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { answerPageOf, v1Error, v1Page } from '../../support/v1-bodies.ts'
import { standInForV1, type V1Answer } from '../../support/v1-stand-in.ts'

const COUNTRIES = { path: '/country/all' }
const inEnglish = { ...COUNTRIES, headers: { 'accept-language': 'en-GB' } }

/** A v1 that names its only country in the requested language, unless the test sets another answer. */
function countries() {
  const v1 = { instead: undefined as V1Answer | undefined }
  const standIn = standInForV1(({ headers }) => {
    const name = headers['accept-language']?.startsWith('en') === true ? 'Germany' : 'Almanya'
    return v1.instead ?? { body: v1Page([{ id: 49, name }]) }
  })
  return { v1, standIn }
}

test('a list is kept: v1 is called once', async () => {
  const { standIn } = countries()
  const gateway = await startGateway(standIn.url)
  const replies = [await gateway.call(COUNTRIES), await gateway.call(COUNTRIES), await gateway.call(COUNTRIES)]
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['[{"id":49,"name":"Almanya"}]']))
  expect(standIn.asked).toHaveLength(1)
})

test('languages are kept apart, and all that are not English together', async () => {
  const { standIn } = countries()
  const gateway = await startGateway(standIn.url)
  expect((await gateway.call(COUNTRIES)).text).toContain('Almanya')
  expect((await gateway.call(inEnglish)).text).toContain('Germany')
  expect((await gateway.call({ ...COUNTRIES, headers: { 'accept-language': 'de' } })).text).toContain('Almanya')
  expect((await gateway.call({ ...COUNTRIES, headers: { 'accept-language': 'en' } })).text).toContain('Germany')
  expect(standIn.asked).toHaveLength(2)
})

test('a v1 that weighs languages (RFC 9110) puts no English names into the list that is kept for Turkish', async () => {
  const standIn = standInForV1(({ headers }) => {
    const name = /\ben\b/.test(headers['accept-language'] ?? '') ? 'Germany' : 'Almanya'
    return { body: v1Page([{ id: 49, name }]) }
  })
  const gateway = await startGateway(standIn.url)
  const inGerman = { ...COUNTRIES, headers: { 'accept-language': 'de-DE, en;q=0.9' } }
  expect((await gateway.call(inGerman)).text).toContain('Almanya')
  expect((await gateway.call(COUNTRIES)).text).toContain('Almanya')
})

test('filters are kept apart, callers are not: the list needs no token', async () => {
  const { standIn } = countries()
  const gateway = await startGateway(standIn.url)
  for (const [path, token] of [
    ['/country/all?code=DE', 'a'],
    ['/country/all?code=FR', 'a'],
    ['/country/all?code=DE&unknown=1', 'b'],
  ] as const) {
    await gateway.call({ path, headers: { authorization: `Bearer ${token}` } })
  }
  expect(standIn.asked.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('code'))).toEqual(['DE', 'FR'])
})

test('fifty callers at once share one sweep of all pages', async () => {
  const v1 = standInForV1(answerPageOf(450))
  const gateway = await startGateway(v1.url)
  const replies = await Promise.all(Array.from({ length: 50 }, () => gateway.call(COUNTRIES)))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1)
  expect(JSON.parse(replies[0]?.text ?? '')).toHaveLength(450)
  expect(v1.asked).toHaveLength(3)
})

describe('an entity tag', () => {
  let v1: HttpServer
  let gateway: StartedGateway
  let etag = ''
  beforeAll(async () => {
    v1 = await startHttpServer(({ headers }, response) => {
      const name = headers['accept-language'] === 'en' ? 'Germany' : 'Almanya'
      response.end(JSON.stringify(v1Page([{ id: 49, name }])))
    })
    gateway = await startGateway(v1.url)
    etag = (await gateway.call(COUNTRIES)).headers.etag ?? ''
  })
  const ask = (tags: string) => gateway.call({ ...COUNTRIES, headers: { 'if-none-match': tags } })

  test.each<[string, (etag: string) => string]>([
    ['itself', (etag) => etag],
    ['a weak one', (etag) => `W/${etag}`],
    ['a list with it', (etag) => `"a", W/"b", ${etag}`],
    ['a list without white space', (etag) => `"a",W/${etag},"c"`],
    ['a star', () => '*'],
  ])('sent as %s is answered with 304, without a body', async (_, written) => {
    const before = v1.received.length
    const reply = await ask(written(etag))
    expect(reply).toMatchObject({ status: 304, text: '', headers: { etag } })
    expect(reply.headers.vary).toMatch(/accept-language/i)
    expect(v1.received).toHaveLength(before)
  })

  test.each<[string, (etag: string) => string]>([
    ['another', () => '"another"'],
    ['another that has it in it', (etag) => `"x${etag.slice(1)}`],
    ['one without quotes', (etag) => etag.slice(1, -1)],
    ['an empty one', () => ''],
  ])('sent as %s is answered with the list', async (_, written) => {
    expect(await ask(written(etag))).toMatchObject({ status: 200, headers: { etag } })
  })

  // RFC 9110 section 8.8.3: a tag may contain commas and stars.
  test('of another list is not read as a star because it contains one', async () => {
    expect((await ask('"a,*,b"')).status).toBe(200)
  })

  test('differs by language', async () => {
    const reply = await gateway.call({ ...COUNTRIES, headers: { ...inEnglish.headers, 'if-none-match': etag } })
    expect(reply.status).toBe(200)
    expect(reply.headers.etag).not.toBe(etag)
  })
})

describe('when a kept list is stale', () => {
  const settings = { referenceTtlMs: 1 }
  const overdue = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

  async function askedTwice(instead: V1Answer, more = {}) {
    const { v1, standIn } = countries()
    const gateway = await startGateway(standIn.url, { settings: { ...settings, ...more } })
    await gateway.call(COUNTRIES)
    v1.instead = instead
    await overdue()
    const reply = await gateway.call(COUNTRIES)
    return { reply, gateway, v1, standIn }
  }

  test('v1 is called again, and an unchanged list keeps its tag', async () => {
    const { reply, standIn } = await askedTwice({ body: v1Page([{ id: 49, name: 'Almanya' }]) })
    expect(standIn.asked).toHaveLength(2)
    expect(reply).toMatchObject({ status: 200, text: '[{"id":49,"name":"Almanya"}]' })
  })

  test.each([500, 502, 503, 504])('the last list is served while v1 answers %i', async (status) => {
    const { reply } = await askedTwice(v1Error(status, 'DEPENDENCY_UNAVAILABLE'))
    expect(reply).toMatchObject({ status: 200, text: '[{"id":49,"name":"Almanya"}]' })
  })

  test('the last list is not served when stale lists are off', async () => {
    const { reply } = await askedTwice(v1Error(503, 'DEPENDENCY_UNAVAILABLE'), { referenceStaleMs: 0 })
    expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
  })

  test.each([401, 403])('a %i of v1 is passed on, and drops the list', async (status) => {
    const { reply, gateway, v1 } = await askedTwice(v1Error(status, 'NO'))
    expect(reply.status).toBe(status)
    v1.instead = v1Error(503, 'DEPENDENCY_UNAVAILABLE')
    expect((await gateway.call(COUNTRIES)).status).toBe(500)
  })

  test.each([
    [429, 429],
    [422, 400],
  ])('a %i of v1 is passed on, and the list is kept for when v1 is down', async (v1Status, status) => {
    const { reply, gateway, v1 } = await askedTwice(v1Error(v1Status, 'NO'))
    expect(reply.status).toBe(status)
    v1.instead = v1Error(503, 'DEPENDENCY_UNAVAILABLE')
    expect((await gateway.call(COUNTRIES)).status).toBe(200)
  })

  test('a malformed list is a 500, since that is not an outage', async () => {
    const { reply } = await askedTwice({ body: '<html></html>' })
    expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'malformed' } })
  })
})

test('a list that was never read cannot be served while v1 is down', async () => {
  const gateway = await startGateway(await deadUrl())
  expect(await gateway.call(COUNTRIES)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
})
