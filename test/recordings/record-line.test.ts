import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordableExchange } from '../../src/recordings/record-line.ts'
import { exchange, newDirectory, recorderTo, redact } from '../control-plane/evidence/support/recording.ts'

const directory = newDirectory()
let files = 0

/** The content of the file after this exchange. */
async function recorded(one: RecordableExchange): Promise<string> {
  const file = join(directory, `${files++}.ndjson`)
  const recorder = await recorderTo(file)
  recorder.record(one)
  await recorder.close()
  return readFileSync(file, 'utf8')
}

/** The recorded bodies of this exchange: request and answer. */
async function bodyOf(body: Buffer | string): Promise<string | undefined> {
  const bytes = Buffer.from(body)
  const line = await recorded(exchange({ request: { body: bytes }, answer: { body: bytes } }))
  expect(line.indexOf('\n')).toBe(line.length - 1)
  const [, sent] = /"headers":\{\}(?:,"body":(.*))?\},"response"/.exec(line) ?? []
  const [, answered] = /"ms":12\.3(?:,"body":(.*))?\}\}\n$/.exec(line) ?? []
  expect(answered).toBe(sent)
  expect(Object.hasOwn((JSON.parse(line) as { readonly request: object }).request, 'body')).toBe(sent !== undefined)
  return sent
}

describe('a line of a recording', () => {
  it('is exactly the exchange, in this order', async () => {
    const line = await recorded(
      exchange({
        operation: 'invoice-list',
        request: {
          path: '/api/invoice/list',
          query: 'x=1',
          headers: { 'accept-language': 'en' },
          body: Buffer.from('{ "page": 1 }'),
        },
      }),
    )
    expect(line).toBe(
      '{"v":1,"at":"2025-01-01T00:00:00.000Z","replica":"one","operation":"invoice-list",' +
        `"key":"${redact.key}","answeredBy":"legacy","request":{"method":"POST",` +
        '"path":"/api/invoice/list?x=1","headers":{"accept-language":"en"},"body":{ "page": 1 }},' +
        '"response":{"status":200,"ms":12.3,"body":{"data":[]}}}\n',
    )
  })

  it('says who called, as a hash, if that is known', async () => {
    const client = 'demo-client'
    const line = await recorded(exchange({ client }))
    expect(line).toMatch(
      /^\{"v":1,"at":"2025-01-01T00:00:00\.000Z","replica":"one","client":"[\w-]{22}","operation":"thing-list",/,
    )
    expect(line).toContain(`"client":"${redact.client(client)}"`)
    expect(line).not.toContain(client)
    expect(await recorded(exchange({ client: 'other-client' }))).not.toContain(redact.client(client))
  })

  it('says which replica answered, with any id', async () => {
    const replica = 'gateway "1" in İzmir'
    expect(JSON.parse(await recorded(exchange({ replica })))).toMatchObject({ v: 1, replica })
  })

  it('keeps the language and the content type, and no other header', async () => {
    const headers = {
      authorization: 'Bearer secret',
      cookie: 'session=secret',
      host: 'legacy.example',
      'content-type': 'application/json; charset=utf-8',
      'accept-language': 'tr-TR,tr;q=0.9',
    }
    const line = await recorded(exchange({ request: { headers } }))
    expect((JSON.parse(line) as { request: { headers: object } }).request.headers).toEqual({
      'accept-language': 'tr-TR,tr;q=0.9',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(line).not.toMatch(/secret|legacy\.example/)
  })

  it('has times to the microsecond', async () => {
    expect(await recorded(exchange({ answer: { milliseconds: 1.23456789 } }))).toContain('"ms":1.235,')
  })

  it('has a path without a question mark when there is no query', async () => {
    expect(await recorded(exchange())).toContain('"path":"/api/thing/list","headers":{}')
  })
})

describe('a recorded body', () => {
  it('keeps its digits, its escapes and its white space', async () => {
    const body = ' {"a" : 100.00, "b":12345678901234567890,"c":1E+2,"d":-0,"e":"\\u0041\\ud800"} '
    expect(await bodyOf(body)).toBe(body)
  })

  it('is on one line, even if it was sent on several', async () => {
    expect(await bodyOf('{\r\n  "a": "x\\ny",\n  "b": 1\n}\n')).toBe('{    "a": "x\\ny",   "b": 1 } ')
  })

  it.each(['null', '[]', '0', '"text"', '{"a":{}}'])('may be %s', async (body) => {
    expect(await bodyOf(body)).toBe(body)
  })

  it.each([
    ['empty', ''],
    ['white space', ' \n'],
    ['cut off', '{"a":1'],
    ['HTML', '<html></html>'],
    ['a form', 'a=1&email=ada@example.com'],
    ['JSON behind a byte order mark', '\ufeff{}'],
    ['no UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0])],
  ])('is left out when it is %s', async (_, body) => {
    expect(await bodyOf(body)).toBeUndefined()
  })

  it('is left out on both sides if bodies hold credentials', async () => {
    const body = Buffer.from('{"clientId":"demo","secretKey":"hush","token":"hush"}')
    const line = await recorded(
      exchange({ operation: 'login', recordsBodies: false, request: { body }, answer: { body } }),
    )
    expect(line).toBe(
      '{"v":1,"at":"2025-01-01T00:00:00.000Z","replica":"one","operation":"login",' +
        `"key":"${redact.key}","answeredBy":"legacy","request":{"method":"POST",` +
        '"path":"/api/thing/list","headers":{}},"response":{"status":200,"ms":12.3}}\n',
    )
  })
})

describe('personal data', () => {
  const PERSONAL = '{"data":[{"email":"ada@example.com","city":"Izmir","a":{"first\\u004eame":"Ada"}}],"token":"abc"}'

  it('are redacted in both bodies and in the query', async () => {
    const body = Buffer.from(PERSONAL)
    const line = await recorded(
      exchange({ request: { body, query: 'phone=%2B905551234567&city=Izmir' }, answer: { body } }),
    )
    expect(line).not.toMatch(/ada@example|"Ada"|abc|5551234567/)
    expect(line.split(redact.body(body)?.toString() ?? '')).toHaveLength(3)
    expect(line).toContain(`?${redact.query('phone=%2B905551234567&city=Izmir')}"`)
    expect(line).toMatch(/"email":"[a-z]{3}@[a-z]{3}\.example","city":"Izmir"/)
    expect(line).toMatch(/\?phone=%2B905\d{9}&city=Izmir"/)
    expect(line).toMatch(/"token":"~[\w-]{22}"/)
  })
})
