import { describe, expect, test } from 'vitest'
import type { ConfigError } from '../../../src/app/config.ts'
import { readConfig } from '../../../src/app/config.ts'
import { proxyFor } from '../../../src/data-plane/upstream/proxy.ts'

const PROXY = { origin: 'http://proxy.test:3128', authorization: undefined }
const isProxied = (service: string, except: string): boolean =>
  proxyFor(new URL(service), { proxy: PROXY, except }) !== undefined

describe('NO_PROXY', () => {
  test.each<readonly [string, string]>([
    ['*', 'https://a.test'],
    ['a.test', 'https://a.test'],
    ['A.TEST', 'https://a.test'],
    ['a.test.', 'https://a.test'],
    ['a.test', 'https://a.test.'],
    ['a.test', 'https://deep.down.a.test/prefix'],
    ['.a.test', 'https://a.test'],
    ['.a.test', 'https://b.a.test'],
    ['*.a.test', 'https://b.a.test'],
    ['x.test, a.test', 'https://a.test'],
    ['x.test a.test', 'https://a.test'],
    ['a.test:443', 'https://a.test'],
    ['a.test:8443', 'https://a.test:8443'],
    ['*:8443', 'https://a.test:8443'],
    ['localhost', 'https://localhost:8443'],
    ['127.0.0.1', 'https://127.0.0.1:8443'],
    ['10.0.0.0/8', 'https://10.1.2.3'],
    ['::1', 'https://[::1]:8443'],
    ['[::1]', 'https://[::1]'],
    ['[::1]:8443', 'https://[::1]:8443'],
    ['fd00:0:0::/16', 'https://[fd00::7]'],
  ])('%s means %s', (except, service) => {
    expect(isProxied(service, except)).toBe(false)
  })

  test.each<readonly [string, string]>([
    ['', 'https://a.test'],
    ['a.test', 'https://ba.test'],
    ['a.test', 'https://a.test.example'],
    ['b.a.test', 'https://a.test'],
    ['*.a.test', 'https://a.test'],
    ['a.test:8443', 'https://a.test'],
    ['*:8443', 'https://a.test'],
    ['', 'https://localhost'],
    ['', 'https://127.0.0.1'],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/', 'https://11.1.2.3'],
    ['10.0.0.0/99', 'https://10.1.2.3'],
    ['0.1', 'https://127.0.0.1'],
    ['::/0', 'https://127.0.0.1'],
    [', .', 'https://a.test'],
  ])('%s does not mean %s', (except, service) => {
    expect(isProxied(service, except)).toBe(true)
  })

  test('is irrelevant to a service over http, which is always connected to directly', () => {
    expect(isProxied('http://a.test', '')).toBe(false)
  })
})

describe('HTTPS_PROXY', () => {
  const settings = (env: Record<string, string>) => readConfig(env).connecting.proxy

  test.each([
    ['http://proxy.test:3128', 'http://proxy.test:3128'],
    ['https://proxy.test/', 'https://proxy.test'],
    ['proxy.test:3128', 'http://proxy.test:3128'],
  ])('is %s', (url, origin) => {
    expect(settings({ HTTPS_PROXY: url })).toEqual({ proxy: { origin, authorization: undefined }, except: '' })
  })

  test('may hold credentials, which are kept apart from the address', () => {
    const { proxy } = settings({ HTTPS_PROXY: 'http://me%40home:h%C3%BCsh@proxy.test:3128' }) ?? {}
    expect(proxy?.origin).toBe('http://proxy.test:3128')
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('me@home:hüsh').toString('base64')}`)
  })

  test('gives way to https_proxy, as NO_PROXY does to no_proxy; an empty one counts as unset', () => {
    const env = { HTTPS_PROXY: 'http://upper.test', https_proxy: 'http://lower.test', NO_PROXY: 'a', no_proxy: 'b' }
    expect(settings(env)).toMatchObject({ proxy: { origin: 'http://lower.test' }, except: 'b' })
    expect(settings({ ...env, https_proxy: '', no_proxy: '' })).toMatchObject({
      ...{ proxy: { origin: 'http://upper.test' }, except: 'a' },
    })
    expect(settings({ HTTPS_PROXY: '', NO_PROXY: 'a' })).toBeUndefined()
  })

  test.each([
    ...[
      'socks5://hush.test',
      'http://',
      'http://hush.test/path',
      'http://hush.test?x',
      'not a url',
      'http://hush:%zz@x.test',
    ],
  ])('is named in the error when it is %s, without its value', (url) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      try {
        readConfig({ [name]: url })
        expect.unreachable()
      } catch (error) {
        const { problems } = error as ConfigError
        expect(problems).toEqual([
          expect.stringMatching(new RegExp(`^${name} must be the http or https URL of a proxy`)),
        ])
        expect(problems.join()).not.toContain('hush')
      }
    }
  })
})
