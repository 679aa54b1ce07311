import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { PERSONAL_NAMES } from '../../src/exchange/redact.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'

/** Unique values. The key is base64 of 32 bytes, as an operator sets it. */
const secret = (name: string): string => `Xq${name}qX`
const TOKEN_KEY = Buffer.alloc(32, 0x5a).toString('base64')
const ADMIN_TOKEN = secret('long-admin-token')
const LOGIN = JSON.stringify({ clientId: 'demo-client', secretKey: secret('key') })
const PERSON = Object.fromEntries(PERSONAL_NAMES.map((name) => [name, secret(name)]))

/** Only the services and the client may see these. */
const CREDENTIALS = ['key', 'v1-token', 'legacy-token', 'foreign', 'cookie', 'api-key', 'set-cookie'].map(secret)
/** Further values that must not be in the log, the metrics and the results. */
const TRAFFIC = ['query', 'search', 'header', 'language', 'v1-says', 'legacy-says', 'bad-json'].map(secret)
/** What the state alone keeps of a client, for `GET /clients`; docs/clients.md. */
const AGENT = secret('agent')

/** How a service answers: well, with an error that says too much, or not with an HTTP answer at all. */
const V1_ANSWERS: readonly (readonly [status: number, body: string])[] = [
  [200, ''],
  [500, `at ${secret('v1-says')} (/srv/app.js:1)`],
  [400, `{"success":false,"code":"NO","message":"${secret('v1-says')}","params":{"a":"${secret('v1-says')}"}}`],
  [401, `{"success":false,"code":"NO","message":"${secret('v1-says')}"}`],
  [422, `{"success":false,"code":"V","errors":[{"path":"email","message":"${secret('v1-says')}"}]}`],
  [200, `{"success":true,"items":[{"company":"${secret('company')}"`],
  [200, `<html>${secret('v1-says')}</html>`],
  [302, ''],
]

test('no output holds a credential or a personal value, and the log nothing of the traffic, at LOG_LEVEL=trace', async () => {
  let [status, says] = V1_ANSWERS[0] as (typeof V1_ANSWERS)[number]
  const row = { id: 1, ...PERSON, priceTry: 1 }
  const v1 = await startHttpServer(({ target }, response) => {
    const perPage = Number(/perPage=(\d+)/.exec(target)?.[1] ?? 25)
    const meta = { page: 1, perPage, total: 1, pageCount: 1 }
    const login = { success: true, data: { token: secret('v1-token') } }
    const page = { success: true, message: '', data: row, items: [row], meta }
    response.writeHead(target.includes('/auth/') ? 200 : status, { 'set-cookie': secret('set-cookie') })
    response.end(target.includes('/auth/') ? JSON.stringify(login) : says || JSON.stringify(page))
  })
  const legacy = await startHttpServer(({ target }, response) => {
    response.setHeader('set-cookie', secret('set-cookie'))
    if (target.startsWith('/auth/')) response.end(JSON.stringify({ token: secret('legacy-token') }))
    else if (target.startsWith('/fails')) response.writeHead(500).end(secret('legacy-says'))
    else if (target.startsWith('/dies')) response.destroy()
    else response.end(JSON.stringify({ data: [{ ...row, priceTry: 2 }], pagination: { count: 1 } }))
  })
  // The variable's name is OpenTelemetry's. What is sent there is searched like the other outputs.
  const traces = await startHttpServer((_, response) => response.end('{}'))
  const addresses = { V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, OTEL_EXPORTER_OTLP_ENDPOINT: traces.url }
  const gateway = await serve(addresses)

  const headers = {
    ...{ cookie: secret('cookie'), 'x-api-key': secret('api-key'), 'x-odd': secret('header') },
    ...{ 'accept-language': `tr-${secret('language')}`, 'user-agent': AGENT, referer: secret('header') },
  }
  const inQuery = `email=${secret('query')}&token=${secret('foreign')}`
  const body = JSON.stringify({
    ...PERSON,
    recipientAddress: PERSON,
    search: secret('search'),
    token: secret('foreign'),
  })
  const login = await callLegacy(gateway.legacy, { path: '/auth/application', body: LOGIN })
  const { token } = JSON.parse(login.text) as { readonly token: string }
  const basic = `Basic ${Buffer.from(`user:${secret('foreign')}`).toString('base64')}`
  const own = `Bearer ${token}`
  const others = [`Bearer ${secret('foreign')}`, basic]
  for ([status, says] of V1_ANSWERS) {
    // Those of others are answered with a list, a redirect or a refusal.
    for (const authorization of status === 401 || says === '' ? [own, ...others] : [own]) {
      const call = (path: string, more: object) =>
        callLegacy(gateway.legacy, { path, headers: { ...headers, authorization }, ...more }).catch(() => undefined)
      await Promise.all([
        ...operations.map(({ legacy: { method, path } }) =>
          call(`${path}?${inQuery}`, method === 'GET' ? { method } : { method, body }),
        ),
        call('/api/invoice/list', { body: `{"search": ${secret('bad-json')}` }),
        call('/api/invoice/list', { body: JSON.stringify({ dateAtBetween: { startAt: secret('bad-json') } }) }),
        call('/auth/application', { body: LOGIN }),
        call('/auth/application', { body: LOGIN.slice(0, -1) }),
        call(`/fails?${inQuery}`, { method: 'PUT', body }),
        call(`/dies?${inQuery}`, { method: 'PUT', body }),
      ])
    }
  }

  const { places, output, counts } = await gateway.everything()
  places.traces = JSON.stringify(traces.received)
  const leaked = (text: string, values: readonly string[]) =>
    values.filter((value) => formsOf(value).some((form) => text.includes(form)))
  const never = [...CREDENTIALS, ...Object.values(PERSON), ADMIN_TOKEN, TOKEN_KEY, token, basic]
  for (const [place, text] of Object.entries(places)) expect([place, leaked(text, never)]).toEqual([place, []])
  expect(leaked(output + counts + places.traces, TRAFFIC)).toEqual([])
  expect(leaked(output + places['/metrics'] + places.traces, [AGENT])).toEqual([])
  // Proves that these are the outputs where a leak would show.
  expect(output.split('\n').length).toBeGreaterThan(V1_ANSWERS.length * operations.length)
  expect(places['traffic.ndjson']).toMatch(/"email":"[^"~]+"/)
  expect(places['traffic.ndjson']).toMatch(/"token":"~[\w-]{22}"/)
  expect(places['/clients']).toContain(AGENT)
  expect(places['/clients/demo-client/guide?format=json']).toContain('<company>')
  expect(places['/side-by-side/invoice-list']).toContain('data[].priceTry')
})

/** The encodings of a value. */
const formsOf = (value: string): readonly string[] => [
  ...[value, encodeURIComponent(value), value.toLowerCase()],
  Buffer.from(value).toString('base64url').slice(0, -2),
]

/** Runs the real process. Returns at the end all that it has written and shows. */
async function serve(env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'nothing-leaks-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'rollout.json'), '{"operations":{"*":{"serve":"v1","shadow":1}}}')
  const child = spawn(process.execPath, ['src/cli/bin.js', 'serve'], {
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', ...env, LOG_LEVEL: 'trace' },
      ...{ TOKEN_KEY, ADMIN_TOKEN, UPSTREAM_TIMEOUT_MS: '2000', ROLLOUT_FILE: join(folder, 'rollout.json') },
      ...{ STATE_DB: join(folder, 'state.db'), RECORD_FILE: join(folder, 'traffic.ndjson') },
    },
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await expect.poll(() => output).toContain('"msg":"serving"')
  const { legacy, admin } = JSON.parse(output.split('\n').find((line) => line.includes('"serving"')) ?? '') as {
    readonly legacy: string
    readonly admin: string
  }
  const read = async (path: string): Promise<string> =>
    (await callLegacy(admin, { path, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).text
  return {
    legacy,
    async everything() {
      await expect
        .poll(async () => JSON.parse(await read('/experiments')).queue)
        .toMatchObject({ length: 0, running: 0 })
      const pages = operations.flatMap(({ id }) => [`/side-by-side/${id}`, `/mappings/${id}`])
      const places: Record<string, string> = {}
      const paths = [
        '/',
        '/traffic',
        '/clients',
        ...['html', 'md', 'json'].map((format) => `/clients/demo-client/guide?format=${format}`),
        '/audit',
        '/side-by-side',
        '/rollout',
        '/explain',
        '/metrics',
        '/experiments',
        ...pages,
      ]
      await Promise.all(
        paths.map(async (path) => {
          places[path] = await read(path)
        }),
      )
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exit
      for (const name of readdirSync(folder)) places[name] = readFileSync(join(folder, name)).toString('latin1')
      places.output = output
      return { places, output, counts: `${places['/metrics']}${places['state.db']}` }
    },
  }
}
