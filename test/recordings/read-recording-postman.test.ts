import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { entriesOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const info = { _postman_id: '0b4f6c1e-0000-4000-8000-000000000000', name: 'Legacy', schema: SCHEMA }

/** A collection as Postman exports it. */
const collection = (items: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ info, item: items, ...more }, null, '\t')
const item = (name: string, request: unknown, more: object = {}): object => ({ name, request, response: [], ...more })
const raw = (text: string, language?: string): object => ({
  mode: 'raw',
  raw: text,
  ...(language !== undefined && { options: { raw: { language } } }),
})
const url = (path: string, more: object = {}): object => ({
  raw: `{{baseUrl}}/${path}`,
  host: ['{{baseUrl}}'],
  path: path.split('/'),
  ...more,
})
const get = (path: string): object => ({ method: 'GET', header: [], url: url(path) })
const post = (body: unknown, more: object = {}): object => ({
  method: 'POST',
  header: [],
  url: url('api/invoice/list'),
  body,
  ...more,
})
const one = async (request: unknown, more: object = {}) =>
  (await entriesOf(collection([item('It', request)], more)))[0] ?? { line: 0 }
const variable = (...all: readonly (readonly [string, unknown])[]): object => ({
  variable: all.map(([key, value]) => ({ key, value })),
})

describe('a request of a Postman collection', () => {
  it('is read as Postman would send it, and nothing else', async () => {
    const text = '{"a":12345678901234567890,"b":100.00,"c":"\\u0041ş😀", "url":"http://x//y"}'
    const request = {
      auth: { type: 'bearer', bearer: [{ key: 'token', value: 'secret', type: 'string' }] },
      method: 'POST',
      header: [
        { key: 'Accept-Language', value: 'en' },
        { key: 'Accept-Language', value: 'de', disabled: true },
        { key: 'Authorization', value: 'Bearer {{notDefined}}' },
        { key: 'Cookie', value: 'session=secret' },
        { key: 'Host', value: 'elsewhere' },
      ],
      body: raw(text, 'json'),
      url: {
        raw: 'https://user:pass@legacy.example:8443/api/invoice/list?x=1&y=2',
        protocol: 'https',
        host: ['legacy', 'example'],
        port: '8443',
        path: ['api', 'invoice', 'list'],
        query: [
          { key: 'x', value: '1' },
          { key: 'y', value: '2', disabled: true },
        ],
      },
    }
    const more = { auth: { type: 'basic' }, event: [{ listen: 'prerequest', script: { exec: ['x'] } }] }
    expect(await entriesOf(collection([item('It', request)], more))).toEqual([
      {
        line: 1,
        method: 'POST',
        path: '/api/invoice/list?x=1',
        headers: { 'accept-language': 'en', 'content-type': 'application/json' },
        body: text,
      },
    ])
  })

  it.each([
    ['https://legacy.example/country/all?code=de#part', '/country/all?code=de'],
    ['{{baseUrl}}/country/all', '/country/all'],
    ['{{scheme}}://{{host}}:{{port}}/country/all', '/country/all'],
    ['legacy.example/country/all', '/country/all'],
    ['legacy.example', '/'],
    ['{{whole}}', '/country/all?code=tr'],
    ['{{whole}}?code=de', '/country/all?code=de'],
    ['{{baseUrl}}/city/all?search=a b%20ş&code={{code}}', '/city/all?search=a%20b%20%C5%9F&code=DE'],
  ])('may have the text %s as its URL', async (text, path) => {
    const variables = variable(['whole', 'https://h/country/all?code=tr'], ['code', 'DE'])
    for (const request of [text, { method: 'GET', url: text }, { method: 'GET', url: { raw: text } }]) {
      expect(await one(request, variables)).toEqual({ line: 1, method: 'GET', path, headers: {} })
    }
  })

  it('has the enabled parameters, encoded as Postman does', async () => {
    const query = [
      { key: 'search', value: 'a b&c=ş+%20#' },
      { key: 'a&b=', value: 5 },
      { key: 'flag', value: null },
      { key: 'empty', value: '' },
      { key: null, value: null },
      { key: 'off', value: '{{notDefined}}', disabled: true },
    ]
    expect(await one({ url: url('city/all', { query }) })).toMatchObject({
      path: '/city/all?search=a%20b%26c=%C5%9F+%20%23&a%26b%3D=5&flag&empty=',
    })
    expect(await one({ url: url('city/all', { query: [] }) })).toMatchObject({ path: '/city/all' })
  })

  it('may have no name, parameters no value, and its behaviour any other setting', async () => {
    const header = [{ key: 'X-Empty' }, { key: 'Accept-Language', value: 'en' }]
    const request = { method: 'POST', header, url: url('city/all', { query: [{ key: 'flag' }] }), body: raw('{}') }
    for (const protocolProfileBehavior of [undefined, {}, { followRedirects: false }]) {
      expect(await entriesOf(collection([{ request, protocolProfileBehavior }]))).toMatchObject([
        { path: '/city/all?flag', headers: { 'accept-language': 'en' }, body: '{}' },
      ])
    }
  })

  it('may have its path as text or in parts, with path variables', async () => {
    const variables = [
      { key: 'id', value: '{{importId}}' },
      { id: 'old', value: '7' },
    ]
    const path = ['api', { type: 'string', value: 'import' }, ':id', ':old', 'complete']
    const defined = variable(['importId', 42])
    expect(await one({ url: { path, variable: variables } }, defined)).toMatchObject({
      path: '/api/import/42/7/complete',
    })
    expect(await one({ url: { path: '/api/x' } })).toMatchObject({ path: '/api/x' })
    expect(await one({ url: { path: ':id/x', variable: [] } })).toMatchObject({
      problem: '"It": the path variable :id has no value',
    })
  })

  it('has its variables filled in, even within variables and from folders', async () => {
    const defined = variable(['page', '{{one}}'], ['one', 1], ['list', [1, 2]], ['search', 'outer'], ['yes', true])
    const body = raw(
      '{"page":{{page}},"ids":{{ list }},"search":"{{search}}","isPayment":{{yes}},"x":{"y":{}}}',
      'json',
    )
    const folder = { name: 'Folder', item: [item('It', post(body))], ...variable(['search', 'inner']) }
    const [entry] = await entriesOf(collection([folder, item('Other', get('{{search}}'))], defined))
    expect(entry?.body).toBe('{"page":1,"ids":[1,2],"search":"inner","isPayment":true,"x":{"y":{}}}')
    expect(await outlineOf(collection([folder, item('Other', get('{{search}}'))], defined))).toEqual([
      '1: /api/invoice/list',
      '2: /outer',
    ])
  })

  it('may have its headers as one string', async () => {
    const header = 'Accept-Language: {{language}}\r\nX-Other: {{notDefined}}\nContent-Type: application/json'
    expect(await one({ url: url('country/all'), header }, variable(['language', 'en']))).toMatchObject({
      headers: { 'accept-language': 'en', 'content-type': 'application/json' },
    })
  })

  it.each([
    ['json', undefined, 'application/json'],
    ['text', undefined, 'text/plain'],
    [undefined, undefined, 'text/plain'],
    ['xml', undefined, 'application/xml'],
    ['text', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ])('with language %s and content type %s is sent as %s', async (language, type, sent) => {
    const header = type === undefined ? [] : [{ key: 'content-type', value: type }]
    expect(await one(post(raw('{}', language), { header }))).toMatchObject({ headers: { 'content-type': sent } })
  })

  it('has no comments in its JSON, because Postman does not send them', async () => {
    const text = '{ // a comment\n  "a": "http://x/*y*/\\"//", /* "b": 1,\n "c": 2, */ "d": 3 }'
    const body = '{ \n  "a": "http://x/*y*/\\"//",  "d": 3 }'
    expect((await one(post(raw(text, 'json')))).body).toBe(body)
    expect((await one(post(raw(text, 'text')))).body).toBe(text)
  })

  it('may have a form as its body, without disabled parameters', async () => {
    const form = [
      { key: 'search', value: 'Şule & {{word}}' },
      { key: 'off', value: '{{notDefined}}', disabled: true },
      { key: 'empty', value: '' },
    ]
    expect(await one(post({ mode: 'urlencoded', urlencoded: form }), variable(['word', 'a+b']))).toMatchObject({
      body: 'search=%C5%9Eule%20%26%20a%2Bb&empty=',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  it('has no body if Postman sends none', async () => {
    const form = [{ key: 'a', value: '{{notDefined}}', type: 'text' }]
    for (const body of [
      ...[undefined, null, {}, raw(''), { mode: 'raw' }, { mode: 'urlencoded', urlencoded: [] }, { mode: 'formdata' }],
      ...[
        { ...raw('{{x}}'), disabled: true },
        { mode: 'file', file: {} },
        { mode: 'raw', raw: '', formdata: form },
      ],
    ]) {
      expect(await one(post(body))).toEqual({ line: 1, method: 'POST', path: '/api/invoice/list', headers: {} })
    }
    const withForm = { ...get('country/all'), body: { mode: 'formdata', formdata: form } }
    expect(await one(withForm)).toEqual({ line: 1, method: 'GET', path: '/country/all', headers: {} })
  })
})

describe('a request of a Postman collection that cannot be used', () => {
  it.each([
    [
      'a variable in its body is undefined',
      post(raw('{"id":{{importId}}}')),
      '{{importId}} has no value among the variables of the collection',
    ],
    [
      'a variable in its path is undefined',
      get('{{area}}/all'),
      '{{area}} has no value among the variables of the collection',
    ],
    ['a variable has no value', post(raw('{{blank}}')), '{{blank}} has no value among the variables of the collection'],
    ['a variable is disabled', post(raw('{{off}}')), '{{off}} has no value among the variables of the collection'],
    [
      'Postman would make up a value',
      post(raw('{"id":"{{$guid}}"}')),
      '{{$guid}} has no value among the variables of the collection',
    ],
    [
      'a variable in a parameter is undefined',
      { url: url('a', { query: [{ key: 'x', value: '{{y}}' }] }) },
      '{{y}} has no value among the variables of the collection',
    ],
    [
      'its language is undefined',
      post(null, { header: [{ key: 'Accept-Language', value: '{{l}}' }] }),
      '{{l}} has no value among the variables of the collection',
    ],
    [
      'its URL is an undefined variable',
      '{{somewhere}}',
      '{{somewhere}} has no value among the variables of the collection',
    ],
    ['a variable refers to itself', post(raw('{{a}}')), '{{a}} refers to itself'],
    ['its variables make it endless', post(raw('{{n0}}')), 'its variables make it longer than 67108864 characters'],
    ['its form is malformed', post({ mode: 'urlencoded', urlencoded: [5] }), 'its form is malformed'],
    [
      'its body is a multipart form',
      post({ mode: 'formdata', formdata: [{ key: 'a' }] }),
      'its body is a multipart form (formdata); only raw bodies and urlencoded forms are replayed',
    ],
    [
      'its body is GraphQL',
      post({ mode: 'graphql', graphql: { query: '{a}' } }),
      'its body is GraphQL; only raw bodies and urlencoded forms are replayed',
    ],
    [
      'its body is a file',
      post({ mode: 'file', file: { src: '/a/b' } }),
      'its body is a file, which is not in the collection; only raw bodies and urlencoded forms are replayed',
    ],
    [
      'its body is something else',
      post({ mode: 'new', new: 'x' }),
      'its body has an unknown mode; only raw bodies and urlencoded forms are replayed',
    ],
    ['it has no request', undefined, 'its request is missing or malformed'],
    ['its request is not an object', 5, 'its request is missing or malformed'],
    ['it has no URL', { method: 'GET' }, 'its request is missing or malformed'],
    ['its path is invalid', { url: { path: [5] } }, 'its request is missing or malformed'],
    ['its method is invalid', { method: 'A B', url: '/x' }, 'invalid HTTP method'],
  ])('because %s is reported by its number and name, and the others are read', async (_, request, problem) => {
    const nested = Array.from(
      { length: 40 },
      (_, index) => [`n${index}`, `{{n${index + 1}}}{{n${index + 1}}}`] as const,
    )
    const defined = {
      variable: [
        ...[
          ...nested,
          ['n40', 'x'] as const,
          ['a', '{{b}}'] as const,
          ['b', '{{a}}'] as const,
          ['blank', ''] as const,
        ].map(([key, value]) => ({ key, value })),
        { key: 'off', value: 'x', disabled: true },
      ],
    }
    const items = [item('Before', get('before')), item('The "bad" one', request), item('After', get('after'))]
    expect(await outlineOf(collection(items, defined))).toEqual([
      '1: /before',
      `2: "The \\"bad\\" one": ${problem}`,
      '3: /after',
    ])
  })

  it('is reported without control characters, and with a shortened name', async () => {
    const bad = item(`\u001b[31m\u202e${'x'.repeat(200)}`, undefined)
    expect(await outlineOf(collection([bad, null, 'x', {}]))).toEqual([
      `1: "\ufffd[31m\ufffd${'x'.repeat(94)}": its request is missing or malformed`,
      '2: its request is missing or malformed',
      '3: its request is missing or malformed',
      '4: its request is missing or malformed',
    ])
  })
})

describe('a Postman collection', () => {
  const items = [
    item('1', get('1')),
    { name: 'Folder', item: [item('2', get('2')), { name: 'Empty', item: [] }, { item: [item('3', get('3'))] }] },
    item('4', get('4'), { response: [{ name: 'Saved', originalRequest: get('saved'), code: 200, body: '{}' }] }),
  ]
  const whole = collection(items)
  const outline = ['1: /1', '2: /2', '3: /3', '4: /4']

  it('numbers its requests in document order, through its folders, without saved examples', async () => {
    expect(await outlineOf(whole)).toEqual(outline)
  })

  it('is recognised by its content, regardless of what comes before it and of its order', async () => {
    const { item: all, ...rest } = JSON.parse(whole) as { readonly item: unknown }
    for (const text of [
      ...[`\ufeff${whole}`, ` \r\n${JSON.stringify(JSON.parse(whole))}\n`, gzipSync(whole)],
      ...[JSON.stringify({ item: all, ...rest }), JSON.stringify({ $schema: 'a "quoted" text', ...rest, item: all })],
      ...[JSON.stringify({ collection: { ...rest, item: all } }), JSON.stringify({ event: [], item: all, ...rest })],
      JSON.stringify({ info: { _postman_id: 'x', name: 'y' }, item: all }),
    ]) {
      expect(await outlineOf(text)).toEqual(outline)
    }
  })

  it('may be nested to any depth', async () => {
    const deep = `${'{"item":['.repeat(50_000)}${JSON.stringify(item('1', get('1')))}${']}'.repeat(50_000)}`
    expect(await outlineOf(`{"info":${JSON.stringify(info)},"item":[${deep}]}`)).toEqual(['1: /1'])
  })

  it('without items has no requests', async () => {
    for (const all of [[], undefined, {}, [{ name: 'Folder', item: [] }]]) {
      expect(await outlineOf(JSON.stringify({ info, item: all }))).toEqual([])
    }
  })

  it.each([
    [
      'of version 2.0',
      { info: { ...info, schema: SCHEMA.replace('2.1', '2.0') }, item: [] },
      'a Postman collection of version 2.0; only 2.1 can be replayed: export it as Collection v2.1',
    ],
    [
      'of version 1',
      { id: 'x', name: 'y', description: null, order: [], requests: [{ url: 'http://x' }] },
      'a Postman collection of version 1; only 2.1 can be replayed: export it as Collection v2.1',
    ],
    ['without a version', { info: { name: 'x' }, item: [] }, 'a Postman collection whose info.schema names no version'],
    ['without info', { item: [] }, 'a Postman collection without info'],
    ['with malformed info', { info: [], item: [] }, 'a Postman collection without info'],
  ])('%s is refused', async (_, content, problem) => {
    await expect(outlineOf(JSON.stringify(content))).rejects.toMatchObject({
      name: 'RecordingError',
      message: expect.stringMatching(new RegExp(`txt: ${problem.replaceAll('.', '\\.')}$`)),
    })
  })

  it('that is cut off or damaged is refused', async () => {
    const message = expect.stringMatching(/txt: not JSON: a Postman collection that is cut off or damaged$/)
    await expect(outlineOf(whole.slice(0, -2))).rejects.toMatchObject({ name: 'RecordingError', message })
    await expect(outlineOf(gzipSync(whole).subarray(0, 200))).rejects.toMatchObject({ name: 'RecordingError', message })
  })
})
