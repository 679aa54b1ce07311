import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readBytes, readRecording } from '../../src/recordings/read-recording.ts'
import { entriesIn, entriesOf, fileOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'
import { newDirectory } from '../control-plane/evidence/support/recording.ts'

const line = (request: object, more: object = {}): string =>
  JSON.stringify({ v: 1, at: '2025-01-01T00:00:00.000Z', operation: 'thing-list', request, response: {}, ...more })
const get = (path: string): string => line({ method: 'GET', path, headers: {} })
const withBody = (body: string): string => `{"v":1,"request":{"method":"POST","path":"/a","headers":{},"body":${body}}}`

describe('a line of a recording', () => {
  it('is read as the request that was recorded, with the body of the answer', async () => {
    const text =
      '{"v":1,"at":"2025-01-01T00:00:00.000Z","operation":"invoice-list","request":{"method":"POST",' +
      '"path":"/api/invoice/list?x=1","headers":{"accept-language":"en"},"body":{ "page": 1.0 }},' +
      '"response":{"status":200,"ms":12.3,"body":{"data":[]}}}\n'
    expect(await entriesOf(text)).toEqual([
      {
        line: 1,
        at: new Date('2025-01-01T00:00:00Z'),
        method: 'POST',
        path: '/api/invoice/list?x=1',
        headers: { 'accept-language': 'en' },
        body: '{ "page": 1.0 }',
        answer: Buffer.from('{"data":[]}'),
        status: 200,
      },
    ])
  })

  it.each([
    '12345678901234567890',
    '{"a":100.00,"b":1E+2,"c":-0,"d":[1e400,0.1000000000000000055511151231257827]}',
    '{"a":"}]\\",\\\\","b\\"{":"\\u0041\\ud800"}',
    '[[],{},[{"body":1}],""]',
    'null',
    'false',
    '"text, with a comma"',
    '{"__proto__":{"a":1}}',
  ])('keeps its body as written: %s', async (body) => {
    expect((await entriesOf(withBody(body)))[0]?.body).toBe(body)
    expect((await entriesOf(withBody(` ${body}\t`)))[0]?.body).toBe(body)
  })

  it('has no body if none was recorded, or only the answer’s', async () => {
    const [entry] = await entriesOf(line({ method: 'GET', path: '/a' }, { response: { body: 1 }, body: 2 }))
    expect(entry).toEqual({
      ...{ line: 1, at: new Date('2025-01-01T00:00:00Z'), method: 'GET', path: '/a', headers: {} },
      answer: Buffer.from('1'),
    })
  })

  it('says who made the call and when, if that was recorded', async () => {
    const request = { method: 'GET', path: '/a' }
    const said = async (more: object) => {
      const [entry] = await entriesOf(line(request, more))
      return { at: entry?.at, client: entry?.client }
    }
    expect(await said({ at: '2025-01-31T10:24:19.123Z', client: 'kR3s' })).toEqual({
      at: new Date('2025-01-31T10:24:19.123Z'),
      client: 'kR3s',
    })
    expect(await said({ at: '2025-01-31T10:24:19+03:00' })).toEqual({ at: new Date('2025-01-31T07:24:19Z') })
    for (const at of [null, 5, '', '5', 'yesterday', '2025-01-31', '2025-01-31T10:24:19', '2025-99-31T10:24:19Z']) {
      expect(await said({ at, client: at === null ? at : 5 })).toEqual({})
    }
  })

  it('may have its members in any order, with escapes in their names, and unknown members', async () => {
    const text =
      '{"x":[{"request":{"body":0}}],"re\\u0071uest":{"y":null,"bod\\u0079":{"a":1.50},"path":"/a",' +
      '"z":{"body":3},"method":"PUT"},"v":1}'
    expect(await entriesOf(text)).toEqual([{ line: 1, method: 'PUT', path: '/a', headers: {}, body: '{"a":1.50}' }])
  })

  it('takes the last of two members with the same name', async () => {
    expect((await entriesOf(withBody('1,"body":2.0')))[0]?.body).toBe('2.0')
  })

  it('keeps only the language and the content type of the headers', async () => {
    const headers = {
      Authorization: 'Bearer x',
      'Accept-Language': 'tr',
      cookie: 'y',
      host: 'z',
      'content-type': 'a/b',
    }
    expect((await entriesOf(line({ method: 'GET', path: '/a', headers })))[0]?.headers).toEqual({
      'accept-language': 'tr',
      'content-type': 'a/b',
    })
  })

  it('may have a body nested to any depth', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await entriesOf(`${withBody(deep)}\n${get('/b')}`)).map(({ body, path }) => body ?? path)).toEqual([
      deep,
      '/b',
    ])
  })
})

describe('a line that cannot be used', () => {
  const before = get('/before')
  const after = get('/after')

  it.each([
    ['cut off in the middle', get('/x').slice(0, 50), 'not JSON'],
    ['mixed with another', get('/x').slice(0, 50) + get('/y'), 'not JSON'],
    ['two lines in one', get('/x') + get('/y'), 'not JSON'],
    ['not JSON', 'hello', 'not JSON'],
    ['not UTF-8', Buffer.from('{"v":1,"a":"\xff"}', 'latin1'), 'not JSON'],
    ['of another version', get('/x').replace('"v":1', '"v":2'), 'version 2 is not supported, only version 1'],
    ['without a version', get('/x').replace('"v":1,', ''), 'not an exchange: it has no version number'],
    [
      'with a string as its version',
      get('/x').replace('"v":1,', '"v":"1",'),
      'not an exchange: it has no version number',
    ],
    ['null', 'null', 'not an exchange: it has no version number'],
    ['a list', '[1]', 'not an exchange: it has no version number'],
    ['without a request', '{"v":1}', 'request is missing or malformed'],
    ['with a malformed request', '{"v":1,"request":[]}', 'request is missing or malformed'],
    ['without a method', line({ path: '/a' }), 'request.method is missing or malformed'],
    ['without a method and a path', line({}), 'request.method, request.path is missing or malformed'],
    [
      'with malformed headers',
      line({ method: 'GET', path: '/', headers: 1 }),
      'request.headers is missing or malformed',
    ],
    ['with an invalid method', line({ method: 'GET /x', path: '/' }), 'invalid HTTP method'],
    ['with a whole URL as its path', line({ method: 'GET', path: 'http://x/y' }), 'the path cannot be sent as written'],
    ['with a space in the path', line({ method: 'GET', path: '/a b' }), 'the path cannot be sent as written'],
    ['with a line break in the path', line({ method: 'GET', path: '/a\r\nx' }), 'the path cannot be sent as written'],
    [
      'with a line break in a header',
      line({ method: 'GET', path: '/', headers: { 'accept-language': 'en\r\nx: y' } }),
      'the header accept-language cannot be sent as written',
    ],
    [
      'with a number as a header',
      line({ method: 'GET', path: '/', headers: { 'content-type': 1 } }),
      'the header content-type cannot be sent as written',
    ],
  ])('because it is %s is reported, and the others are read', async (_, bad, problem) => {
    const content = Buffer.concat([Buffer.from(`${before}\n`), Buffer.from(bad), Buffer.from(`\n${after}\n`)])
    expect(await outlineOf(content)).toEqual(['1: /before', `2: ${problem}`, '3: /after'])
  })

  it('because the file ends within it is reported as cut off', async () => {
    expect(await outlineOf(`${before}\n${after.slice(0, -1)}`)).toEqual(['1: /before', '2: not JSON: it is cut off'])
  })

  it('is reported without quoting it', async () => {
    const [, bad] = await entriesOf(`${get('/a')}\n{"v":1,"request":{"body":{"email":"ada@example.com"}`)
    expect(bad).toEqual({ line: 2, problem: 'not JSON: it is cut off' })
  })
})

describe('a recording', () => {
  it('may have empty lines, which are numbered too', async () => {
    expect(await outlineOf(`\n${get('/a')}\n\n  \n${get('/b')}\n\n`)).toEqual(['2: /a', '5: /b'])
  })

  it('may have a byte order mark and Windows line ends, and no final line end', async () => {
    expect(await outlineOf(`\ufeff${get('/a')}\r\n\r\n${get('/b')}`)).toEqual(['1: /a', '3: /b'])
  })

  it('may have lines that span several chunks', async () => {
    const body = JSON.stringify('ş'.repeat(70_000))
    const content = `${Array.from({ length: 20 }, () => withBody(body)).join('\n')}\n`
    const entries = await entriesOf(content)
    expect(entries.map((entry) => entry.line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(entries.map((entry) => entry.body))).toEqual(new Set([body]))
  })

  it('that is empty has no exchanges', async () => {
    for (const content of ['', '\n\n', ' ', '\ufeff', gzipSync('')]) expect(await entriesOf(content)).toEqual([])
  })

  it('need not be read to its end', async () => {
    const file = fileOf(`${get('/a')}\n`.repeat(100_000))
    for await (const entry of readRecording(file)) {
      expect(entry.line).toBe(1)
      break
    }
  })
})

describe('a gzip recording', () => {
  const lines = ['/a', '/b', '/c'].map((path) => `${get(path)}\n`)
  const CUT_OFF = 'the gzip data end early: the rest is lost'

  it('is recognised by its content, and may have several gzip members', async () => {
    expect(await outlineOf(gzipSync(lines.join('')))).toEqual(['1: /a', '2: /b', '3: /c'])
    expect(await outlineOf(Buffer.concat(lines.map((text) => gzipSync(text))))).toEqual(['1: /a', '2: /b', '3: /c'])
  })

  it('is read up to where it is cut off', async () => {
    const cut = Buffer.concat([gzipSync(lines[0] ?? ''), gzipSync(lines[1] ?? '').subarray(0, -20)])
    expect(await outlineOf(cut)).toEqual(['1: /a', '2: not JSON: it is cut off', `3: ${CUT_OFF}`])
  })

  it.each([1, 8])(
    'is reported as cut off if the last %i bytes are missing, although every line is there',
    async (bytes) => {
      const whole = Buffer.concat(lines.map((text) => gzipSync(text)))
      expect(await outlineOf(whole.subarray(0, -bytes))).toEqual(['1: /a', '2: /b', '3: /c', `4: ${CUT_OFF}`])
    },
  )

  it('is reported as cut off if nothing of it can be read', async () => {
    expect(await outlineOf(gzipSync(lines[0] ?? '').subarray(0, 15))).toEqual([`1: ${CUT_OFF}`])
  })

  it.each([0, 2])('loses nothing of what is there if it is cut off, read with pauses of %i ms', async (pause) => {
    const text = Array.from({ length: 400 }, () => `${get(`/${Math.random()}`)}\n`).join('')
    const cut = gzipSync(text).subarray(0, -1_000)
    const parts: Buffer[] = []
    let isCutOff = false
    const onCutOff = (): void => {
      isCutOff = true
    }
    for await (const part of readBytes(fileOf(cut), onCutOff)) {
      parts.push(part)
      if (pause > 0) await setTimeout(pause)
    }
    const there = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH })
    expect(Buffer.concat(parts).equals(there)).toBe(true)
    // More than one chunk of zlib, and less than a stream buffers for its reader.
    expect(there.length).toBeGreaterThan(32_768)
    expect(there.length).toBeLessThan(65_536)
    expect(isCutOff).toBe(true)
  })

  it('is read up to where it is damaged, and the first missing line is reported', async () => {
    const packed = gzipSync(Array.from({ length: 5_000 }, () => `${get(`/${Math.random()}`)}\n`).join(''))
    const entries = await entriesOf(Buffer.concat([packed, Buffer.from('garbage')]))
    expect(entries.length).toBeGreaterThan(1_000)
    expect(entries.map((entry) => entry.line)).toEqual(entries.map((_, index) => index + 1))
    const problem = 'cannot be unpacked from here on: the gzip data are damaged'
    expect(entries.flatMap((entry) => entry.problem ?? [])).toEqual([problem])
    expect(await outlineOf(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).toEqual([`1: ${problem}`])
  })
})

describe('a recording that is packed with anything but gzip', () => {
  it.each([
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x00])],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])],
    ['bzip2', Buffer.from('BZh91AY&SY')],
    ['zip', Buffer.from('PK\x03\x04\x14')],
  ])('is refused, with what helps: %s', async (name, content) => {
    const file = fileOf(content)
    const message = `${file}: packed with ${name}: unpack it, or pack it with gzip`
    await expect(entriesIn(file)).rejects.toMatchObject({ name: 'RecordingError', message })
  })
})

describe('a file that cannot be read', () => {
  const directory = newDirectory()
  mkdirSync(join(directory, 'folder'))

  it.each([
    ['missing', 'no such file or directory'],
    ['folder', 'illegal operation on a directory'],
    [join('missing', 'file'), 'no such file or directory'],
  ])('is named, with the reason: %s', async (name, reason) => {
    const file = join(directory, name)
    await expect(entriesIn(file)).rejects.toMatchObject({ name: 'RecordingError', message: `${file}: ${reason}` })
  })
})
