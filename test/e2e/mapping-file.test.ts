import { describe, expect, it } from 'vitest'
import type { Corrections } from '../../src/mapping/corrections/corrections.ts'
import {
  CITIES,
  COUNTRIES,
  type Deviating,
  INVOICES,
  NUMBER,
  PLATE,
  startDeviating,
} from '../support/deviating-services.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf } from '../support/read-html.ts'
import { until } from '../support/start-gateway.ts'

const V1_CITIES = '/api/v1/public/shared/cities'
const V1_COUNTRIES = '/api/v1/public/shared/countries'
const V1_INVOICES = '/api/v1/finance/invoices'

const cities = async (services: Deviating) => JSON.parse((await services.call(CITIES)).text) as unknown
const invoices = async (services: Deviating) =>
  (JSON.parse((await services.call(INVOICES, {})).text) as { readonly data: readonly object[] }).data
const read = async (services: Deviating, path: string, headers = {}) =>
  (await callLegacy(services.adminUrl, { path, headers })).text
const report = async (services: Deviating, id: string) =>
  (await services.experiments()).operations.find(({ operation }) => operation === id)
const audit = async (services: Deviating) =>
  (JSON.parse(await read(services, '/audit')) as { readonly entries: readonly object[] }).entries
/** How much memory the cached lists of cities take. */
const bytesOfCities = async (services: Deviating) =>
  Number(/reference_bytes\{operation="city-list"\} (\d+)/.exec(await read(services, '/metrics'))?.[1])
/** Waits until a version is in effect, or refused. */
const takes = async (services: Deviating, change: () => void, message = 'the mapping file is in effect') => {
  const before = services.gateway.log.length
  change()
  await until(() => services.gateway.log.slice(before).some(({ msg }) => String(msg).startsWith(message)))
}

const SHIPPED = { id: 1, name: 'Adana', plateCode: '01' }
const CORRECTED = { id: 1, name: 'Adana', plate: '01' }

describe('a mapping file', { timeout: 60_000 }, () => {
  it('is in effect before the first call, and again within two seconds of a change in place or by a rename', async () => {
    const services = await startDeviating({ operations: { 'city-list': PLATE } })
    expect(await cities(services)).toEqual([CORRECTED])
    await takes(services, () => services.write({ operations: {} }))
    expect(await cities(services)).toEqual([SHIPPED])
    await takes(services, () => services.rename({ operations: { 'city-list': PLATE, 'invoice-list': NUMBER } }))
    expect(await cities(services)).toEqual([CORRECTED])
    expect(await invoices(services)).toEqual([expect.objectContaining({ number: 'A-1' })])
  })

  it('drops the cached lists of the operations that it touches, and no others', async () => {
    const services = await startDeviating(undefined, { operations: { '*': { serve: 'v1' } } })
    const asked = () => [V1_CITIES, V1_COUNTRIES].map(services.askedV1)
    for (let times = 0; times < 2; times++) {
      expect(await cities(services)).toEqual([SHIPPED])
      await services.call(COUNTRIES)
    }
    expect(asked()).toEqual([1, 1])
    await takes(services, () => services.rename({ operations: { 'city-list': PLATE } }))
    expect(await bytesOfCities(services)).toBe(0)
    for (let times = 0; times < 2; times++) {
      expect(await cities(services)).toEqual([CORRECTED])
      await services.call(COUNTRIES)
    }
    expect(asked()).toEqual([2, 1])
  })

  it('keeps what a reading under way brings from later calls', async () => {
    const services = await startDeviating(undefined, { operations: { '*': { serve: 'v1' } } })
    const release = services.hold('v1', V1_CITIES)
    const before = cities(services)
    await until(() => services.askedV1(V1_CITIES) === 1)
    await takes(services, () => services.rename({ operations: { 'city-list': PLATE } }))
    const after = cities(services)
    await until(() => services.askedV1(V1_CITIES) === 2)
    release()
    expect(await Promise.all([before, after])).toEqual([[SHIPPED], [CORRECTED]])
    // The corrected list alone is cached.
    expect(await bytesOfCities(services)).toBe(JSON.stringify([CORRECTED]).length)
    expect(await cities(services)).toEqual([CORRECTED])
  })

  it('begins a new lineage of the operations that it touches, of no other, and comparisons go by it', async () => {
    const services = await startDeviating()
    await invoices(services)
    await services.call(COUNTRIES)
    await services.compared(2)
    const [before, others] = [await report(services, 'invoice-list'), await report(services, 'country-list')]
    expect(before).toMatchObject({ totals: { mismatched: 1 } })
    expect((await services.experiments()).examples.bytes).toBeGreaterThan(0)
    const fleet = JSON.parse(await read(services, '/replicas')).replicas[0].mapping
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    await invoices(services)
    await until(async () => (await report(services, 'invoice-list'))?.totals.matched === 1)
    const after = await report(services, 'invoice-list')
    expect(after?.totals).toMatchObject({ requests: 1, matched: 1, mismatched: 0 })
    expect(after?.lineage.mapping).not.toBe(before?.lineage.mapping)
    expect(after?.history).toEqual([expect.objectContaining({ lineage: before?.lineage })])
    expect((await report(services, 'country-list'))?.lineage).toEqual(others?.lineage)
    expect(JSON.parse(await read(services, '/replicas')).replicas[0].mapping).not.toBe(fleet)
    // They showed what the mapping before had made.
    expect((await services.experiments()).examples.bytes).toBe(0)
  })

  it('is in the audit with what has changed', async () => {
    const services = await startDeviating({ operations: { 'city-list': PLATE } })
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    await takes(services, () => services.rename('{'), 'MAPPING_FILE is refused')
    await until(async () => (await audit(services)).length === 2)
    expect(await audit(services)).toMatchObject([
      { event: 'mapping-refused', operation: '*', to: 'refused' },
      {
        ...{ event: 'mapping-changed', operation: '*', by: 'auto' },
        why: 'city-list: response.[].plate.from items[].plateCode -> not set\ninvoice-list: response.data[].number.from not set -> items[].invoiceNumber',
      },
    ])
    const page = await read(services, '/audit', { accept: 'text/html' })
    expect(page).toContain('The mapping file was changed')
    expect(page).toContain('The mapping file was refused')
  })

  it('is refused as a whole if a line is wrong: answers stay, and log, metric, /readyz and every page say so', async () => {
    const services = await startDeviating({ operations: { 'city-list': PLATE } })
    expect(JSON.parse(await read(services, '/readyz'))).toMatchObject({ mapping: 'in effect' })
    const wrong = { operations: { 'city-list': {}, 'no-such-list': PLATE } }
    await takes(services, () => services.rename(wrong), 'MAPPING_FILE is refused')
    expect(await cities(services)).toEqual([CORRECTED])
    const reason = services.gateway.log.findLast(({ msg }) => String(msg).startsWith('MAPPING_FILE is refused'))?.reason
    expect(reason).toContain('operations.no-such-list: ')
    expect(JSON.parse(await read(services, '/readyz'))).toMatchObject({ status: 'ready', mapping: 'refused' })
    expect(await read(services, '/metrics')).toContain('\nlegacy_gateway_mapping_refused 1\n')
    expect((await services.experiments()).mapping.error).toBe(reason)
    const navigation = (await read(services, '/')).match(/<nav[\s\S]*?<\/nav>/)?.[0] ?? ''
    const pages = [...navigation.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(pages.length).toBeGreaterThanOrEqual(7)
    for (const path of pages) {
      expect(await read(services, path, { accept: 'text/html' }), path).toContain(
        '<strong>The newest version of the mapping file was refused;</strong>',
      )
    }
    await takes(services, () => services.rename({ operations: {} }))
    expect(JSON.parse(await read(services, '/readyz'))).toMatchObject({ mapping: 'in effect' })
    expect(await read(services, '/metrics')).toContain('\nlegacy_gateway_mapping_refused 0\n')
    expect(await read(services, '/')).not.toContain('The newest version of the mapping file was refused')
    expect(await cities(services)).toEqual([SHIPPED])
  })

  it('leaves a call alone that is under way, and counts nothing of it for the new lineage', async () => {
    const services = await startDeviating()
    const release = services.hold('v1', V1_INVOICES)
    const asked = services.askedV1(V1_INVOICES)
    const underWay = invoices(services)
    await until(() => services.askedV1(V1_INVOICES) > asked)
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    release()
    expect(await underWay).not.toEqual([expect.objectContaining({ number: 'A-1' })])
    expect(await invoices(services)).toEqual([expect.objectContaining({ number: 'A-1' })])
    await services.compared(2)
    expect(await report(services, 'invoice-list')).toMatchObject({
      totals: { requests: 2, matched: 1, mismatched: 0, skipped: 1 },
      account: { skips: { 'the mapping was changed': 1 }, unjudged: {} },
    })
  })

  it('counts nothing of a comparison that it finds waiting or under way', async () => {
    const rollout = { operations: { '*': { serve: 'v1', shadow: 1 }, auth: { shadow: 0 } }, limits: { concurrency: 1 } }
    const services = await startDeviating(undefined, rollout)
    const release = services.hold('legacy', INVOICES)
    await invoices(services)
    await invoices(services)
    await until(async () => (await services.experiments()).queue.length === 1)
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    release()
    await services.compared(2)
    expect(await report(services, 'invoice-list')).toMatchObject({
      totals: { requests: 2, matched: 0, mismatched: 0, skipped: 2 },
      account: { skips: { 'the mapping was changed': 2 } },
    })
  })

  it('compares by the new mapping what legacy has answered before', async () => {
    const services = await startDeviating(undefined, {
      operations: { '*': { serve: 'legacy', shadow: 1 }, auth: { shadow: 0 } },
      limits: { concurrency: 1 },
    })
    const release = services.hold('v1', V1_CITIES)
    await services.call(CITIES)
    await until(async () => (await services.experiments()).queue.running === 1)
    await services.call(INVOICES, {})
    await until(async () => (await services.experiments()).queue.length === 1)
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    release()
    await services.compared(2)
    expect(await report(services, 'invoice-list')).toMatchObject({ totals: { requests: 1, matched: 1, skipped: 0 } })
  })

  it('corrects texts that another thread translates', async () => {
    const services = await startDeviating(undefined, { operations: { '*': { serve: 'v1' } } })
    services.invoices(12_000)
    const numbers = async () => (await invoices(services)).map((row) => (row as { readonly number?: string }).number)
    expect(new Set(await numbers())).toEqual(new Set([undefined]))
    await takes(services, () => services.rename({ operations: { 'invoice-list': NUMBER } }))
    expect((await numbers()).at(-1)).toBe('A-12000')
    await takes(services, () => services.rename({ operations: {} }))
    expect(new Set(await numbers())).toEqual(new Set([undefined]))
  })

  it('may have 200 lines', async () => {
    const services = await startDeviating()
    const response = Object.fromEntries(
      Array.from({ length: 199 }, (_, line) => [`[].old${line}`, { from: `items[].new${line}` }]),
    )
    const file: Corrections = { operations: { 'city-list': { response: { ...response, ...PLATE.response } } } }
    await takes(services, () => services.rename(file))
    expect(await cities(services)).toEqual([CORRECTED])
  })

  it('is shown by the pages, OpenAPI and explanations that are asked for after the change', async () => {
    const services = await startDeviating()
    const explained = async () =>
      JSON.parse(
        (
          await callLegacy(services.adminUrl, {
            path: '/explain',
            body: JSON.stringify({ method: 'GET', path: CITIES }),
          })
        ).text,
      ).lines as readonly { readonly legacy: string | null; readonly v1: string | null }[]
    const line = { legacy: '[].plate', v1: 'items[].plateCode' }
    expect(await explained()).not.toContainEqual(expect.objectContaining(line))
    expect(await read(services, '/openapi.json')).not.toContain('"plate"')
    await takes(services, () =>
      services.rename({ operations: { 'city-list': { ...PLATE, why: 'first week', by: 'a team' } } }),
    )
    expect(await explained()).toContainEqual(expect.objectContaining(line))
    const page = await read(services, '/mappings/city-list')
    expect(page).toContain('<code>mappings/city-list.ts</code>, corrected by <code>MAPPING_FILE</code>')
    expect(rowsOf(page, 'lines-answer')).toContainEqual([
      ...['[].plate', 'items[].plateCode', 'renamed', 'corrected', 'first week; by a team', 'MAPPING_FILE'],
    ])
    expect(await read(services, '/openapi.json')).toContain('"plate"')
  })

  it('makes the rollout file be checked again, because that names lines of the mappings', async () => {
    const waive = [{ operation: 'city-list', line: 'answer [].plate', why: 'never sent', by: 'a team' }]
    const rollout = { operations: { '*': { serve: 'v1' } }, waive }
    const services = await startDeviating({ operations: { 'city-list': PLATE } }, rollout)
    await takes(services, () => services.rename({ operations: {} }), 'ROLLOUT_FILE is refused')
    expect(JSON.parse(await read(services, '/readyz'))).toMatchObject({ rollout: 'refused', mapping: 'in effect' })
    await takes(
      services,
      () => services.rename({ operations: { 'city-list': PLATE } }),
      'the rollout file is in effect',
    )
    expect(JSON.parse(await read(services, '/readyz'))).toMatchObject({ rollout: 'in effect' })
  })
})

it('a mapping file that cannot be used stops the start, with its mistakes beside those of the rollout file', async () => {
  const start = startDeviating({ operations: { 'no-such-list': PLATE } } as Corrections, {
    operations: { nothing: {} },
  })
  await expect(start).rejects.toThrow(
    /^MAPPING_FILE: operations\.no-such-list: [\s\S]*\nROLLOUT_FILE: operations\.nothing/,
  )
})
