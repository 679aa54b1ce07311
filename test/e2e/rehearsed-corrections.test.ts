import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { demo } from '../sandbox/sandbox-client.ts'
import { documentBody } from '../sandbox/shipment-requests.ts'
import { removeAtEnd } from '../support/clean-up.ts'
import { facesOf, logOf, type ServiceProcess, servingAt, startService } from '../support/service-process.ts'
import { until } from '../support/start-gateway.ts'

/** A line of each word for members that the contract does not have: `legacy` and `v1` are where those of a row begin. */
const linesAt = (legacy: string, v1: string) => ({
  [`${legacy}plate`]: { from: `${v1}.plateCode` },
  [`${legacy}area`]: { from: `${v1}.area`, as: 'string' },
  [`${legacy}height`]: { from: `${v1}.heightText`, as: 'number' },
  [`${legacy}isCapital`]: { from: `${v1}.isCapital`, as: '0/1' },
  [`${legacy}foundedAt`]: { from: `${v1}.since`, as: 'timestamp' },
  [`${legacy}foundedOn`]: { from: `${v1}.sinceDay`, as: 'date' },
  [`${legacy}foundedEpoch`]: { from: `${v1}.sinceTime`, as: 'epoch' },
  [`${legacy}loud`]: { from: `${v1}.word`, as: 'upper' },
  [`${legacy}soft`]: { from: `${v1}.softWord`, as: 'lower' },
  [`${legacy}fee`]: { from: `${v1}.feeCents`, scale: 2 },
  [`${legacy}standing`]: { from: `${v1}.standing`, enum: { open: 'ACTIVE', closed: 'CLOSED' } },
  [`${legacy}level`]: {
    from: `${v1}.level`,
    enum: [
      [1, 'HIGH'],
      [0, 'LOW'],
    ],
  },
  [`${legacy}nullable`]: { from: `${v1}.nullable`, absent: 'null' },
  [`${legacy}leavable`]: { from: `${v1}.leavable`, absent: 'missing' },
  [`${legacy}label`]: { join: [`${v1}.first`, ' - ', `${v1}.second`] },
  [`${legacy}source`]: { always: 'registry' },
  [`${legacy}region.name`]: { from: `${v1}.regionName` },
  [`${legacy}zone`]: { from: `${v1}.geo.zone` },
})

/** Four operations that deviate: a whole list, a page, a calculation and a record. */
const corrections = {
  operations: {
    'city-list': {
      why: 'differences of the first week',
      response: { ...linesAt('[].', 'items[]'), '[].name': { from: 'items[].title' }, '[].added': { drop: true } },
      request: { cityName: { to: 'nameExact' }, sortOrder: { to: 'direction' } },
    },
    'invoice-list': {
      response: {
        ...linesAt('data[].', 'items[]'),
        'data[].priceTry': { from: 'items[].priceTry', scale: 2 },
        'data[].currency.code': { from: 'items[].money.iso' },
        'data[].dateAt': { from: 'items[].day' },
        'data[].isPaid': { from: 'items[].isPaid', as: '0/1' },
        'data[].status.slug': { from: 'items[].state', enum: { NEW: 'OPEN', WAITING: 'PENDING', COMPLETED: 'DONE' } },
      },
      request: { statusId: { to: 'state', enum: { '1': 'OPEN', '2': 'PENDING', '3': 'DONE' } } },
    },
    price: {
      response: {
        ...linesAt('[].', 'items[]'),
        '[].packages[].weight': { from: 'items[].packages[].kilograms', as: 'number' },
        // By the contract v1 has lost it, and these of the record.
        '[].packages[].perimeter': { from: 'items[].packages[].girth' },
        '[].packages[].zone': { from: 'items[].packageZone' },
        '[].packages[].additionalFees[].value': { from: 'items[].packages[].additionalFees[].cents', scale: 2 },
      },
    },
    document: {
      response: {
        ...linesAt('', 'data'),
        freightPrice: { from: 'data.prices.freight', scale: 2 },
        peakPrice: { from: 'data.prices.peak', scale: 2 },
        remoteAreaPrice: { from: 'data.prices.remoteArea' },
        taxNumber: { from: 'data.taxNumber' },
        orderData: { from: 'data.orderData' },
        trackingUrl: { from: 'data.tracking.url' },
        'recipientAddress.company': { from: 'data.recipientAddress.firm' },
        'packages[].desi': { from: 'data.packages[].volume', as: 'string' },
      },
      request: { senderAddressId: { to: 'sender.id', as: 'string' } },
    },
  },
}

const calls: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  'a list': { path: '/city/all?countryCode=TR&sortBy=name&sortOrder=desc' },
  'a list with a filter that v1 names otherwise': { path: '/city/all?cityName=Ankara' },
  'a page': { path: '/api/invoice/list', body: { statusId: 2, perPage: 100 } },
  'a price': {
    path: '/api/calculate/price',
    body: {
      countryId: 4,
      packages: [
        { id: 7, length: 130, size: 20, height: 10, weight: 2, piece: 2 },
        { id: 8, length: 30, size: 20, height: 10, weight: 40, piece: 1 },
      ],
    },
  },
  'a record': { path: '/api/consignment/document', body: documentBody({ senderAddressId: '1' }) },
}

/** The clock writes these, in each of two writes another time. */
const clocked = new Set(['createdAt', 'updatedAt'])
const withoutClock = (json: string): unknown =>
  JSON.parse(json, (name, value: unknown) => (clocked.has(name) ? 'a time' : value))

describe('a rehearsal of corrections', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'))
  removeAtEnd(folder)
  const [deviations, mapping, rollout] = ['deviations', 'mapping', 'rollout'].map((name) =>
    join(folder, `${name}.json`),
  )
  let running: ServiceProcess
  let gateway: { readonly legacy: string; readonly admin: string }
  /** Answers each call as the gateway does: by v1. */
  let byV1: (call: string) => Promise<unknown>
  /** Answers each call as the legacy service itself, of another sandbox that deviates alike: two writes make two records. */
  let byLegacy: (call: string) => Promise<unknown>

  beforeAll(async () => {
    writeFileSync(String(deviations), JSON.stringify(corrections))
    writeFileSync(String(mapping), '{"operations":{}}')
    writeFileSync(String(rollout), '{"operations":{"*":{"serve":"v1","shadow":1}}}')
    const start = async () => facesOf(startService('sandbox', {}, ['--deviate', String(deviations)]))
    const [behind, beside] = await Promise.all([start(), start()])
    running = startService('serve', {
      ...{ V1_BASE_URL: behind.v1, LEGACY_BASE_URL: behind.legacy },
      ...{ ROLLOUT_FILE: String(rollout), MAPPING_FILE: String(mapping), STATE_DB: join(folder, 'state.db') },
    })
    gateway = await servingAt(running)
    const client = async (url: string) => {
      const post = (path: string, body: object, headers: Record<string, string> = {}) =>
        fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers })
      const { token } = (await (await post('/auth/application', demo)).json()) as { readonly token: string }
      const headers = { authorization: `Bearer ${token}` }
      return async (call: string) => {
        const { path, body } = calls[call] ?? { path: '/' }
        const answer = await (body === undefined ? fetch(url + path, { headers }) : post(path, body, headers))
        return { status: answer.status, body: withoutClock(await answer.text()) }
      }
    }
    byV1 = await client(gateway.legacy)
    byLegacy = await client(beside.legacy)
  })

  const experiments = async () => {
    const answer = await fetch(`${gateway.admin}/experiments`)
    const { operations } = (await answer.json()) as { readonly operations: readonly Experiment[] }
    return new Map(operations.map((each) => [each.operation, each]))
  }
  const counted = async (operation: string) =>
    (await experiments()).get(operation)?.differences.filter(({ ignored }) => ignored === null) ?? []

  it('finds differences, which the same file as MAPPING_FILE takes away', async () => {
    for (const call of ['a list', 'a page', 'a price']) {
      expect(await byV1(call), call).not.toEqual(await byLegacy(call))
    }
    for (const operation of compared) {
      await until(async () => (await experiments()).get(operation)?.totals.mismatched === 1)
      expect((await counted(operation)).length, operation).toBeGreaterThan(10)
    }
    writeFileSync(`${mapping}.new`, JSON.stringify(corrections))
    renameSync(`${mapping}.new`, String(mapping))
    const taken = () =>
      logOf(running).find(({ msg }) => /^(the mapping file is in effect|MAPPING_FILE is refused)/.test(String(msg)))
    await until(() => taken() !== undefined)
    expect(taken()).not.toHaveProperty('reason')
    for (const call of Object.keys(calls)) expect(await byV1(call), call).toEqual(await byLegacy(call))
    for (const operation of compared) {
      const requests = operation === 'city-list' ? 2 : 1
      await until(async () => (await experiments()).get(operation)?.totals.requests === requests)
      expect((await experiments()).get(operation)?.totals, operation).toMatchObject({
        mismatched: 0,
        failed: 0,
        skipped: 0,
      })
      expect(await counted(operation), operation).toEqual([])
    }
  })
})

/** Writes are not compared. */
const compared = ['city-list', 'invoice-list', 'price']

interface Experiment {
  readonly operation: string
  readonly totals: Readonly<Record<string, number>>
  readonly differences: readonly {
    readonly kind: string
    readonly path: string
    readonly ignored: unknown
  }[]
}
