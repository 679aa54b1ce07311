import { describe, expect, test } from 'vitest'
import { type HttpMessage, statusOf } from '../../support/http-message.ts'
import { probe } from '../../support/probe-gateway.ts'

const LIST = 'POST /api/invoice/list HTTP/1.1'
const request = (header: string, line = LIST) =>
  `${line}\r\nHost: a\r\nAccept-Language: en\r\n${header}\r\nContent-Length: 2\r\n\r\n{}`
/** UTF-8 as the bytes that a program writes. */
const bytes = (text: string) => Buffer.from(text).toString('latin1')
const bodyOf = (answer: HttpMessage | undefined) => Buffer.from(answer?.body ?? '', 'latin1').toString()

describe('a header whose name or value is not valid is a 400 that says so, and no service is asked', () => {
  test.each([
    ['a Turkish ı, as programs write it that lower-case by their locale', bytes('accept-encodıng: gzip')],
    ['a letter in Latin-1', 'accept-encod\xfdng: gzip'],
    ['a space in the name', 'X Y: 1'],
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['no name', ': 1'],
    ['no colon', 'X-Y'],
    ['a bracket', 'X(Y): 1'],
    ['a value that goes on in the next line', 'X-Y: a\r\n b'],
    ['a NUL', 'X-Y: a\0b'],
  ])('%s', async (_, header) => {
    const { statuses, answers, v1, legacy } = await probe(request(header))
    expect(statuses).toEqual([400])
    expect(bodyOf(answers[0])).toContain(
      'İsteğin başlıklarından birinin adında veya değerinde izin verilmeyen bir karakter',
    )
    expect(v1.requests).toEqual([])
    expect(legacy.requests).toEqual([])
  })
})

describe('a header that is only unusual does not matter', () => {
  test.each([
    ['an underscore in the name', 'X_Y: 1'],
    ['a value in UTF-8', bytes('User-Agent: Kargo Şişli')],
    ['a value in Latin-1', 'User-Agent: \xde\xfe'],
    ['a language in UTF-8', bytes('Accept-Language: Türkçe')],
    ['two content types', 'Content-Type: application/json\r\nContent-Type: text/plain; charset=utf-16'],
    ['a long value', `X-Long: ${'x'.repeat(12_000)}`],
    ['Expect', 'Expect: 100-continue'],
  ])('%s', async (_, header) => {
    const { answers, v1 } = await probe(request(header), header.startsWith('Expect') ? 2 : 1)
    expect(answers.map(statusOf).filter((status) => status !== 100)).toEqual([200])
    expect(v1.requests).toHaveLength(1)
  })

  test('HTTP/1.0 is answered, and the connection is closed', async () => {
    const { answers } = await probe(request('X: 1', 'POST /api/invoice/list HTTP/1.0'))
    expect(answers.map(statusOf)).toEqual([200])
  })

  test('its bytes reach the legacy service as they are', async () => {
    const { legacy } = await probe(request(bytes('User-Agent: Kargo Şişli'), 'POST /some/where HTTP/1.1'))
    expect(legacy.requests[0]?.headers).toContainEqual(['user-agent', bytes('Kargo Şişli')])
  })
})

describe('what is not read', () => {
  test.each([
    ['a head of more than 16 KB', `X-Long: ${'x'.repeat(17_000)}`, 431],
    ['a transfer coding other than chunked', 'Transfer-Encoding: gzip, chunked', 400],
  ])('%s', async (_, header, status) => {
    const { statuses, v1 } = await probe(request(header))
    expect(statuses).toEqual([status])
    expect(v1.requests).toEqual([])
  })

  test('a transfer coding other than chunked, without a length, is a 415 that says so', async () => {
    const { statuses, answers } = await probe(
      `${LIST}\r\nHost: a\r\nAccept-Language: en\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    )
    expect(statuses).toEqual([415])
    expect(bodyOf(answers[0])).toContain('Transfer-Encoding other than chunked')
  })
})
