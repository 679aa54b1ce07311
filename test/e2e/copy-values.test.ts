import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { copyAt, ROLLOUT, startCopied, startRecordedCopy } from '../support/recorded-copy.ts'
import { DEMO_LOGIN, type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const IMPORT = '/api/single/point/import'
const COMPLETE = '/api/single/point/import/complete'
const DOCUMENT = '/api/consignment/document'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const OTHER_LOGIN = { clientId: 'other-client', secretKey: 'other-secret' }

const reportOf = async (sides: SideBySide, requests: number, id: string) =>
  (await sides.compared(requests)).operations.find(({ operation }) => operation === id)
const isWrite = ({ target }: { readonly target: string }): boolean => target.startsWith('/api/v1/shipment')

async function createImport(sides: SideBySide, name: string): Promise<number> {
  const { text, status } = await sides.call(IMPORT, { name, shipmentId: 'G1' })
  expect(status).toBe(200)
  return (JSON.parse(text) as { readonly id: number }).id
}

async function tokenOf(sides: SideBySide, login: object): Promise<string> {
  const { text } = await sides.gateway.call({ path: '/auth/application', body: JSON.stringify(login) })
  return (JSON.parse(text) as { readonly token: string }).token
}

describe('the values that a copy gave', () => {
  it('are each client’s: another client that names the same import is not judged, the same one after a new login is', async () => {
    const copy = await startRecordedCopy()
    const sides = await startCopied(copy.url)
    const id = await createImport(sides, 'Depo')
    await sides.compared(1)
    const complete = async (login: object) =>
      sides.call(COMPLETE, { id }, { authorization: `Bearer ${await tokenOf(sides, login)}` })
    // Legacy has no such import of this client. That is an answer, which could be compared.
    expect((await complete(OTHER_LOGIN)).status).toBeGreaterThanOrEqual(400)
    expect(await reportOf(sides, 2, 'import-complete')).toMatchObject({
      unjudged: { 'the copy has not seen what it refers to': 1 },
    })
    expect(copy.received.filter(isWrite)).toHaveLength(1)
    expect((await complete(DEMO_LOGIN)).status).toBe(204)
    expect(await reportOf(sides, 3, 'import-complete')).toMatchObject({ totals: { requests: 2, matched: 1 } })
    expect(copy.received.filter(isWrite)).toHaveLength(2)
  })

  it('are in memory: a gateway that was started again judges nothing that names one', async () => {
    const copy = await startRecordedCopy()
    const services = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => services.close())
    const { v1Url, legacyUrl = '' } = services
    const start = () => startSideBySide(ROLLOUT, { v1Url, legacyUrl, settings: () => ({ copy: copyAt(copy.url) }) })
    const first = await start()
    const id = await createImport(first, 'Depo')
    await first.compared(1)
    await first.gateway.close()
    const again = await start()
    expect((await again.call(COMPLETE, { id })).status).toBe(204)
    expect(await reportOf(again, 1, 'import-complete')).toMatchObject({
      unjudged: { 'the copy has not seen what it refers to': 1 },
    })
    expect(copy.received.filter(isWrite)).toHaveLength(1)
  })
})

/** The differences that count of an import that the copy answers with these members. */
async function differencesOf(data: object): Promise<readonly string[]> {
  const body = JSON.stringify({ success: true, message: '', data })
  const copy = await startRecordedCopy((target) =>
    target.endsWith('/single-point-imports') ? { status: 201, body } : undefined,
  )
  const sides = await startCopied(copy.url)
  await createImport(sides, 'Depo')
  const report = await reportOf(sides, 1, 'import-create')
  const counting = report?.differences.filter(({ ignored }) => ignored === null) ?? []
  return counting.map(({ kind, path }) => `${kind} ${path}`).sort()
}

it.each([
  ['another id and time', { id: 4711, name: 'Depo', carrierShipmentId: 'G1' }, []],
  ['an id of another type', { id: 'x', name: 'Depo', carrierShipmentId: 'G1' }, ['type id']],
  ['no id', { name: 'Depo', carrierShipmentId: 'G1' }, ['missing id']],
  ['another name', { id: 4711, name: 'Ev', carrierShipmentId: 'G1' }, ['changed name']],
])(
  'what the service gives is compared by presence and type, all else by value: the copy answers %s',
  async (_, data, differences) => {
    expect(await differencesOf(data)).toEqual(differences)
  },
)

it('a write that differs is asked again at no side: what legacy created, it created once', async () => {
  let created = 0
  const legacy = await startHttpServer(({ target, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (target !== IMPORT) return void response.end('{"token":"t"}')
    created++
    const { name } = JSON.parse(body) as { readonly name: string }
    response.end(
      JSON.stringify({ id: created, name: `${name}!`, shipmentId: 'G1', senderAddress: null, createdAt: null }),
    )
  })
  const copy = await startRecordedCopy()
  const sides = await startSideBySide(ROLLOUT, {
    legacyUrl: legacy.url,
    settings: () => ({ copy: copyAt(copy.url) }),
  })
  await createImport(sides, 'Depo')
  const report = await reportOf(sides, 1, 'import-create')
  expect(report).toMatchObject({ verdict: 'not ready', totals: { mismatched: 1 } })
  for (const { drift } of report?.differences ?? []) expect(drift).toBe(0)
  expect(created).toBe(1)
  expect(copy.received.filter(isWrite)).toHaveLength(1)
})

it('until there are enough units, the verdict asks for units, and no longer for a replay of writes', async () => {
  const copy = await startRecordedCopy()
  const REPLAY = 'writes compared with a copy of v1, or a replay against copies of both services'
  const operations = { ...ROLLOUT.operations, document: { shadowWrites: 'translate-only' } }
  const sides = await startCopied(copy.url, { ...ROLLOUT, operations })
  await createImport(sides, 'Depo')
  await sides.call(DOCUMENT, document)
  expect(await reportOf(sides, 2, 'import-create')).toMatchObject({
    ...{ verdict: 'insufficient data', against: 'a copy', missing: ['units 1 of 5'] },
  })
  expect(await reportOf(sides, 2, 'document')).toMatchObject({ against: null, missing: [REPLAY] })
  const page = await callLegacy(sides.adminUrl, { path: '/side-by-side/import-create' })
  expect(page.text).toContain('against a copy')
  expect(page.text).not.toContain(REPLAY)
})
