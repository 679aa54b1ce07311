import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { type RunningGateway, startGateway } from '../../src/app/start-gateway.ts'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { makeFolder } from '../real/start-program.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { textOf } from '../support/read-html.ts'
import { logOf, servingAt, startService } from '../support/service-process.ts'
import { until } from '../support/start-gateway.ts'

const PLACES = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }

/** Starts the gateway as `serve` does, without waiting for balancers at the end. */
async function start(env: Readonly<Record<string, string>>): Promise<RunningGateway> {
  const fast = { DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '100', LOG_LEVEL: 'silent' }
  const gateway = await startGateway(readConfig({ ...PLACES, ...fast, ANSWERED_BY: 'on', ...env }))
  closeAtEnd(() => gateway.stop())
  return gateway
}

/** Services that all gateways share. */
let services: { readonly V1_BASE_URL: string; readonly LEGACY_BASE_URL: string }
beforeAll(async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  services = { V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' }
})

const rolloutFile = (rollout: object): string =>
  join(makeFolder({ 'rollout.json': JSON.stringify(rollout) }), 'rollout.json')

/** Returns who answers a list that needs no token. */
async function whoAnswers({ legacyUrl }: RunningGateway): Promise<unknown> {
  const { status, headers } = await callLegacy(legacyUrl, { method: 'GET', path: '/country/all' })
  expect(status).toBe(200)
  return headers['x-gateway-answered-by']
}

test.each<[string, string, (() => object) | undefined, Record<string, string>]>([
  ['legacy', 'there is no rollout file', undefined, {}],
  ['legacy', 'the variable of the rollout file is mistyped', undefined, { ROLOUT_FILE: 'rollout.json' }],
  ['legacy', 'the rollout file is empty', () => ({}), {}],
  ['legacy', '* says only what is compared', () => ({ operations: { '*': { shadow: 1 } } }), {}],
  ['legacy', 'the operation says only what is compared', () => ({ operations: { 'country-list': { shadow: 1 } } }), {}],
  ['legacy', 'only another operation has serve', () => ({ operations: { 'unit-list': { serve: 'v1' } } }), {}],
  ['v1', 'SERVE says so', undefined, { SERVE: 'v1' }],
  ['v1', '* says so', () => ({ operations: { '*': { serve: 'v1' } } }), {}],
  ['v1', '* says so, against SERVE', () => ({ operations: { '*': { serve: 'v1' } } }), { SERVE: 'legacy' }],
  ['legacy', '* says so, against SERVE', () => ({ operations: { '*': { serve: 'legacy' } } }), { SERVE: 'v1' }],
])('with a legacy service, %s answers if %s', async (side, _, rollout, env) => {
  const file = rollout === undefined ? {} : { ROLLOUT_FILE: rolloutFile(rollout()) }
  expect(await whoAnswers(await start({ ...services, ...file, ...env }))).toBe(side)
})

test('the rollout file that begins to compare changes nobody’s answers', async () => {
  const gateway = await start({
    ...services,
    ROLLOUT_FILE: rolloutFile({ operations: { '*': { shadow: 1 } } }),
  })
  expect(await whoAnswers(gateway)).toBe('legacy')
  let all: Experiments['operations'] = []
  await until(() => {
    void callLegacy(gateway.adminUrl, { method: 'GET', path: '/experiments' }).then(({ text }) => {
      all = (JSON.parse(text) as Experiments).operations
    })
    return all.length > 0
  })
  expect(all).toMatchObject([{ operation: 'country-list', serve: 'legacy', shadow: 1, totals: { matched: 1 } }])
})

/** Returns the text of a page of the dashboard. */
const pageOf = async ({ adminUrl }: RunningGateway, path: string): Promise<string> =>
  textOf((await callLegacy(adminUrl, { method: 'GET', path, headers: { accept: 'text/html' } })).text)
const PAGES = [
  '/',
  '/traffic',
  '/clients',
  '/side-by-side',
  '/side-by-side/price',
  '/explain',
  '/mappings',
  '/rollout',
  '/audit',
  '/fleet',
  '/brownouts',
  '/nothing',
]

test('every page says that nothing is compared yet, which line to write, and where the services are', async () => {
  const { V1_BASE_URL, LEGACY_BASE_URL } = services
  const gateway = await start({ V1_BASE_URL: `${V1_BASE_URL}/old/`, LEGACY_BASE_URL })
  for (const path of PAGES) {
    const text = await pageOf(gateway, path)
    expect(text).toContain('Nothing is compared yet , so nothing is proven.')
    expect(text).toContain('write { "operations": { "*": { "shadow": 1 } } } to a file')
    expect(text).toContain('That does not change who answers.')
    expect(text).toContain(`v1 ${V1_BASE_URL}/old (no release seen), legacy ${LEGACY_BASE_URL} (no release seen).`)
    expect(text).not.toContain('sandbox answers')
  }
  expect(await pageOf(gateway, '/')).toMatch(
    /1 needs traffic auth 13 need a decision price .* 1 has no equivalent charge-list 0 proven 0 of 15 operations can be switched off\./,
  )
  const comparing = await start({
    ...services,
    ROLLOUT_FILE: rolloutFile({ operations: { price: { shadow: 0.1 } } }),
  })
  expect(await pageOf(comparing, '/rollout')).not.toContain('Nothing is compared')
})

test('a sandbox in use is said on every page, in /readyz, in the dossier and in the log', async () => {
  const gateway = await start({})
  for (const path of PAGES) expect(await pageOf(gateway, path)).toContain('The sandbox answers, with made-up data.')
  const json = async (path: string): Promise<unknown> =>
    JSON.parse((await callLegacy(gateway.adminUrl, { method: 'GET', path })).text)
  const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await json('/readyz')).toMatchObject({ sandbox: true, services: { v1: address, legacy: address } })
  expect(await json('/dossier')).toMatchObject({ services: { v1: address, legacy: address, sandbox: true } })
  const logged = startService('serve', { ROLOUT_FILE: 'rollout.json' })
  await servingAt(logged)
  const warnings = logOf(logged).filter(({ level }) => level === 40)
  expect(warnings.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^V1_BASE_URL is not set: the sandbox answers, with made-up data/),
      'ROLOUT_FILE is no variable of the gateway, and not read; similar: ROLLOUT_FILE',
    ]),
  )
})

test('without a legacy service, v1 answers; so it does with nothing but the sandbox, unless SERVE says legacy', async () => {
  const { V1_BASE_URL } = services
  expect(await whoAnswers(await start({ V1_BASE_URL }))).toBe('v1')
  expect(await whoAnswers(await start({}))).toBe('v1')
  expect(await whoAnswers(await start({ SERVE: 'legacy' }))).toBe('legacy')
})

test('what the sandbox proved is not counted for the services that are named later', async () => {
  const folder = makeFolder({ 'rollout.json': JSON.stringify({ operations: { '*': { shadow: 1 } } }) })
  const state = { ROLLOUT_FILE: join(folder, 'rollout.json'), STATE_DB: join(folder, 'state.db') }
  const countries = async ({ legacyUrl, adminUrl }: RunningGateway) => {
    await callLegacy(legacyUrl, { method: 'GET', path: '/country/all' })
    const read = async () => {
      const { text } = await callLegacy(adminUrl, { method: 'GET', path: '/experiments' })
      return (JSON.parse(text) as Experiments).operations.find(({ operation }) => operation === 'country-list')
    }
    await expect.poll(async () => (await read())?.totals.requests).toBe(1)
    return read()
  }
  const onSandbox = await start(state)
  const madeUp = (await countries(onSandbox))?.lineage
  await onSandbox.stop()
  const report = await countries(await start({ ...state, ...services, TOKEN_KEY }))
  expect(report).toMatchObject({ totals: { requests: 1 }, history: [{ requests: 1, lineage: madeUp }] })
})

const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64')
