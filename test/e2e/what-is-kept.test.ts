import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { DEMO_LOGIN, startSideBySide } from '../support/side-by-side.ts'

/** These values occur nowhere else in the traffic. */
const PERSONAL = {
  firstName: 'Zeynepxq',
  lastName: 'Yıldırımxq',
  company: 'Xqanon Tekstil A.Ş.',
  email: 'xq@example.com',
  phone: '+905559998877',
  address1: 'Xq Sokağı 12',
  address2: 'Xq Daire 3',
}
const ADDRESS = { ...PERSONAL, countryId: 57, zipCode: '10115', state: 'Berlin', city: 'Berlin' }

it('recording, state and results contain no personal value and no credential of the traffic', async () => {
  const sides = await startSideBySide(
    { operations: { '*': { shadow: 1 } } },
    { settings: (folder) => ({ stateDb: join(folder, 'state.db'), recordFile: join(folder, 'traffic.ndjson') }) },
  )
  await sides.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].firstName', to: 'Gizlixq' })
  await sides.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 4711.125 })
  const invoices = await sides.call('/api/invoice/list', { search: 'DEM', perPage: 50 })
  const [invoice] = (JSON.parse(invoices.text) as { data: { firstName: string; lastName: string }[] }).data
  await sides.call('/api/calculate/price/country/validate', { ...ADDRESS })
  const shipment = await sides.call('/api/consignment/document', {
    ...{
      recipientAddress: ADDRESS,
      referenceNumbers: [],
      isRecipientCompany: true,
      taxIdentificationNumber: '99887766554',
    },
  })
  expect(shipment.status, shipment.text).toBe(200)
  await sides.call(`/country/all?email=${encodeURIComponent(PERSONAL.email)}&code=de`)
  await sides.compared(4)
  const results = JSON.stringify(await sides.experiments())
  await sides.gateway.close()

  const files = readdirSync(sides.folder).filter((name) => name !== 'rollout.json')
  expect(files.filter((name) => !/-(wal|shm)$/.test(name)).sort()).toEqual(['state.db', 'traffic.ndjson'])
  const kept = files.map((name) => readFileSync(join(sides.folder, name)).toString('latin1')).join('\n')
  const recording = readFileSync(join(sides.folder, 'traffic.ndjson'), 'utf8')
  expect(
    recording
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { operation: string }).operation)
      .sort(),
  ).toEqual(['auth', 'country-list', 'document', 'invoice-list', 'validate-destination'])
  expect(recording).toContain('"zipCode":"10115"')
  expect(recording).toMatch(
    /"firstName":"[A-Z][a-z]{7}","lastName":"[A-Z][çğıöşü][a-z]{2}[çğıöşü][a-z][çğıöşü][a-z]{3}"/,
  )
  const clients = [
    ...recording.matchAll(/^\{"v":1,"at":"[^"]+","replica":"[^"]+","client":"([\w-]{22})","operation":/gm),
  ]
  // The client of the login is its address, since it had no token yet.
  expect([clients.length, new Set(clients.map(([, client]) => client)).size]).toEqual([5, 2])

  const secrets = [
    ...Object.values(PERSONAL),
    ...[DEMO_LOGIN.secretKey, '99887766554', 'Gizlixq', invoice?.firstName ?? '', invoice?.lastName ?? ''],
    ...[sides.token, 'eyJ'],
  ]
  for (const secret of secrets) {
    expect(secret).not.toBe('')
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      expect(results).not.toContain(form)
      expect(kept).not.toContain(Buffer.from(form).toString('latin1'))
      expect(JSON.stringify(sides.gateway.log)).not.toContain(form)
    }
  }
  // The state and the log say which client calls what, and results name who shows a difference; nothing else names a client.
  const { operations } = JSON.parse(results) as Experiments
  const shownBy = operations.flatMap(({ differences }) => differences.flatMap(({ shownBy }) => shownBy))
  expect(shownBy.map(({ clients }) => clients.named[0]?.client)).toContain(DEMO_LOGIN.clientId)
  const otherResults = JSON.stringify(operations, (name, value) => (name === 'shownBy' ? undefined : value))
  for (const where of [otherResults, recording]) expect(where).not.toContain(DEMO_LOGIN.clientId)
  const logged = sides.gateway.log.map(({ client: _, ...others }) => others)
  expect(JSON.stringify(logged)).not.toContain(DEMO_LOGIN.clientId)
  // The numbers of a difference are values too: only the dashboard shows them, from memory.
  expect(results + kept.replace(recording, '')).not.toContain('4711.125')
  expect((await callLegacy(sides.adminUrl, { path: '/healthz' })).status).toBe(200)
})

it('results add up across a restart', async () => {
  const first = await startSideBySide(
    { operations: { '*': { shadow: 1 } } },
    { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) },
  )
  await first.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 1 })
  for (const page of [1, 2]) await first.call('/api/invoice/list', { page, perPage: 3 })
  const before = await first.compared(2)
  await first.gateway.close()
  const second = await startSideBySide(
    { operations: { '*': { shadow: 1 } } },
    { settings: () => ({ stateDb: join(first.folder, 'state.db') }) },
  )
  // What to run names the admin port, which is another one.
  const withoutCommand = ({ operations }: Experiments) => operations.map((results) => ({ ...results, run: null }))
  expect(withoutCommand(await second.compared(2))).toEqual(withoutCommand(before))
  expect((await second.experiments()).since).toBe(before.since)
  await second.call('/api/invoice/list', { page: 3, perPage: 3 })
  expect((await second.compared(3)).operations).toMatchObject([
    { totals: { requests: 3, matched: 1, mismatched: 2 }, inputs: { distinct: 3 } },
  ])
})

it('results of two gateways that share a state file add up, as when restarts overlap', async () => {
  const rollout = { operations: { '*': { shadow: 1 } } }
  const first = await startSideBySide(rollout, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
  const stateDb = join(first.folder, 'state.db')
  await first.call('/api/invoice/list', { perPage: 1 })
  await first.compared(1)
  const second = await startSideBySide(rollout, { settings: () => ({ stateDb }) })
  await second.call('/api/invoice/list', { perPage: 2 })
  await first.call('/api/invoice/list', { perPage: 3 })
  await first.compared(2)
  await second.compared(1)
  await first.gateway.close()
  await second.gateway.close()
  const third = await startSideBySide(rollout, { settings: () => ({ stateDb }) })
  expect((await third.compared(3)).operations).toMatchObject([{ totals: { requests: 3, matched: 3 } }])
})

it('the recording has every answered exchange once the gateway has stopped, even with compressed answers', async () => {
  const body = gzipSync('{"data":[],"pagination":{}}')
  const legacy = await startHttpServer(({ target }, response) => {
    if (target === '/auth/application') response.end('{"token":"t"}')
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
  })
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy' } } },
    { legacyUrl: legacy.url, settings: (folder) => ({ recordFile: join(folder, 'traffic.ndjson') }) },
  )
  await Promise.all(Array.from({ length: 40 }, (_, page) => sides.call('/api/invoice/list', { page })))
  await sides.gateway.close()
  const lines = readFileSync(join(sides.folder, 'traffic.ndjson'), 'utf8').trimEnd().split('\n')
  expect(lines.filter((line) => line.includes('"operation":"invoice-list"'))).toHaveLength(40)
})
