import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../../support/start-gateway.ts'
import { type ByteReply, callForBytes } from '../reference/support/call-for-bytes.ts'
import { startV1List } from '../reference/support/start-v1-list.ts'

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes }

/** The decoded list of an answer, whatever its content coding. */
function listIn({ headers, bytes }: ByteReply): readonly { readonly id: number }[] {
  const coding = (headers['content-encoding'] ?? 'identity') as keyof typeof decoders
  return JSON.parse(decoders[coding](bytes).toString()) as { id: number }[]
}

/** A gateway in front of a v1 with `total` countries. */
async function countries(total: number, nameLength?: number) {
  const v1 = await startV1List(total, nameLength)
  const { url } = await startGateway(v1.url)
  const ask = (acceptEncoding?: string, headers: Readonly<Record<string, string>> = {}): Promise<ByteReply> =>
    callForBytes(`${url}/country/all`, {
      ...headers,
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
    })
  return { ask, v1 }
}

describe('a list', () => {
  let ask: Awaited<ReturnType<typeof countries>>['ask']
  beforeAll(async () => {
    ask = (await countries(300)).ask
  })

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['zstd, deflate', undefined],
  ])('for a client that accepts %j is sent as %s', async (acceptEncoding, coding) => {
    const reply = await ask(acceptEncoding)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(reply.headers['content-encoding']).toBe(coding)
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    expect(listIn(reply)).toHaveLength(300)
  })

  test('of less than a kilobyte is sent uncompressed, unless the client refuses that', async () => {
    const { ask: askForFew } = await countries(20)
    expect((await askForFew('gzip, br')).headers['content-encoding']).toBeUndefined()
    const reply = await askForFew('gzip, identity;q=0')
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(listIn(reply)).toHaveLength(20)
  })

  test('is sent uncompressed to a client that accepts nothing: a 406 would mean something else', async () => {
    const reply = await ask('identity;q=0, *;q=0')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-encoding']).toBeUndefined()
  })

  test('has a Vary header with and without a coding, and as a 304', async () => {
    const replies = [await ask(), await ask('gzip'), await ask('gzip', { 'if-none-match': '*' })]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 304])
    for (const { headers } of replies) expect(headers.vary).toBe('Accept-Language, Authorization, Accept-Encoding')
  })

  test('is read once and encoded once per coding, however many clients ask for it', async () => {
    const { ask: askAtOnce, v1 } = await countries(900)
    const wanted = [undefined, 'gzip', 'br', 'gzip, br', 'deflate']
    const asked = Array.from({ length: 50 }, (_, index) => askAtOnce(wanted[index % wanted.length]))
    const replies = await Promise.all(asked)
    expect(v1.pages.toSorted()).toEqual([1, 2, 3, 4, 5])
    for (const reply of replies) expect(listIn(reply)).toHaveLength(900)
    expect(new Set(replies.map(({ bytes }) => bytes.toString('base64'))).size).toBe(3)
  })
})

describe('a large list', () => {
  const ROWS = 400
  const NAME = 2_000

  test('does not wait for its coding: it is sent uncompressed until that is ready', async () => {
    const { ask } = await countries(ROWS, NAME)
    const first = await ask('br')
    expect(first.headers['content-encoding']).toBeUndefined()
    expect(listIn(first)).toHaveLength(ROWS)
    let coded = await ask('br')
    for (let i = 0; i < 200 && coded.headers['content-encoding'] === undefined; i++) coded = await ask('br')
    expect(coded.headers['content-encoding']).toBe('br')
    expect(listIn(coded)).toEqual(listIn(first))
  })

  test('is sent in the next best coding that is ready', async () => {
    const { ask } = await countries(ROWS, NAME)
    await ask('gzip, identity;q=0')
    const reply = await ask('gzip, br')
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(listIn(reply)).toHaveLength(ROWS)
  })

  test('waits for its coding when the client refuses it uncompressed', async () => {
    const { ask } = await countries(ROWS, NAME)
    const reply = await ask('br, identity;q=0')
    expect(reply.headers['content-encoding']).toBe('br')
    expect(listIn(reply)).toHaveLength(ROWS)
  })
})

describe('the entity tag', () => {
  let ask: Awaited<ReturnType<typeof countries>>['ask']
  let tags: readonly string[]
  beforeAll(async () => {
    ask = (await countries(300)).ask
    const replies = [await ask(), await ask('gzip'), await ask('br')]
    tags = replies.map(({ headers }) => headers.etag ?? '')
  })

  // RFC 9110 section 8.8.3.3.
  test('is strong, and differs for each content coding', async () => {
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(tags.slice(1).map((tag) => /-\w+"$/.exec(tag)?.[0])).toEqual(['-gzip"', '-br"'])
  })

  test.each([0, 1, 2])('of any coding matches, whatever coding the client asks for: %i', async (form) => {
    for (const acceptEncoding of [undefined, 'gzip', 'br']) {
      const etag = tags[form] ?? ''
      const reply = await ask(acceptEncoding, { 'if-none-match': `"x", W/${etag}` })
      expect(reply).toMatchObject({ status: 304, headers: { etag } })
      expect(reply.bytes).toHaveLength(0)
    }
  })

  test('of a coding that does not exist does not match', async () => {
    const reply = await ask(undefined, { 'if-none-match': (tags[0] ?? '').replace(/"$/, '-zstd"') })
    expect(reply.status).toBe(200)
  })
})

test('other answers have no content coding', async () => {
  const { ask, v1 } = await countries(300)
  v1.refuse.set(1, 503)
  const reply = await ask('gzip, br')
  expect(reply.status).toBe(500)
  expect(reply.headers['content-encoding']).toBeUndefined()
})
