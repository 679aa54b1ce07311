import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { holdLock } from '../support/hold-lock.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { textOf } from '../support/read-html.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway, until } from '../support/start-gateway.ts'

const read = async (adminUrl: string, path: string) => {
  const { status, text } = await callLegacy(adminUrl, { path, headers: { accept: 'text/html' } })
  return { status, text }
}
const replicasOf = async (adminUrl: string): Promise<ReplicasReport> =>
  JSON.parse((await read(adminUrl, '/replicas')).text) as ReplicasReport
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const HASH = expect.stringMatching(/^[0-9a-f]{12}$/)

test('with SQLite a gateway is the one replica of its state, and says what it runs', async () => {
  const sides = await startSideBySide({ operations: {} }, { settings: () => ({ replicaId: 'gateway-7' }) })
  const report = await replicasOf(sides.adminUrl)
  expect(report).toStrictEqual({
    engine: { kind: 'sqlite', state: 'ok', since: ISO },
    self: 'gateway-7',
    replicas: [
      {
        ...{ id: 'gateway-7', incarnation: expect.stringMatching(/./), startedAt: ISO, seenAt: ISO },
        ...{ build: packageJson.version, mapping: HASH, rollout: HASH, position: null, clockOffsetMs: 0 },
      },
    ],
  })
  expect((await replicasOf(sides.adminUrl)).replicas[0]?.incarnation).toBe(report.replicas[0]?.incarnation)
})

test('a gateway without a name gets one from its host, another at each start; without a rollout file it has none', async () => {
  const v1 = await deadUrl()
  const [one, other] = await Promise.all([1, 2].map(async () => replicasOf(await (await startGateway(v1)).openAdmin())))
  expect(one?.self.startsWith(`${hostname()}-`)).toBe(true)
  expect(one?.self).not.toBe(other?.self)
  expect(one?.replicas[0]?.incarnation).not.toBe(other?.replicas[0]?.incarnation)
  expect(one?.replicas[0]).toMatchObject({ id: one?.self, rollout: null, mapping: other?.replicas[0]?.mapping })
})

test('the hash of the rollout file is that of the version in effect', async () => {
  const sides = await startSideBySide({ operations: {} })
  const hash = async () => (await replicasOf(sides.adminUrl)).replicas[0]?.rollout
  const before = await hash()
  const logged = (message: string) => () => sides.gateway.log.some(({ msg }) => String(msg).startsWith(message))
  writeFileSync(sides.rolloutFile, '{"operations":{"nothing":{}}}')
  await until(logged('ROLLOUT_FILE is refused'))
  expect(await hash()).toBe(before)
  writeFileSync(sides.rolloutFile, '{"operations":{"*":{"shadow":1}}}')
  await until(logged('the rollout file is in effect'))
  expect(await hash()).toMatch(/^[0-9a-f]{12}$/)
  expect(await hash()).not.toBe(before)
})

test('while results cannot be stored the state is degraded; the gateway stays ready, and the state is ok again after it', async () => {
  let file = ''
  const sides = await startSideBySide(
    { operations: {} },
    {
      settings(folder) {
        file = join(folder, 'state.db')
        return { stateDb: file }
      },
    },
  )
  const { engine: before } = await replicasOf(sides.adminUrl)
  const metric = async () =>
    /^legacy_gateway_state_store_up (\d)$/m.exec((await read(sides.adminUrl, '/metrics')).text)?.[1]
  expect([before.state, await metric()]).toEqual(['ok', '1'])

  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  await sides.call('/api/currency')
  await callLegacy(sides.adminUrl, {
    ...{ method: 'POST', path: '/evidence/reset' },
    headers: { host: new URL(sides.adminUrl).host, 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'country-list', why: 'something must be stored', by: 'Ada' }),
  })
  await until(() => sides.gateway.log.some(({ msg }) => String(msg).startsWith('results cannot be stored')))
  const { engine } = await replicasOf(sides.adminUrl)
  expect(engine).toEqual({ kind: 'sqlite', state: 'degraded', since: ISO })
  expect(Date.parse(engine.since)).toBeGreaterThan(Date.parse(before.since))
  for (const path of ['/readyz', '/readyz?strict']) {
    const { status, text } = await read(sides.adminUrl, path)
    expect([path, status, JSON.parse(text)]).toMatchObject([
      ...[path, 200],
      { status: 'ready', state: 'degraded', stateSince: engine.since },
    ])
  }
  expect(await metric()).toBe('0')
  const page = textOf((await read(sides.adminUrl, '/fleet')).text)
  expect(page).toContain('The state is degraded. Results stay in memory until they can be stored.')

  await lock.release()
  await until(() => sides.gateway.log.some(({ msg }) => msg === 'results are stored again'))
  const { engine: after } = await replicasOf(sides.adminUrl)
  expect(after.state).toBe('ok')
  expect(Date.parse(after.since)).toBeGreaterThan(Date.parse(engine.since))
  const ready = JSON.parse((await read(sides.adminUrl, '/readyz')).text) as object
  expect(ready).toMatchObject({ state: 'ok' })
  expect(ready).not.toHaveProperty('stateSince')
})
