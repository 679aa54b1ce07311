import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { entriesOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

const ACCESS = '10.0.0.1 - - [27/Nov/2025:10:00:00 +0300] "GET /api/currency HTTP/1.1" 200 512 "-" "okhttp/4.9"\n'
const har = { log: { version: '1.2', entries: [{ request: { method: 'GET', url: 'https://h/a' } }] } }
const good = '{"v":1,"request":{"method":"GET","path":"/a"}}'
const READ =
  'only recordings of the gateway (NDJSON), HAR 1.2 files, Postman collections 2.1 and golden cases can be read, each also as gzip'
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const pretty = (json: unknown): string => JSON.stringify(json, null, 2)

/** Files of other kinds, as programs write them. */
const KINDS: readonly (readonly [kind: string, content: string | Uint8Array])[] = [
  ['an access log', ACCESS.repeat(3_000)],
  ['an access log', '#Software: Microsoft Internet Information Services 10.0\n#Fields: date time cs-method\n'],
  ['a package.json', pretty({ name: 'x', version: '1.0.0', scripts: { test: 'y' }, dependencies: {} })],
  ['UTF-16 text, as PowerShell writes it (save it as UTF-8)', utf16(`\ufeff${good}\r\n`)],
  ['UTF-16 text (save it as UTF-8)', utf16(`${good}\r\n`)],
  ['UTF-16 text (save it as UTF-8)', Buffer.from(utf16(`\ufeff${pretty(har)}`)).swap16()],
  ['an HTML page', '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n'],
  ['an XML file', '<?xml version="1.0"?>\n<items burpVersion="2024.1">\n</items>\n'],
  ['a table (CSV)', 'time,method,path,status\n10:00,GET,/a,200\n10:01,GET,/b,200\n'],
  ['a capture of network packets (pcap)', Buffer.from('d4c3b2a1020004000000000000000000', 'hex')],
  ['a capture of network packets (pcapng)', Buffer.from('0a0d0d0a6c0000004d3c2b1a01000000', 'hex')],
  ['an OpenAPI description', pretty({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} })],
  ['an OpenAPI description', 'openapi: 3.0.3\ninfo:\n  title: x\n'],
  ['a JSON list of HAR files (save each as a file)', JSON.stringify([har, har])],
  ['a JSON list of HAR entries (in a HAR file they are in log.entries)', JSON.stringify(har.log.entries)],
  ['a JSON list', '[1,2]'],
  ['a capture of GoReplay', '1 a9d07b8a0000000131 1700000000000000000 0\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n\n🐵🙈🙉\n'],
  [
    'results of k6',
    '{"type":"Metric","data":{"name":"http_reqs","type":"counter"},"metric":"http_reqs"}\n{"metric":"http_reqs","type":"Point","data":{"value":1}}\n',
  ],
  ['lines of a log in JSON', '{"level":30,"time":1700000000000,"msg":"listening"}\n'.repeat(5)],
  ['lines of a log in JSON', `{"log":"GET /a\\n","stream":"stdout","time":"2025-01-01T00:00:00Z"}\n`.repeat(3)],
  ['an export of Insomnia (export it as HAR)', pretty({ _type: 'export', __export_format: 4, resources: [] })],
  [
    'a Postman environment (export the collection)',
    pretty({ id: '1', name: 'x', values: [], _postman_variable_scope: 'environment' }),
  ],
  ['plain HTTP requests', 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['flows of mitmproxy (save them as HAR)', '4211:9:websocket;0:~8:response;350:6:reason,2:OK,]\n'],
  ['an SQLite database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)])],
  [
    'a tar archive (unpack it)',
    Buffer.concat([Buffer.from('a.har'), Buffer.alloc(252), Buffer.from('ustar\x0000'), Buffer.alloc(300)]),
  ],
  ['gzip data that were packed twice (unpack them once)', gzipSync(gzipSync(good))],
  ['a binary file', Buffer.from('0001020300000000ffff', 'hex')],
  ['another JSON file', pretty({ compilerOptions: { strict: true } })],
  ['another text', 'garbage\nmore of it\n'],
]

/** The message of the error with which reading ends. */
const refusalOf = (content: string | Uint8Array): Promise<string> =>
  entriesOf(content).then(
    (entries) => `${entries.length} entries`,
    (error: Error) => error.message.replace(/^\S*\/recording\.txt: /, ''),
  )

describe('a file of another kind', () => {
  it.each(KINDS)('is refused in one sentence that says what it looks like: %s', async (kind, content) => {
    expect(await refusalOf(content)).toBe(`looks like ${kind}; ${READ}`)
    if (!kind.startsWith('gzip')) expect(await refusalOf(gzipSync(content))).toBe(`looks like ${kind}; ${READ}`)
  })

  it.each([
    ['zip', Buffer.from('PK\x03\x04\x14\0')],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])],
  ])('is named if it is packed with %s', async (name, content) => {
    expect(await refusalOf(content)).toBe(`packed with ${name}: unpack it, or pack it with gzip`)
  })

  it('is also a HAR file that is cut off before its first entry ends', async () => {
    const text = JSON.stringify(har)
    expect(await refusalOf(text.slice(0, text.indexOf('https')))).toBe(
      'a HAR file of which no entry can be read; entry 1: not JSON: the file is cut off',
    )
  })

  it('is also a recording of which no line can be read', async () => {
    expect(await refusalOf('{"v":2,"request":{}}\n'.repeat(100))).toBe(
      'a recording of which no line can be read; line 1: version 2 is not supported, only version 1',
    )
  })
})

describe('a recording', () => {
  it('may have bad lines, also before the first good one', async () => {
    expect(await outlineOf(`${ACCESS}${good}\n${ACCESS}\n`)).toEqual(['1: not JSON', '2: /a', '3: not JSON'])
  })

  it('may have a thousand pictures before its first call, as a HAR file', async () => {
    const picture = { request: { method: 'GET', url: 'data:image/png;base64,x' } }
    const entries = [...Array.from({ length: 1_200 }, () => picture), ...har.log.entries]
    expect((await outlineOf(JSON.stringify({ log: { ...har.log, entries } }))).at(-1)).toBe('1201: /a')
  })

  it('may be empty', async () => {
    for (const empty of ['', '\n \n', '\ufeff']) expect(await outlineOf(empty)).toEqual([])
  })
})
