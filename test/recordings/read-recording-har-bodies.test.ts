import { describe, expect, it } from 'vitest'
import { entriesOf, outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

/** A HAR of these requests, as programs other than browsers write it. */
const har = (...requests: readonly object[]): string =>
  JSON.stringify({ log: { version: '1.2', entries: requests.map((request) => ({ request, response: {} })) } })
const post = (request: object): object => ({
  method: 'POST',
  url: 'https://legacy.example/api/calculate/price',
  ...request,
})
const header = (name: string, value: unknown): object => ({ name, value })
const json = header('Content-Type', 'application/json')
const missing = (had: string): string => `${had} that is not in the file; export it again with its content`

describe('an entry of a HAR whose body is not in the file', () => {
  it.each([
    ['its bodySize', post({ bodySize: 57 })],
    ['Content-Length', post({ bodySize: 0, headers: [json, header('Content-Length', '57')] })],
    ['Content-Length over HTTP/2', post({ bodySize: -1, headers: [header('content-length', ' 57 ')] })],
    ['Content-Length, as a number', post({ headers: [header('Content-Length', 57)] })],
    [
      'its bodySize, although the text is empty',
      post({ postData: { mimeType: 'application/json', text: '' }, bodySize: 57 }),
    ],
    ['its bodySize, although the text is null', post({ bodySize: 57, postData: { text: null, params: [] } })],
    ['Content-Length of a GET', { ...post({ headers: [header('Content-Length', '57')] }), method: 'GET' }],
  ])('is reported with its length: %s', async (_, request) => {
    expect(await outlineOf(har(request))).toEqual([`1: ${missing('had a body of 57 bytes')}`])
  })

  it.each([
    ['Transfer-Encoding', post({ bodySize: 0, headers: [json, header('Transfer-Encoding', 'chunked')] })],
    ['a file beside the HAR', post({ bodySize: -1, postData: { text: '', _file: '0a1b.json' } })],
    ['a media type without a length', post({ bodySize: -1, headers: [json] })],
    ['the media type of postData', post({ bodySize: -1, postData: { mimeType: 'application/json' } })],
  ])('is reported without its length: %s', async (_, request) => {
    expect(await outlineOf(har(request))).toEqual([`1: ${missing('had a body')}`])
  })

  it('is reported by its number, and the others are read', async () => {
    const whole = post({ bodySize: 2, headers: [header('Content-Length', '2')], postData: { text: '{}' } })
    expect(await outlineOf(har(whole, post({ bodySize: 57 }), whole, post({ bodySize: 3 })))).toEqual([
      '1: /api/calculate/price',
      `2: ${missing('had a body of 57 bytes')}`,
      '3: /api/calculate/price',
      `4: ${missing('had a body of 3 bytes')}`,
    ])
  })

  it.each([
    ['cut off', '{"packages":[{"len', '2000000'],
    ['shorter, although it is JSON', '{"a":1}', '57'],
    ['longer', '{"a":1,"b":2}', '7'],
    ['shorter in bytes, although not in letters', '{"a":"ş"}', '9'],
  ])('is reported if the text is %s', async (_, text, length) => {
    const request = post({ headers: [header('Content-Length', length)], postData: { text } })
    const bytes = Buffer.byteLength(text)
    expect(await outlineOf(har(request))).toEqual([
      `1: the file has ${bytes} bytes of its body, of which ${length} were sent`,
    ])
  })

  it('is reported if the text is not the base64 that it claims to be', async () => {
    const request = post({ bodySize: 2, postData: { text: '{}', encoding: 'base64' } })
    expect(await outlineOf(har(request))).toEqual(['1: request.postData.text is not base64'])
  })
})

describe('an entry of a HAR without text', () => {
  it.each([
    ['no size', post({})],
    ['a size of 0', post({ bodySize: 0, headers: [json] })],
    ['Content-Length: 0', post({ bodySize: 0, headers: [json, header('Content-Length', '0')] })],
    ['a length of 0 and an unknown size', post({ bodySize: -1, headers: [json, header('content-length', '0')] })],
    ['an unknown size', post({ bodySize: -1 })],
    ['a GET that names a media type', { ...post({ bodySize: -1, headers: [json] }), method: 'GET' }],
    ['a Content-Length that is not a number', post({ headers: [header('Content-Length', 'x')] })],
    ['a size that is not a number', post({ bodySize: { of: 57 } })],
    ['a size only for the answer', { ...post({}), response: { bodySize: 57 } }],
  ])('had no body if it has %s', async (_, request) => {
    const [entry] = await entriesOf(har(request))
    expect(entry).toMatchObject({ path: '/api/calculate/price' })
    expect(entry).not.toHaveProperty('body')
  })
})

describe('a body of a HAR', () => {
  it.each([
    ['of an unknown size', '{"a":1}', { bodySize: -1 }],
    ['of no size, as programs write that do not know it', '{"a":1}', { bodySize: 0 }],
    ['counted in letters', '{"a":"ş"}', { bodySize: 9 }],
    ['not encoded', '{"a":1}', { headers: [header('Content-Encoding', 'identity')] }],
    ['of multi-byte characters', '{"a":"ş"}', { bodySize: 10, headers: [header('Content-Length', '10')] }],
    ['complete, but not JSON', 'hello', { bodySize: 5, headers: [header('Content-Length', '5')] }],
  ])('that is %s is its text', async (_, text, request) => {
    expect((await entriesOf(har(post({ ...request, postData: { text } }))))[0]?.body).toBe(text)
  })
})
