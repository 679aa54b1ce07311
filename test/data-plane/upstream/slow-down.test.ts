import { expect, test } from 'vitest'
import { slowDowns } from '../../../src/data-plane/upstream/slow-down.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../../../src/data-plane/upstream/upstream.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { openTestUpstream, read } from '../../support/open-upstream.ts'

const compare: UpstreamRequest = { ...read, headers: { 'x-gateway-purpose': 'compare' } }
const health: UpstreamRequest = { ...read, headers: { 'x-gateway-purpose': 'health' } }

const answered = (status: number, headers: UpstreamAnswer['headers']): UpstreamAnswer => ({
  ...{ status, headers, body: new Uint8Array(), milliseconds: 1 },
})

/** For how long a service is left alone after this answer, in seconds; undefined: the answer was taken. */
function leftAloneAfter(status: number, headers: UpstreamAnswer['headers']): number | undefined {
  let now = 0
  let next = answered(status, headers)
  const slowDown = slowDowns(undefined, () => now)
  const isRefused = (): boolean => {
    try {
      slowDown.check(compare)
      slowDown.heed(compare, next)
      return false
    } catch (error) {
      return (error as { readonly kind?: string }).kind === 'asked to slow down'
    }
  }
  if (!isRefused()) return undefined
  next = answered(200, {})
  while (isRefused()) now += 1_000
  return now / 1_000
}

const inSeconds = (seconds: number): Date => new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000)

test.each([
  ['429 with seconds', 429, { 'retry-after': '7' }, 7],
  ['503 with seconds', 503, { 'retry-after': ' 7 ' }, 7],
  ['five minutes', 429, { 'retry-after': '300' }, 300],
  ['more than five minutes', 429, { 'retry-after': '301' }, 300],
  ['a day', 503, { 'retry-after': '86400' }, 300],
  ['a number too large', 429, { 'retry-after': '9999999999' }, 300],
  ['429 without a time', 429, {}, 0],
  ['503 without a time', 503, {}, undefined],
  ['503 and no time', 503, { 'retry-after': '0' }, undefined],
  ['a success with a time', 200, { 'retry-after': '7' }, undefined],
  ['another error with a time', 500, { 'retry-after': '7' }, undefined],
])('a service is left alone for as long as it asks: %s', async (_, status, headers, seconds) => {
  expect(leftAloneAfter(status, headers)).toBe(seconds)
})

test.each([
  ['an IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['a date of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['a date of asctime', 'Sun Nov  6 08:49:37 1994'],
])('a time is read by the clock of the service: %s', async (_, written) => {
  const date = 'Sun, 06 Nov 1994 08:48:37 GMT'
  expect(leftAloneAfter(503, { 'retry-after': written, date })).toBe(60)
})

test('without a clock of the service, a time is read by the gateway’s', async () => {
  const seconds = leftAloneAfter(503, { 'retry-after': inSeconds(100).toUTCString() })
  expect(seconds).toBeGreaterThan(95)
  expect(seconds).toBeLessThanOrEqual(102)
  expect(leftAloneAfter(503, { 'retry-after': inSeconds(100_000).toUTCString() })).toBe(300)
})

test.each(['', 'soon', '-5', '1e3', '7.5', '7, 8', '0x10', '2030-01-01', '٧', 'Sun, 99 Nov 2094 08:49:37 GMT', 'Sun'])(
  'nonsense is ignored: %j',
  async (written) => {
    expect(leftAloneAfter(503, { 'retry-after': written })).toBeUndefined()
    expect(leftAloneAfter(429, { 'retry-after': written })).toBe(0)
  },
)

test('a time that is over is none', async () => {
  expect(leftAloneAfter(503, { 'retry-after': inSeconds(-100).toUTCString() })).toBeUndefined()
})

test('meanwhile nothing of the gateway’s own is sent but what finds out whether the service is well, and clients’ calls are', async () => {
  const server = await startHttpServer((_, response) => response.writeHead(503, { 'Retry-After': '60' }).end())
  const upstream = openTestUpstream(server.url)
  expect((await upstream.call(read)).status).toBe(503)
  expect((await upstream.call(read)).status).toBe(503)
  for (let times = 0; times < 3; times++) {
    await expect(upstream.call(compare)).rejects.toMatchObject({ kind: 'asked to slow down' })
  }
  expect(server.received).toHaveLength(3)
  expect((await upstream.call(health)).status).toBe(503)
  expect((await upstream.call(read)).status).toBe(503)
  expect(server.received).toHaveLength(5)
})

test('a client’s own 429 does not stop the gateway’s calls, and the answer to a check of health does', async () => {
  const server = await startHttpServer((_, response) => response.writeHead(429, { 'Retry-After': '60' }).end())
  const upstream = openTestUpstream(server.url)
  expect((await upstream.call(read)).status).toBe(429)
  expect((await upstream.call(health)).status).toBe(429)
  expect(server.received).toHaveLength(2)
  await expect(upstream.call(compare)).rejects.toMatchObject({ kind: 'asked to slow down' })
  expect(server.received).toHaveLength(2)
})
