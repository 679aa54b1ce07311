import { describe, expect, it } from 'vitest'
import { entriesOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

const FORM = 'application/x-www-form-urlencoded'

/** A HAR with one POST. */
const har = (postData: object, request: object = {}): string => {
  const whole = { method: 'POST', url: 'https://h/a', headers: [], bodySize: -1, postData, ...request }
  return JSON.stringify({ log: { version: '1.2', entries: [{ request: whole, response: { status: 200 } }] } })
}
const length = (bytes: number): object => ({ headers: [{ name: 'Content-Length', value: String(bytes) }] })
const PARTS = '1: a form: request.postData has params and no text'

describe('a form in a HAR', () => {
  it.each([
    [
      'whose parts mean only one thing',
      [
        ['a', '1'],
        ['b', 'Ş x'],
      ],
      {},
      'a=1&b=%C5%9E+x',
    ],
    ['that was as long as its parts encoded', [['a', '1+2 %']], length(11), 'a=1%2B2+%25'],
    ['that was as long with %20 for a space', [['a', 'x y%']], length(10), 'a=x%20y%25'],
    ['that was as long as its encoded parts', [['a', 'x%20y']], length(7), 'a=x%20y'],
    ['of its bodySize', [['a', 'x+y']], { bodySize: 5 }, 'a=x+y'],
  ] as const)('is put together from its parts: one %s', async (_, parts, request, body) => {
    const params = parts.map(([name, value]) => ({ name, value }))
    const [entry] = await entriesOf(har({ mimeType: `${FORM}; charset=UTF-8`, params }, request))
    expect(entry).toMatchObject({ body, headers: { 'content-type': `${FORM}; charset=UTF-8` } })
  })

  it.each([
    ['whose parts may be encoded or not', FORM, [{ name: 'a', value: 'x%20y' }], {}],
    ['that was longer', FORM, [{ name: 'a', value: '1' }], length(57)],
    ['with a file', FORM, [{ name: 'a', value: '1', fileName: 'a.pdf' }], {}],
    ['of several media types', 'multipart/form-data; boundary=x', [{ name: 'a', value: '1' }], {}],
  ])('is not replayed if it has only parts: one %s', async (_, mimeType, params, request) => {
    const [entry] = await entriesOf(har({ mimeType, params }, request))
    expect(entry).toMatchObject({ problem: PARTS.slice(3), call: { method: 'POST', path: '/a' } })
  })
})

describe('a body in another charset', () => {
  const type = (charset: string): string => `application/json; charset=${charset}`
  const bodyOf = async (charset: string, text: string, request: object) => {
    const [entry] = await entriesOf(har({ mimeType: type(charset), text }, request))
    return entry?.problem ?? entry?.body
  }

  it('is sent in its bytes if its length tells them', async () => {
    expect(await bodyOf('iso-8859-9', '{"a":"ş"}', length(10))).toBe('{"a":"ş"}')
    expect(await bodyOf('UTF-8', '{"a":"ş"}', {})).toBe('{"a":"ş"}')
    expect(await bodyOf('windows-1254', '{"a":"s"}', {})).toBe('{"a":"s"}')
    // 0xfe is the letter ş in windows-1254. As UTF-8 it is no letter.
    expect(await bodyOf('windows-1254', '{"a":"ş"}', length(9))).toBe('{"a":"\ufffd"}')
  })

  it('is not replayed if nothing tells its bytes', async () => {
    const why = 'its body was sent in another charset than UTF-8'
    expect(await bodyOf('iso-8859-9', '{"a":"ş"}', {})).toBe(why)
    expect(await bodyOf('iso-8859-9', '{"a":"漢"}', length(9))).toBe(why)
    expect(await bodyOf('unheard-of', '{"a":"ş"}', length(9))).toBe(why)
  })
})

describe('an entry with a letter that was lost', () => {
  const LOST = '1: it holds U+FFFD, in place of a letter that was lost: the file, or the text before it, was not UTF-8'
  const json = (text: string, url = 'https://h/a'): string => har({ mimeType: 'application/json', text }, { url })

  it('is not replayed', async () => {
    for (const lost of [json('{"a":"\ufffdule"}'), json('{"a":"\\ufffdule"}'), json('{}', 'https://h/a?q=\ufffd')]) {
      expect(await outlineOf(lost)).toEqual([LOST])
    }
    expect(await outlineOf(json('{}', 'https://h/a?q=%EF%BF%BDule'))).toEqual([LOST])
  })

  it('is not replayed where the file is in ISO-8859-9; other entries are', async () => {
    const request = (search: string): object => ({
      request: { method: 'POST', url: 'https://h/a', headers: [], postData: { text: `{"search":"${search}"}` } },
    })
    const text = JSON.stringify({ log: { version: '1.2', entries: [request('X'), request('Ö'), request('Y')] } })
    expect(await outlineOf(Buffer.from(text, 'latin1'))).toEqual(['1: /a', LOST.replace('1', '2'), '3: /a'])
  })
})

describe('an entry that no server answered', () => {
  const entry = (response: object | undefined, method = 'POST'): string =>
    JSON.stringify({ log: { version: '1.2', entries: [{ request: { method, url: 'https://h/a?x=1' }, response }] } })
  const NOT_ANSWERED = '1: it got no answer, so it may have reached no server: blocked, aborted or offline'

  it.each([
    ['Chrome', { status: 0, statusText: '', headers: [], _transferSize: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' }],
    ['Firefox, Safari and Insomnia', { status: 0, headers: [], content: { size: 0, mimeType: '' }, bodySize: -1 }],
    ['Playwright', { status: -1, statusText: '', headers: [], _failureText: 'net::ERR_ABORTED' }],
    ['mitmproxy', { status: 0, statusText: '', _error: 'Client disconnected.' }],
    ['others, without a status', { _error: 'net::ERR_FAILED' }],
  ])('is not replayed, as %s write it', async (_, response) => {
    expect(await outlineOf(entry(response))).toEqual([NOT_ANSWERED])
    expect(await outlineOf(entry(response, 'get'))).toEqual([NOT_ANSWERED])
  })

  it('is one only if the file says so', async () => {
    for (const response of [undefined, {}, { status: 304 }, { status: 500 }, { status: 200, _error: null }]) {
      expect(await outlineOf(entry(response))).toEqual(['1: /a?x=1'])
    }
  })
})

describe('a request of a HAR', () => {
  const request = (more: object): string =>
    JSON.stringify({ log: { version: '1.2', entries: [{ request: { method: 'GET', url: 'https://h/a', ...more } }] } })

  it('has its method in upper case, as programs send it that write it in lower case', async () => {
    expect(await entriesOf(request({ method: 'post' }))).toMatchObject([{ method: 'POST' }])
  })

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method'])('is not replayed without its header %s', async (name) => {
    const [entry] = await entriesOf(request({ headers: [{ name, value: 'DELETE' }] }))
    expect(entry?.problem).toBe(`its header ${name.toLowerCase()} is not replayed, and changes what the call does`)
  })

  it('is not replayed if its body was compressed', async () => {
    const headers = [
      { name: 'Content-Encoding', value: 'gzip' },
      { name: 'Content-Length', value: '25' },
    ]
    const [entry] = await entriesOf(request({ method: 'POST', headers, postData: { text: '{"a":1}' } }))
    expect(entry?.problem).toBe('its header content-encoding is not replayed, and changes what the call does')
  })
})
