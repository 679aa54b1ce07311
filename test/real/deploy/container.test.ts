import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { composeWhere, imageCommand, writableFolders } from '../../support/container.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { logOf, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'

const ADMIN_TOKEN = 'sixteen-characters'
const [command = '', ...options] = imageCommand()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'container-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const environmentOf = (set: Readonly<Record<string, string>>) =>
  composeWhere({ ADMIN_TOKEN, ...set }).services.gateway?.environment ?? {}

/** Starts what the container runs, as the Compose file configures it, with its folders at `root`. */
function startContainer(set: Readonly<Record<string, string>>, root: string) {
  const moved = Object.entries(environmentOf(set)).map(([name, value]) => [
    name,
    value.replace(/^\/(state|rollout|recordings)\//, `${root}/`),
  ])
  return startService(command as 'serve', { ...Object.fromEntries(moved), ADMIN_HOST: '127.0.0.1' }, options)
}

/** A v1 that knows everybody. */
const knowing = () =>
  startHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"success":true,"message":"","data":{"token":"of-v1"}}')
  })

describe('docker compose', () => {
  it('sends what clients send to the real v1 alone, when that alone is named', async () => {
    const v1 = await knowing()
    const gateway = startContainer({ V1_BASE_URL: v1.url }, newFolder())
    const { legacy } = await servingAt(gateway)
    const body = '{"clientId":"a-client","secretKey":"a-secret"}'
    const login = await callLegacy(legacy, { method: 'POST', path: '/auth/application', body })
    expect([login.status, login.text]).toEqual([200, '{"token":"of-v1"}'])
    expect(v1.received.map((request) => request.body)).toEqual([body])
    const serving = logOf(gateway).find(({ msg }) => msg === 'serving')
    expect(serving).toMatchObject({ v1: `${v1.url}/` })
    expect(serving).not.toHaveProperty('legacyService')
    expect(serving).not.toHaveProperty('sandbox')
  })

  it('names no other service of its own as one to which calls go', () => {
    const { services } = composeWhere({ ADMIN_TOKEN })
    const hosts = Object.keys(services).filter((name) => name !== 'gateway')
    const addresses = Object.values(services.gateway?.environment ?? {}).filter((value) => /^https?:/.test(value))
    expect(hosts.length).toBeGreaterThan(1)
    expect(addresses).toEqual([])
  })

  it('runs on a sandbox of its own when nothing is named', async () => {
    const { legacy } = await servingAt(startContainer({}, newFolder()))
    const body = '{"clientId":"demo-client","secretKey":"demo-secret"}'
    expect((await callLegacy(legacy, { method: 'POST', path: '/auth/application', body })).status).toBe(200)
  })

  it('does not start with a legacy service and without a TOKEN_KEY, and says so', async () => {
    const set = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:9' }
    const refused = startContainer(set, newFolder())
    expect(await refused.exit).toBe(1)
    expect(refused.errors()).toMatch(/^ {2}TOKEN_KEY must be set with LEGACY_BASE_URL/m)
    const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64')
    await servingAt(startContainer({ ...set, TOKEN_KEY }, newFolder()))
  })

  it('reads the rollout and the mapping from their folder, also ones that are put in their place, and records into its own', async () => {
    const root = newFolder()
    const rolloutOf = (shadow: number): string => JSON.stringify({ operations: { '*': { shadow } } })
    writeFileSync(join(root, 'rollout.json'), rolloutOf(0))
    writeFileSync(join(root, 'mapping.json'), '{"operations":{}}')
    const files = {
      ...{ ROLLOUT_FILE: '/rollout/rollout.json', MAPPING_FILE: '/rollout/mapping.json' },
      RECORD_FILE: '/recordings/traffic.ndjson',
    }
    const gateway = startContainer(files, root)
    const { legacy } = await servingAt(gateway)
    writeFileSync(join(root, 'next.json'), rolloutOf(1))
    renameSync(join(root, 'next.json'), join(root, 'rollout.json'))
    await until(() => logOf(gateway).some(({ msg }) => msg === 'the rollout file is in effect'))
    writeFileSync(
      join(root, 'next.json'),
      '{"operations":{"country-list":{"response":{"[].flagW20":{"lost":"v1 has none"}}}}}',
    )
    renameSync(join(root, 'next.json'), join(root, 'mapping.json'))
    await until(() => logOf(gateway).some(({ msg }) => msg === 'the mapping file is in effect'))
    expect((await callLegacy(legacy, { path: '/country/all?code=de' })).text).toContain('"flagW20":null')
    await until(() => readFileSync(join(root, 'traffic.ndjson'), 'utf8').includes('"/country/all?code=de"'))
  })

  it('mounts a folder for each of these files, that of the rollout read-only, and the others where the user may write', () => {
    const { services, volumes } = composeWhere({ ADMIN_TOKEN })
    const mounts = (services.gateway?.volumes ?? []).map((mount) => mount.split(':'))
    expect(mounts).toEqual([
      ['state', '/state'],
      ['rollout', '/rollout', 'ro'],
      ['tls', '/tls', 'ro'],
      ['recordings', '/recordings'],
    ])
    expect(Object.keys(volumes).sort()).toEqual([...mounts.map(([name]) => name), 'postgres'].sort())
    const written = mounts.filter(([, , mode]) => mode !== 'ro').map(([, folder]) => folder)
    expect(writableFolders()).toEqual(written)
    expect(services.gateway?.read_only).toBe(true)
  })

  it('takes folders of this machine in their place', () => {
    const { services } = composeWhere({ ADMIN_TOKEN, ROLLOUT_FOLDER: './rollout', RECORD_FOLDER: '/srv/recordings' })
    expect(services.gateway?.volumes?.slice(1)).toEqual([
      './rollout:/rollout:ro',
      'tls:/tls:ro',
      '/srv/recordings:/recordings',
    ])
  })
})

describe('the image', () => {
  it('serves, and wants a TOKEN_KEY where one is needed; npm start makes one', () => {
    expect([command, ...options]).toEqual(['serve', '--require-token-key'])
    const env = { V1_BASE_URL: 'http://v1.test', LEGACY_BASE_URL: 'http://old.test' }
    expect(() => readConfig(env, true)).toThrow('TOKEN_KEY must be set with LEGACY_BASE_URL')
    expect(readConfig(env).tokenKeys).toEqual([])
    expect(readConfig({ V1_BASE_URL: 'http://v1.test' }, true).tokenKeys).toEqual([])
  })
})
