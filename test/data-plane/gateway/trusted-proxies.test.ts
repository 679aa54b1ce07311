import { describe, expect, it } from 'vitest'
import { readAddressRanges } from '../../../src/app/variable-schemas.ts'
import { trustedProxies } from '../../../src/data-plane/gateway/client-address.ts'

const throwing = (problem: string): never => {
  throw new Error(problem)
}
const trusting = (ranges: string) => trustedProxies(readAddressRanges(ranges, throwing))
const proxies = trusting('10.0.0.0/8, 192.0.2.7,fd00::/8 , 2001:db8::7')

describe('a trusted proxy', () => {
  it.each([
    ...['10.0.0.0', '10.255.255.255', '::ffff:10.0.0.1', '::ffff:a00:1', '192.0.2.7', '::FFFF:192.0.2.7'],
    ...['fd00::', 'FDff:1::1', 'fd00::1%eth0', '2001:db8::7', '2001:0DB8:0:0::0007'],
  ])('is %s', (address) => {
    expect(proxies.has(address)).toBe(true)
  })

  it.each(['11.0.0.0', '9.255.255.255', '192.0.2.8', 'fe00::1', '2001:db8::8', '::a00:1', '::1', '', 'proxy.local'])(
    'is not %j',
    (address) => {
      expect(proxies.has(address)).toBe(false)
    },
  )

  it('matches as IPv4 when its range is written as IPv6, and always when the range is everything', () => {
    expect(trusting('::ffff:10.0.0.0/104').has('10.1.2.3')).toBe(true)
    expect(trusting('::ffff:10.0.0.0/104').has('11.1.2.3')).toBe(false)
    expect(trusting('10.1.2.3/8').has('10.255.0.1')).toBe(true)
    expect(trusting('0.0.0.0/0,::/0').has('2001:db8::1')).toBe(true)
  })
})

const PROXY = '10.0.0.1'

describe('the client behind a trusted proxy', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.1, 192.0.2.1', '192.0.2.1'],
    ['198.51.100.1, 192.0.2.1, 10.0.0.2,10.0.0.3', '192.0.2.1'],
    ['192.0.2.1,fd00::1', '192.0.2.1'],
    ['10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    [',, 192.0.2.1 ,, ', '192.0.2.1'],
    ['192.0.2.1, unknown', PROXY],
    ['192.0.2.1, 10.0.0.2, unknown, 10.0.0.3', '10.0.0.3'],
    ['192.0.2.1, <script>', PROXY],
    ['192.0.2.1, 1.2.3', PROXY],
    ['192.0.2.1, 010.0.0.2', PROXY],
    ['192.0.2.1, proxy.local', PROXY],
    ['192.0.2.1, "10.0.0.2"', PROXY],
    ['', PROXY],
    [' , ', PROXY],
  ])('by X-Forwarded-For %j is %s', (chain, client) => {
    expect(proxies.clientBehind(PROXY, { 'x-forwarded-for': chain })).toBe(client)
  })

  it.each([
    ['for=192.0.2.1', '192.0.2.1'],
    ['For="192.0.2.1:4711";proto=https;by=203.0.113.43', '192.0.2.1'],
    ['proto=http ; host="a.example:80" ; for="[2001:DB8::1]:4711"', '2001:db8::1'],
    ['for="[2001:db8::1]"', '2001:db8::1'],
    ['for="[2001:db8::1]:_port"', '2001:db8::1'],
    ['for=192.0.2.1:4711', '192.0.2.1'],
    ['for=198.51.100.1, for=192.0.2.1;proto=http, for=10.0.0.2', '192.0.2.1'],
    ['for=192.0.2.1, for=unknown', PROXY],
    ['for=192.0.2.1, for=_hidden', PROXY],
    ['for=192.0.2.1, for="_SEVKISEK:80", for=10.0.0.3', '10.0.0.3'],
    ['for=192.0.2.1, proto=https', PROXY],
    ['for=192.0.2.1;for=198.51.100.1', PROXY],
    ['for=192.0.2.1;', '192.0.2.1'],
    ['for=', PROXY],
    ['192.0.2.1', PROXY],
    // What a client wrote cannot swallow what a proxy appended.
    ['for=", for=192.0.2.1', '192.0.2.1'],
    ['for=192.0.2.1;host="x, for=198.51.100.1"', PROXY],
    ['for=192.0.2.1;host="x, for=198.51.100.1;a=\\""', PROXY],
  ])('by Forwarded %j is %s', (forwarded, client) => {
    expect(proxies.clientBehind(PROXY, { forwarded, 'x-forwarded-for': '203.0.113.9' })).toBe(client)
  })

  it('is the proxy itself, in one spelling, when no header names it', () => {
    expect(proxies.clientBehind('::ffff:10.0.0.1', {})).toBe('10.0.0.1')
    expect(proxies.clientBehind(PROXY, { forwarded: '', 'x-forwarded-for': '192.0.2.1' })).toBe('192.0.2.1')
  })

  it('is looked for in a limited number of entries, as many as proxies could have made', () => {
    const chain = ['192.0.2.1', ...Array.from({ length: 5_000 }, () => '10.0.0.2')].join()
    expect(proxies.clientBehind(PROXY, { 'x-forwarded-for': chain })).toBe('10.0.0.2')
    expect(proxies.clientBehind(PROXY, { 'x-forwarded-for': ','.repeat(16_000) })).toBe(PROXY)
  })
})

it('warns once when the two headers of a call name different clients', () => {
  let conflicts = 0
  const ranges = readAddressRanges('10.0.0.0/8', (problem) => expect.unreachable(problem))
  const proxies = trustedProxies(ranges, () => conflicts++)
  const ask = (forwarded: string, forwardedFor: string) =>
    proxies.clientBehind('10.0.0.1', { forwarded, 'x-forwarded-for': forwardedFor })
  expect(ask('for=192.0.2.1', '192.0.2.1')).toBe('192.0.2.1')
  expect(conflicts).toBe(0)
  for (let call = 0; call < 3; call++) expect(ask('for=192.0.2.1', '198.51.100.1')).toBe('192.0.2.1')
  expect(conflicts).toBe(1)
})
