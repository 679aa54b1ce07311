import { describe, expect, test } from 'vitest'
import { expectArrival, expectRefusal } from '../../support/expect-probed.ts'
import { failing } from '../../support/failing-inputs.ts'
import { headerOf } from '../../support/http-message.ts'
import { probe, ROUTES } from '../../support/probe-gateway.ts'

/** A request hidden in another one. It must not arrive. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: hidden\r\n\r\n'

const request = (route: string, ...headers: readonly string[]): string =>
  [`${route} HTTP/1.1`, 'Host: gateway', ...headers, '', ''].join('\r\n')
const chunked = (body: string, header = 'Transfer-Encoding: chunked') => [header, body] as const
const length = (value: string) => [`Content-Length: ${value}`, '{}'] as const
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n'

/** Requests whose end is ambiguous or undefined: header lines, and what follows them. */
const refused: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  'a length and chunks': ['Content-Length: 2\r\nTransfer-Encoding: chunked', CHUNKS],
  'chunks and a length': ['Transfer-Encoding: chunked\r\nContent-Length: 2', CHUNKS],
  'a length that hides what follows the chunks': ['Content-Length: 60\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  'two lengths': ['Content-Length: 2\r\nContent-Length: 41', '{}'],
  'twice the same length': ['Content-Length: 2\r\nContent-Length: 2', '{}'],
  'a list of lengths': length('2, 2'),
  'a length with a plus': length('+2'),
  'a negative length': length('-2'),
  'a hexadecimal length': length('0x2'),
  'a length of two numbers': length('2 2'),
  'a length with a point': length('2.0'),
  'an empty length': length(''),
  'a length that no number holds': length('9'.repeat(30)),
  'a length of 2 behind 2^64': length('18446744073709551618'),
  'chunked, identity': chunked(CHUNKS, 'Transfer-Encoding: chunked, identity'),
  identity: ['Transfer-Encoding: identity\r\nContent-Length: 2', '{}'],
  'chunked, chunked': chunked(CHUNKS, 'Transfer-Encoding: chunked, chunked'),
  'chunked in two lines': chunked(CHUNKS, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
  'chunked, and identity in a line of its own': chunked(
    CHUNKS,
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  ),
  xchunked: chunked(CHUNKS, 'Transfer-Encoding: xchunked'),
  'chunked with a parameter': chunked(CHUNKS, 'Transfer-Encoding: chunked;q=1'),
  '"chunked" in quotes': chunked(CHUNKS, 'Transfer-Encoding: "chunked"'),
  'chunked behind a vertical tab': chunked(CHUNKS, 'Transfer-Encoding: \vchunked'),
  'chunked behind a NUL': chunked(CHUNKS, 'Transfer-Encoding: \0chunked'),
  'chunked in a folded line': chunked(CHUNKS, 'Transfer-Encoding:\r\n chunked'),
  'chunked with a space before the colon': chunked(CHUNKS, 'Transfer-Encoding : chunked'),
  'chunked in a line that starts with a space': chunked(CHUNKS, ' Transfer-Encoding: chunked'),
  'chunked behind a bare line feed': chunked(CHUNKS, 'X: y\nTransfer-Encoding: chunked'),
  'chunked behind a bare carriage return': chunked(CHUNKS, 'X: y\rTransfer-Encoding: chunked'),
  'a length with a space before the colon': ['Content-Length : 2', '{}'],
  'a folded header': ['X: y\r\n\tz\r\nContent-Length: 2', '{}'],
  'a header without a colon': ['X\r\nContent-Length: 2', '{}'],
  'a header without a name': [': y\r\nContent-Length: 2', '{}'],
  'a header name with a space': ['X Y: z\r\nContent-Length: 2', '{}'],
  'a header name with a NUL': ['X\0Y: z\r\nContent-Length: 2', '{}'],
  'a header value with a NUL': ['X: y\0z\r\nContent-Length: 2', '{}'],
  'a header value with a control character': ['X: y\x01z\r\nContent-Length: 2', '{}'],
  'a bare line feed at the end of the head': ['Content-Length: 2\r\n\n{}', ''],
  'a chunk size that no number holds': chunked(`${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`),
  'a chunk size of 2 behind 2^64': chunked('10000000000000002\r\n{}\r\n0\r\n\r\n'),
  'a negative chunk size': chunked('-2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size with 0x': chunked('0x2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size behind a space': chunked(' 2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size before a space': chunked('2 \r\n{}\r\n0\r\n\r\n'),
  'no chunk size': chunked('\r\n{}\r\n0\r\n\r\n'),
  'a chunk longer than its size': chunked('2\r\n{}{}\r\n0\r\n\r\n'),
  'chunks with bare line feeds': chunked('2\n{}\n0\n\n'),
  'a chunk extension with a carriage return': chunked('2;a="\r"\r\n{}\r\n0\r\n\r\n'),
  'a chunk extension that ends in a line feed': chunked('2;a\n{}\r\n0\r\n\r\n'),
  'a chunk extension without an end': chunked(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  'a trailer that is a length': chunked('2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n'),
}

/** Requests with one clear end, in the pieces in which they are sent. */
const clear = (route: string): Readonly<Record<string, readonly string[]>> => ({
  'a length with zeros before it': [request(route, 'Content-Length: 002'), '{}'],
  'its length in lower case': [request(route, 'content-length:2'), '{}'],
  chunks: [request(route, 'Transfer-Encoding: chunked'), CHUNKS],
  'chunks, each byte by itself': [
    ...[request(route, 'Transfer-Encoding: chunked'), '1\r\n{\r\n', '1\r\n}\r\n0\r\n\r\n'],
  ],
  'CHUNKED behind a tab': [request(route, 'Transfer-Encoding:\tCHUNKED'), CHUNKS],
  'chunks with zeros before their sizes': [request(route, 'Transfer-Encoding: chunked'), `000000${CHUNKS}`],
  'chunk extensions': [request(route, 'Transfer-Encoding: chunked'), '2;a;b=c;d="e"\r\n{}\r\n0;f\r\n\r\n'],
  trailers: [request(route, 'Transfer-Encoding: chunked'), '2\r\n{}\r\n0\r\nAuthorization: x\r\nX: y\r\n\r\n'],
  'Transfer_Encoding, which is another header': [
    ...[request(route, 'Transfer_Encoding: chunked', 'Content-Length: 2'), '{}'],
  ],
  'empty lines before it': [`\r\n\r\n${request(route, 'Content-Length: 2')}`, '{}'],
})

describe.each(ROUTES)('to %s', (route) => {
  test('each request whose end is ambiguous or undefined is refused, and nothing of it arrives', async () => {
    const inputs = Object.entries(refused).map(([name, [headers, body]]) => ({
      name,
      bytes: request(route, headers) + body + HIDDEN,
    }))
    expect(await failing(inputs, async ({ bytes }) => expectRefusal(await probe(bytes)))).toEqual([])
  })

  test('each request with one clear end arrives as a plain one', async () => {
    const inputs = Object.entries(clear(route)).map(([name, pieces]) => ({ name, pieces }))
    expect(await failing(inputs, async ({ pieces }) => expectArrival(route, await probe(pieces)))).toEqual([])
  })

  // RFC 9112 section 6.1: a body with a transfer coding other than chunked would arrive as something else.
  test('a request with a transfer coding that the gateway does not decode is refused', async () => {
    expectRefusal(await probe(request(route, 'Transfer-Encoding: gzip, chunked') + CHUNKS))
  })

  test('requests that are sent together arrive one by one, and are answered in order', async () => {
    const one = `${request(route, 'Content-Length: 2')}{}`
    expectArrival(route, await probe(one.repeat(3), 3), 3)
  })

  test('bytes after a body that are not a request do not arrive', async () => {
    const { statuses, answers, v1, legacy } = await probe(`${request(route, 'Content-Length: 2')}{}xx${HIDDEN}`)
    expect(statuses).toEqual([200])
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['close'])
    const lines = [...v1.requests, ...legacy.requests].map(({ line }) => line)
    expect(lines.filter((line) => line.includes('hidden'))).toEqual([])
    for (const { body } of legacy.requests) expect(body).toBe('{}')
  })

  test('chunks that break off in the middle never arrive whole', async () => {
    const pieces = [request(route, 'Transfer-Encoding: chunked'), '2\r\n{}\r\n', `x\r\n${HIDDEN}`]
    const { statuses, v1, legacy } = await probe(pieces)
    expect(statuses).toEqual([400])
    expect([...v1.requests, ...legacy.requests]).toEqual([])
    expect(v1.rest + legacy.rest).not.toContain('hidden')
  })
})
