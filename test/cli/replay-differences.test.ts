import { describe, expect, it } from 'vitest'
import {
  COUNTRIES,
  counting,
  DEMO,
  fileOf,
  INVOICES,
  line,
  replayOver,
  startServices,
  UNITS,
} from '../support/run-replay.ts'

const invoices = (times: number): string => Array.from({ length: times }, () => line(INVOICES, {})).join('')
const one = [...DEMO, '--concurrency', '1']

describe.concurrent('a difference that a replay finds', { timeout: 60_000 }, () => {
  it('has its kind, its legacy path, and the v1 path that it comes from', async () => {
    const services = await startServices()
    const list = { path: '/api/invoice/list', kind: 'change' }
    await services.plant('legacy', { ...list, at: 'data[].priceTry', to: 0 })
    await services.plant('legacy', { ...list, at: 'data[].isPaid', to: 'yes' })
    await services.plant('legacy', { ...list, at: 'data[].status', to: { id: 1, slug: 'NEW', name: 'new' } })
    await services.plant('legacy', { ...list, kind: 'remove', at: 'data[].currency' })
    await services.plant('v1', { path: '/api/v1/finance/invoices', kind: 'remove', at: 'items[].company' })
    await services.plant('v1', { path: '/api/v1/public/shared/countries', kind: 'remove', at: 'items[].flags.w20' })
    await services.plant('legacy', { path: '/api/unit/of/measure/all', kind: 'remove', at: '[0]' })
    const { json } = await replayOver(services, `${invoices(1)}${line(`${COUNTRIES}?code=de`)}${line(UNITS)}`)
    expect(counting(json(), 'invoice-list')).toEqual(
      expect.arrayContaining([
        'changed data[].priceTry < items[].priceTry: 1 (1)',
        'type data[].isPaid < items[].isPaid: 1 (1)',
        'missing data[].status.name < null: 1 (1)',
        'extra data[].currency < items[].currencyCode: 1 (1)',
        'missing data[].company < items[].company: 1 (1)',
      ]),
    )
    expect(counting(json(), 'country-list')).toEqual(['missing [].flagW20 < items[].flags.w20: 1 (2)'])
    expect(counting(json(), 'unit-list')).toContain('length  < items: 1 (3)')
  })

  it('is a status where the statuses differ, with the count of each pair', async () => {
    const services = await startServices()
    await services.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 404, calls: 1 })
    await services.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 409, calls: 2 })
    const { json, output } = await replayOver(services, invoices(4), [...one, '--no-confirm'])
    expect(json().operations[0]?.differences).toMatchObject([
      {
        kind: 'status',
        path: '',
        v1Path: null,
        requests: 3,
        details: { '200 → 404': 1, '200 → 409': 2 },
        lines: [1, 2, 3],
      },
    ])
    expect(output).toContain('status [200 → 404: 1, 200 → 409: 2], in 3 exchanges')
  })

  it('is excused by a rule for calls that send a member, and by a declared widening where the answer shows it', async () => {
    const services = await startServices()
    const rule = { operation: 'country-list', path: '', kind: 'length', details: '0 → 1', when: { search: true } }
    const rollout = JSON.stringify({ ignore: [{ ...rule, why: 'decided' }] })
    await services.plant('legacy', { path: '/country/all', kind: 'remove', at: '[0]', calls: 2 })
    const calls = ['?code=DE', '?search=Germany', '?search=Almanya', '?search=Almanya'].map((query, at) =>
      line(`${COUNTRIES}${query}`, undefined, at === 3 ? 'tr' : 'en'),
    )
    const { json } = await replayOver(services, calls.join(''), [...one, '--no-confirm'], {
      ROLLOUT_FILE: fileOf(rollout),
    })
    const [report] = json().operations
    expect(report?.differences.map(({ ignored, lines }) => [ignored, ...lines])).toEqual([
      [null, 1],
      ['rule: decided', 2, 3],
      ['widening: search: in v1, it matches Turkish names too', 4],
    ])
    expect(report).toMatchObject({ totals: { ignored: 3, mismatched: 1 } })
  })

  it('is an order where the same items come in another order', async () => {
    const services = await startServices()
    const rows = (await (await fetch(`${services.legacyUrl}/country/all`)).json()) as readonly unknown[]
    const path = '/country/all'
    await services.plant('legacy', { path, kind: 'change', at: '[0]', to: rows[1] })
    await services.plant('legacy', { path, kind: 'change', at: '[1]', to: rows[0] })
    const { json } = await replayOver(services, line(COUNTRIES))
    expect(counting(json(), 'country-list')).toEqual(['order  < items: 1 (1)'])
  })

  it('is drift where the control changed between two answers, if both sides are asked again', async () => {
    const changing = async (parameters: readonly string[]) => {
      const services = await startServices()
      await services.plant('legacy', {
        path: '/api/invoice/list',
        kind: 'change',
        at: 'data[].priceTry',
        to: 0,
        calls: 1,
      })
      return replayOver(services, invoices(3), [...one, ...parameters])
    }
    const alone = await changing(['--no-confirm'])
    expect(alone.exit).toBe(1)
    expect(alone.json().operations[0]).toMatchObject({ differences: [{ drift: 0, ignored: null }] })
    const twice = await changing(['--until-difference'])
    expect(twice.exit).toBe(0)
    expect(twice.json().operations[0]).toMatchObject({
      totals: { matched: 2, ignored: 1, mismatched: 0 },
      differences: [{ path: 'data[].priceTry', requests: 1, drift: 1, ignored: 'drift' }],
    })
  })

  it('is not drift where the control gives the same answer twice, or changed elsewhere', async () => {
    const services = await startServices()
    const path = '/api/invoice/list'
    await services.plant('legacy', { path, kind: 'change', at: 'data[].priceUsd', to: 0, calls: 1 })
    await services.plant('legacy', { path, kind: 'change', at: 'data[].priceTry', to: 0 })
    const { exit, json } = await replayOver(services, invoices(3), one)
    expect(exit).toBe(1)
    expect(json().operations[0]?.differences).toMatchObject([
      { path: 'data[].priceTry', requests: 3, drift: 0, ignored: null },
      { path: 'data[].priceUsd', requests: 1, drift: 1, ignored: 'drift' },
    ])
  })

  it('counts once where v1 gives one wrong list, because replay keeps no list', async () => {
    const services = await startServices()
    const path = '/api/v1/public/shared/countries'
    await services.plant('v1', { path, kind: 'change', at: 'items[0].phoneCode', to: '+0', calls: 1 })
    const recorded = Array.from({ length: 3 }, () => line(`${COUNTRIES}?code=de`)).join('')
    const { json } = await replayOver(services, recorded, one)
    expect(json().totals).toMatchObject({ matched: 2, mismatched: 1 })
  })
})
