import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import {
  COUNTRIES,
  DEMO,
  fileOf,
  INVOICES,
  line,
  replayOver,
  runReplay,
  type Services,
  startServices,
} from '../support/run-replay.ts'
import { startGateway } from '../support/start-gateway.ts'

/** Nothing is planted there: every test may ask them. */
const services = await startServices()
const { legacyUrl, v1Url } = services
const invoices = line(INVOICES, { page: 1 }) + line(INVOICES, { page: 2 })

const replayUnder = (legacy: string, v1: string, options: readonly string[] = []) =>
  runReplay([fileOf(invoices), '--legacy', legacy, '--v1', v1, ...options])

describe.concurrent('a replay with wrong addresses exits 2 and says so', { timeout: 60_000 }, () => {
  it.each([
    ['with a login', DEMO],
    ['without one', []],
  ] as const)('when they are swapped, %s', async (_, options) => {
    const { exit, errors } = await replayUnder(v1Url, legacyUrl, options)
    expect(exit).toBe(2)
    expect(errors).toContain(`${v1Url} is v1, and was given as the legacy service (--legacy or LEGACY_BASE_URL)\n`)
    expect(errors).toContain(`${legacyUrl} is the legacy service, and was given as v1 (--v1 or V1_BASE_URL)\n`)
    expect(errors).toMatch(/\nThe two addresses are swapped\.\n$/)
  })

  it('when both belong to one service', async () => {
    const both = await replayUnder(v1Url, v1Url)
    expect(both.exit).toBe(2)
    expect(both.errors).toMatch(/ is v1, and was given as the legacy service/)
    expect(both.errors).not.toContain('swapped')
  })

  it.each([
    ['with a login', DEMO],
    ['without one', []],
  ] as const)('when a gateway stands in place of the legacy service, %s', async (_, options) => {
    const gateway = await startGateway(v1Url, { legacyUrl })
    const { exit, errors } = await replayUnder(gateway.url, v1Url, options)
    expect(exit).toBe(2)
    expect(errors).toContain(`${gateway.url} is a gateway like this one, not the legacy service behind it`)
  })

  it('but not when one address serves both, or when neither service answers there', async () => {
    const one = await startHttpServer(({ target }, response) => {
      response.end(target.startsWith('/api/v1/') ? '{"success":true,"items":[],"meta":{}}' : '[]')
    })
    expect((await replayUnder(one.url, one.url)).errors).toContain('Replaying 2 exchanges: ')
    const odd = await startHttpServer((_, response) => response.end('<html>'))
    expect((await replayUnder(odd.url, odd.url)).errors).toContain('Replaying 2 exchanges: ')
  })
})

describe.concurrent('a replay whose tokens are refused says which options to give', { timeout: 60_000 }, () => {
  const under = async (
    options: readonly string[],
    content = invoices,
    over: Pick<Services, 'legacyUrl' | 'v1Url'> = services,
  ) => {
    const { exit, output } = await replayOver(over, content, options)
    return { exit, advice: output.split('\n').filter((text) => text.includes('with 401')) }
  }

  it('when there are none', async () => {
    expect(await under([])).toEqual({
      exit: 3,
      advice: [
        'The legacy service answered 2 of 2 exchanges with 401: no token was sent. Give --client-id and --secret-key, or --legacy-token and --v1-token.',
        'v1 answered 2 of 2 exchanges with 401: no token was sent. Give --client-id and --secret-key, or --legacy-token and --v1-token.',
      ],
    })
  })

  it('when there is none for one side', async () => {
    const answer = await fetch(`${legacyUrl}/auth/application`, {
      method: 'POST',
      body: '{"clientId":"demo-client","secretKey":"demo-secret"}',
    })
    const { token } = (await answer.json()) as { token: string }
    expect((await under(['--legacy-token', token])).advice).toEqual([
      'v1 answered 2 of 2 exchanges with 401: no token was sent. Give --v1-token as well.',
    ])
  })

  it('or that the token is refused, when every call is', async () => {
    expect((await under(['--legacy-token', 'old', '--v1-token', 'old'])).advice).toEqual([
      'The legacy service answered 2 of 2 exchanges with 401: it refuses the token, which may be wrong or have expired.',
      'v1 answered 2 of 2 exchanges with 401: it refuses the token, which may be wrong or have expired.',
    ])
    const mixed = line(`${COUNTRIES}?code=de`) + invoices
    expect((await under(['--legacy-token', 'old', '--v1-token', 'old'], mixed)).advice).toEqual([])
  })

  it('and nothing when they are accepted', async () => {
    expect(await under(DEMO)).toEqual({ exit: 3, advice: [] })
  })
})
