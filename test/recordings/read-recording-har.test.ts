import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { entriesOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

interface Entry {
  readonly request?: unknown
  readonly [name: string]: unknown
}

const har = (entries: readonly unknown[], space?: number): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries } }, null, space)

/** An entry as browsers write it. */
const entry = (request: object, more: object = {}): Entry => ({
  startedDateTime: '2025-01-01T00:00:00.000Z',
  time: 12,
  request: { method: 'GET', url: 'https://legacy.example/a', httpVersion: 'h2', cookies: [], headers: [], ...request },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'text/html' }],
    content: { size: 2, mimeType: 'application/json', text: '{"request":{"url":"https://x/y"},"}":["]"]}' },
    request: { method: 'POST', url: 'https://legacy.example/not-this-one', postData: { text: 'x' } },
  },
  timings: { send: 0.1, wait: 11.9 },
  ...more,
})
const at = (url: string) => entry({ url })

describe('an entry of a HAR', () => {
  it('is read as the request that was sent, and nothing else', async () => {
    const text = '{"a":12345678901234567890,"b":100.00,"c":"\\u0041ş😀"}'
    const request = {
      method: 'POST',
      url: 'https://legacy.example:8443/api/invoice/list?x=1&y=%2f#part',
      cookies: [{ name: 'session', value: 'secret' }],
      headers: [
        { name: ':authority', value: 'legacy.example' },
        { name: 'Host', value: 'legacy.example' },
        { name: 'Cookie', value: 'session=secret' },
        { name: 'Authorization', value: 'Bearer secret' },
        { value: 'en', comment: { name: 'x', value: 'y' }, name: 'Accept-Language' },
        { name: 'content-type', value: 'application/json; charset=utf-8' },
      ],
      postData: { mimeType: 'application/json', params: [], text },
    }
    for (const space of [undefined, 2]) {
      expect(await entriesOf(har([entry(request)], space))).toEqual([
        {
          line: 1,
          at: new Date('2025-01-01T00:00:00Z'),
          method: 'POST',
          path: '/api/invoice/list?x=1&y=%2f',
          headers: { 'accept-language': 'en', 'content-type': 'application/json; charset=utf-8' },
          body: text,
          status: 200,
        },
      ])
    }
  })

  it('says when it was sent, regardless of where the time is in the entry', async () => {
    const { startedDateTime: _, ...rest } = at('/a')
    const all = [
      { ...rest, startedDateTime: '2025-01-31T10:24:19.123+03:00' },
      { startedDateTime: '2025-01-31T10:24:19Z', ...rest },
      rest,
      { ...rest, startedDateTime: 5, a: { startedDateTime: '2025-01-31T10:24:19Z' } },
      { ...rest, startedDateTime: { startedDateTime: '2025-01-31T10:24:19Z' } },
      { ...rest, request: { ...(rest.request as object), startedDateTime: '2025-01-31T10:24:19Z' } },
    ]
    expect((await entriesOf(har(all))).map((one) => one.at?.toISOString())).toEqual([
      '2025-01-31T07:24:19.123Z',
      '2025-01-31T10:24:19.000Z',
      ...[undefined, undefined, undefined, undefined],
    ])
  })

  it.each([
    ['https://h/a', '/a'],
    ['http://h', '/'],
    ['https://h?x=1', '/?x=1'],
    ['https://h/a/../b/./c//d?x=%41&y=a+b&z=%zz', '/a/../b/./c//d?x=%41&y=a+b&z=%zz'],
    ['HTTPS://user:pass@h:1/a?b=https://c/d', '/a?b=https://c/d'],
    ['/a?x', '/a?x'],
    ['https://h/İl?x=ş', '/%C4%B0l?x=%C5%9F'],
  ])('keeps the path and query of %s as written', async (url, path) => {
    expect(await outlineOf(har([at(url)]))).toEqual([`1: ${path}`])
  })

  it('has no body without text', async () => {
    for (const postData of [undefined, null, {}, { text: '' }, { text: null }, { mimeType: '', params: [] }]) {
      expect(await entriesOf(har([entry({ postData })]))).toEqual([
        { line: 1, at: new Date('2025-01-01T00:00:00Z'), method: 'GET', path: '/a', headers: {}, status: 200 },
      ])
    }
  })

  it('takes its content type from the body if no header names it', async () => {
    const [one] = await entriesOf(har([entry({ postData: { mimeType: 'text/plain', text: 'x' } })]))
    expect(one).toMatchObject({ headers: { 'content-type': 'text/plain' }, body: 'x' })
  })

  it('may have its body as base64', async () => {
    const postData = { text: Buffer.from('{"a":"ş"}').toString('base64'), encoding: 'base64' }
    expect((await entriesOf(har([entry({ postData })])))[0]?.body).toBe('{"a":"ş"}')
  })

  it('has the text of a form as its body', async () => {
    const postData = { text: 'a=1', params: [{ name: 'a', value: '1' }] }
    expect((await entriesOf(har([entry({ postData })])))[0]?.body).toBe('a=1')
  })
})

describe('an entry that cannot be used', () => {
  it.each([
    ['null', null, 'not an object'],
    ['a list', [at('https://h/x')], 'not an object'],
    ['a text', 'x', 'not an object'],
    ['a number', 1.5, 'not an object'],
    ['true', true, 'not an object'],
    ['without a request', {}, 'request.method or request.url is missing'],
    ['with null as its request', { request: null }, 'request.method or request.url is missing'],
    ['without a URL', { request: { method: 'GET' } }, 'request.method or request.url is missing'],
    ['without a method', { request: { url: 'https://h/x' } }, 'request.method or request.url is missing'],
    ['with an invalid method', entry({ method: 'A B' }), 'invalid HTTP method'],
    ['of a web socket', at('wss://h/x'), 'request.url is not an HTTP URL'],
    ['of a data URL', at('data:text/plain,x'), 'request.url is not an HTTP URL'],
    ['with a space in its path', at('https://h/a b'), 'the path cannot be sent as written'],
    [
      'a form without text',
      entry({ postData: { params: [{ name: 'a', value: '1' }] } }),
      'a form: request.postData has params and no text',
    ],
    ['with JSON instead of text', entry({ postData: { text: { a: 1 } } }), 'request.postData.text is not a string'],
  ])('because it is %s is reported, and the others are read', async (_, bad, problem) => {
    expect(await outlineOf(har([at('https://h/before'), bad, at('https://h/after')]))).toEqual([
      '1: /before',
      `2: ${problem}`,
      '3: /after',
    ])
  })
})

describe('a HAR', () => {
  const whole = har(['/1', '/2', '/3'].map((path) => at(`https://h${path}`)))

  it('is recognised by its content, regardless of what comes before and after it', async () => {
    for (const text of [`\ufeff${whole}`, ` \r\n${whole}\n`, whole.replace('{"log":', '{\n  "_a": "b",\n  "log" :')]) {
      expect(await outlineOf(text)).toEqual(['1: /1', '2: /2', '3: /3'])
    }
    expect(await outlineOf(gzipSync(whole))).toEqual(['1: /1', '2: /2', '3: /3'])
  })

  it('may have its members in any order, and further members', async () => {
    const text = `{"log":{"_x":[{"entries":[{}]}],"entries":[{"y":{"request":1},"request":{"url":"https://h/a","z":{"url":"/b"},"method":"GET"}}],"version":"1.2"},"entries":[1]}`
    expect(await outlineOf(text)).toEqual(['1: /a'])
  })

  it('without entries has no exchanges', async () => {
    for (const text of [har([]), '{"log":{}}', '{"log":null}', '{"log":{"entries":{}}}', '{"log":[]}']) {
      expect(await outlineOf(text)).toEqual([])
    }
  })

  it('is read up to where it is cut off', async () => {
    const third = whole.indexOf('"https://h/3"')
    expect(await outlineOf(whole.slice(0, third))).toEqual(['1: /1', '2: /2', '3: not JSON: the file is cut off'])
    expect(await outlineOf(whole.slice(0, -1))).toEqual(['1: /1', '2: /2', '3: /3', '4: not JSON: the file is cut off'])
  })

  it('is read up to where it is damaged', async () => {
    const damaged = whole.replace('"url":"https://h/2"', '"url":https://h/2')
    expect(await outlineOf(damaged)).toEqual(['1: /1', '2: not JSON from here on'])
    expect(await outlineOf(`${whole}x`)).toEqual(['1: /1', '2: /2', '3: /3', '4: not JSON from here on'])
    expect(await outlineOf(whole.replace('},{"startedDateTime"', '}x,{"startedDateTime"'))).toEqual([
      '1: /1',
      '2: not JSON from here on',
    ])
  })

  it('may have answers of any size and depth', async () => {
    const large = { content: { text: 'ş"}]'.repeat(20_000) } }
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const text = har([entry({}, { response: large }), entry({}, { response: 'DEEP' }), at('https://h/3')])
    expect(await outlineOf(text.replace('"DEEP"', deep))).toEqual(['1: /a', '2: /a', '3: /3'])
  })
})
