import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/app/config.ts'
import { refuseRealServices } from '../src/app/config-of-copy.ts'
import { startConfigured } from './support/start-configured.ts'

const REAL = { V1_BASE_URL: 'https://v1.test', LEGACY_BASE_URL: 'http://old.test:81' }
const ACCOUNT = { V1_COPY_CLIENT_ID: 'c', V1_COPY_SECRET_KEY: 'hidden' }
const COPY = { V1_COPY_BASE_URL: 'http://127.0.0.1:9000', ...ACCOUNT }

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...REAL, ...env })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('a copy of v1', () => {
  it('has an address, an account and the header of its release', () => {
    expect(readConfig({ ...REAL, ...COPY, V1_COPY_RELEASE_HEADER: 'X-Release' }).copy).toEqual({
      baseUrl: new URL('http://127.0.0.1:9000'),
      account: { clientId: 'c', secretKey: 'hidden' },
      releaseHeader: 'x-release',
    })
    expect(readConfig(REAL).copy).toBeUndefined()
  })

  it('must be said to be one, unless its address is loopback', () => {
    const elsewhere = { ...COPY, V1_COPY_BASE_URL: 'https://v1-test.test' }
    expect(problemsOf(elsewhere)).toEqual([
      'V1_COPY_IS_A_COPY must be yes when V1_COPY_BASE_URL is not a loopback address: whoever sets it says that what is created there harms nobody',
    ])
    expect(problemsOf({ ...elsewhere, V1_COPY_IS_A_COPY: 'yes' })).toEqual([])
    expect(problemsOf({ ...elsewhere, V1_COPY_IS_A_COPY: 'true' })).toContain(
      'V1_COPY_IS_A_COPY must be yes, or not set',
    )
  })

  it.each([
    ['V1_BASE_URL', 'https://v1.test'],
    ['V1_BASE_URL', 'https://V1.test:443/other'],
    ['V1_BASE_URL', 'https://v1.test./'],
    ['V1_BASE_URL', 'http://v1.test'],
    ['LEGACY_BASE_URL', 'http://old.test:81'],
  ])('must not be the service of %s: %s', (name, url) => {
    const problems = problemsOf({ ...COPY, V1_COPY_BASE_URL: url, V1_COPY_IS_A_COPY: 'yes' })
    expect(problems).toEqual([
      `V1_COPY_BASE_URL is the service of ${name}: each write would be carried out there twice; name a test installation`,
    ])
  })

  it.each(['http://localhost:82', 'http://[::1]:82'])('must not be v1 on this machine by another name: %s', (url) => {
    expect(problemsOf({ ...COPY, V1_BASE_URL: 'http://127.0.0.1:82', V1_COPY_BASE_URL: url })).toEqual([
      expect.stringContaining('V1_COPY_BASE_URL is the service of V1_BASE_URL'),
    ])
    expect(problemsOf({ ...COPY, V1_BASE_URL: 'http://127.0.0.1:83', V1_COPY_BASE_URL: url })).toEqual([])
  })

  it('must not have the address and port of a real service under another name', async () => {
    const legacy = new URL('http://192.0.2.7:81')
    const check = (copy: string, v1: string) => refuseRealServices(new URL(copy), { v1: new URL(v1), legacy })
    await expect(check('http://localhost:82', 'http://127.0.0.1:82')).rejects.toThrow(
      'V1_COPY_BASE_URL is the service of V1_BASE_URL',
    )
    await expect(check('http://192.0.2.7:81', 'http://127.0.0.1:82')).rejects.toThrow('the service of LEGACY_BASE_URL')
    await check('http://192.0.2.7:82', 'http://127.0.0.1:82')
    await check('http://unknown.invalid:82', 'http://127.0.0.1:82')
  })

  it.each(['V1_COPY_CLIENT_ID', 'V1_COPY_SECRET_KEY'])('needs an account: %s', (name) => {
    const { [name]: _, ...others } = COPY as Record<string, string>
    expect(problemsOf(others)).toEqual([
      `${name} must be set with V1_COPY_BASE_URL: the gateway logs in to the copy with an account of its own`,
    ])
  })

  it('needs an address if anything else about it is set, and TLS files that exist', () => {
    expect(problemsOf(ACCOUNT)).toEqual(['V1_COPY_BASE_URL must be set when V1_COPY_CLIENT_ID is'])
    expect(problemsOf({ ...COPY, V1_COPY_CA: '/nowhere.pem' })).toEqual([
      'V1_COPY_CA: /nowhere.pem cannot be read: no such file or directory',
    ])
  })

  it('that is a real service keeps the gateway from starting', async () => {
    await expect(
      startConfigured({
        ...{ V1_BASE_URL: 'http://127.0.0.1:1', LEGACY_BASE_URL: 'http://127.0.0.1:2', ...COPY },
        ...{ V1_COPY_BASE_URL: 'http://127.0.0.1:1', TOKEN_KEY: Buffer.alloc(32).toString('base64') },
      }),
    ).rejects.toThrow('V1_COPY_BASE_URL is the service of V1_BASE_URL')
  })
})
