import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { DEMO, fileOf, INVOICES, line, type Ran, replayOver, startServices } from '../support/run-replay.ts'

/** Everything that a replay lets anybody see. */
const allOutput = ({ output, errors, report }: Ran): string =>
  [output, errors, report('report.json'), report('report.html'), report('junit.xml')].join('\n')

const json = { 'content-type': 'application/json' }

/** Two services that answer every call alike and note what they were sent. */
async function startNoters() {
  const legacy = await startHttpServer(({ target }, response) => {
    response.writeHead(200, json)
    response.end(target.startsWith('/auth') ? '{"token":"legacy-ticket-1"}' : '[]')
  })
  const v1 = await startHttpServer(({ target }, response) => {
    const page = '"items":[],"meta":{"page":1,"perPage":200,"total":0,"pageCount":0}'
    response.writeHead(200, json)
    response.end(`{"success":true,"message":"",${target.includes('/auth/') ? '"data":{"token":"v1-ticket-1"}' : page}}`)
  })
  return { legacy, v1, legacyUrl: legacy.url, v1Url: v1.url }
}

const recordedAt = (path: string) => ({
  request: {
    method: 'GET',
    url: `https://recorded.example${path}`,
    headers: [
      { name: 'Host', value: 'recorded.example' },
      { name: 'Authorization', value: 'Bearer recorded-ticket' },
      { name: 'Cookie', value: 'session=recorded-cookie' },
      { name: 'X-Api-Key', value: 'recorded-key' },
      { name: 'Accept-Language', value: 'en-GB' },
    ],
    cookies: [{ name: 'session', value: 'recorded-cookie' }],
  },
})

const har = JSON.stringify({
  log: { version: '1.2', entries: [recordedAt('/country/all?code=de'), recordedAt('/api/currency?sortBy=id')] },
})

describe.concurrent('the secrets of a replay', { timeout: 60_000 }, () => {
  it('include one token per side, sent there only, with only the recorded request', async () => {
    const services = await startNoters()
    const tokens = ['--legacy-token', 'legacy-ticket-2', '--v1-token', 'v1-ticket-2']
    const ran = await replayOver(services, har, tokens)
    expect(ran.exit).toBe(3)
    const sentTo = ({ received }: typeof services.legacy) =>
      received.map(({ target, headers }) => `${target.split('&')[0]} ${headers.authorization}`).sort()
    expect(sentTo(services.legacy)).toEqual([
      '/api/currency?sortBy=id Bearer legacy-ticket-2',
      '/country/all?code=de Bearer legacy-ticket-2',
    ])
    // v1's country list takes no token, and none is sent where none is wanted.
    expect(sentTo(services.v1)).toEqual([
      '/api/v1/public/shared/countries?code=de undefined',
      '/api/v1/shared/currencies?sortBy=id Bearer v1-ticket-2',
    ])
    for (const { headers } of [...services.legacy.received, ...services.v1.received]) {
      expect(headers.host).toMatch(/^127\.0\.0\.1:/)
      expect(headers['accept-language']).toMatch(/^en/)
      expect(JSON.stringify(headers)).not.toMatch(/recorded|cookie|api-key/i)
    }
    expect(allOutput(ran)).not.toMatch(/ticket|recorded-|recorded\.example/)
  })

  it('include an account, sent to both logins, and tokens, each sent only to its issuer', async () => {
    const services = await startNoters()
    const ran = await replayOver(services, line('GET /api/currency'), [
      '--client-id',
      'me',
      '--secret-key',
      'hush-hush',
    ])
    expect(ran.exit).toBe(3)
    const sentTo = ({ received }: (typeof services)['legacy']) =>
      received.map(({ method, target, headers, body }) => [
        `${method} ${target.split('?')[0]}`,
        headers.authorization,
        body === '' ? '' : (JSON.parse(body) as unknown),
      ])
    const account = { clientId: 'me', secretKey: 'hush-hush' }
    expect(sentTo(services.legacy)).toEqual([
      ['POST /auth/application', undefined, account],
      ['GET /api/currency', 'Bearer legacy-ticket-1', ''],
    ])
    expect(sentTo(services.v1)).toEqual([
      ['POST /api/v1/auth/application', undefined, account],
      ['GET /api/v1/shared/currencies', 'Bearer v1-ticket-1', ''],
    ])
    expect(allOutput(ran)).not.toMatch(/hush|ticket/)
  })

  it('never appear in reports or output, nor do personal values, even ones that differ', async () => {
    const services = await startServices()
    const path = '/api/v1/finance/invoices'
    for (const at of ['firstName', 'lastName', 'company', 'taxNumber', 'citizenshipNumber', 'number']) {
      await services.plant('v1', { path, kind: 'change', at: `items[].${at}`, to: 'Değiştirilmiş' })
    }
    const login = await fetch(`${services.legacyUrl}/auth/application`, {
      method: 'POST',
      body: '{"clientId":"demo-client","secretKey":"demo-secret"}',
    })
    const { token } = (await login.json()) as { readonly token: string }
    const list = await fetch(`${services.legacyUrl}/api/invoice/list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    })
    const { data } = (await list.json()) as { readonly data: readonly Readonly<Record<string, unknown>>[] }
    const personal = data.flatMap((row) =>
      ['firstName', 'lastName', 'company', 'taxNumber', 'citizenshipNumber', 'number'].map((name) => String(row[name])),
    )
    const ran = await replayOver(services, line(INVOICES, { search: 'Şule Numune' }) + line(INVOICES, {}))
    expect(ran.json().totals.mismatched).toBe(1)
    const everything = allOutput(ran)
    const values = new Set(
      [...personal, 'Değiştirilmiş', 'Şule', token, 'demo-secret', DEMO[1]].filter((value) => value !== ''),
    )
    expect(values.size).toBeGreaterThan(20)
    expect([...values].filter((value) => everything.includes(value))).toEqual([])
  })

  it.each<[string, string[], Record<string, string>]>([
    ['files', ['--legacy-token-file', fileOf('legacy-ticket-2\n'), '--v1-token-file', fileOf('v1-ticket-2')], {}],
    ['variables', [], { LEGACY_TOKEN: 'legacy-ticket-2', V1_TOKEN: 'v1-ticket-2' }],
  ])('come from %s, so that no command line shows them', async (_, options, env) => {
    const services = await startNoters()
    const ran = await replayOver(services, line('GET /api/currency'), options, env)
    expect(ran.exit).toBe(3)
    expect(services.legacy.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer legacy-ticket-2'])
    expect(services.v1.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer v1-ticket-2'])
    expect(allOutput(ran)).not.toMatch(/ticket/)
  })

  it.each([
    ['file', { option: ['--secret-key-file', fileOf('hush-hush\r\n')], env: {} }],
    ['variable', { option: [], env: { SECRET_KEY: 'hush-hush', V1_TOKEN: 'unused' } }],
  ])('include a secret key from a %s', async (_, { option, env }) => {
    const services = await startNoters()
    const ran = await replayOver(services, line('GET /api/currency'), ['--client-id', 'me', ...option], env)
    expect(ran.exit).toBe(3)
    const [login] = services.legacy.received
    expect(String(login?.body)).toContain('hush-hush')
    expect(allOutput(ran)).not.toContain('hush')
  })

  it('are refused if it is not clear which, or if a file has none', async () => {
    const nobody = { legacyUrl: 'http://127.0.0.1:1', v1Url: 'http://127.0.0.1:1' }
    const options = ['--v1-token', 'hush', '--v1-token-file', fileOf('hush'), '--legacy-token-file', fileOf('a\nb')]
    const tokens = await replayOver(nobody, line('GET /api/currency'), options)
    expect([tokens.exit, tokens.errors]).toEqual([
      2,
      expect.stringMatching(
        /^--legacy-token-file: the file must hold one line, the secret\n--v1-token and --v1-token-file are both given: give one of them\nAdd/,
      ),
    ])
    expect(tokens.errors).not.toContain('hush')
    // The secret itself, by mistake.
    const account = ['--client-id', 'me', '--secret-key-file', 'hush']
    const missing = await replayOver(nobody, line('GET /api/currency'), account)
    expect([missing.exit, missing.errors]).toEqual([
      2,
      '--secret-key-file: cannot read the file: no such file or directory\nAdd --help for usage.\n',
    ])
    const scheme = await replayOver(nobody, line('GET /api/currency'), [], { V1_TOKEN: 'Bearer hush' })
    expect(scheme.errors).toBe('V1_TOKEN must be the token alone, without Bearer\nAdd --help for usage.\n')
  })
})
