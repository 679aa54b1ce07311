import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { textOf } from '../support/read-html.ts'
import { runCommand } from '../support/run-command.ts'
import { fileOf } from '../support/run-replay.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const ALL = { operations: { '*': { serve: 'v1', shadow: 1 } } }

const pageOf = async ({ adminUrl }: SideBySide, path: string): Promise<string> =>
  textOf((await callLegacy(adminUrl, { path, headers: { accept: 'text/html' } })).text)

const english = { 'accept-language': 'en' }

describe('a search that finds more countries in v1', () => {
  it('is excused by the declared widening where the answer shows why', async () => {
    const sides = await startSideBySide(ALL)
    const { text } = await sides.call('/country/all?search=almanya')
    expect(JSON.parse(text)).toMatchObject([{ code: 'DE' }])
    const { operations } = await sides.compared(1)
    expect(operations).toMatchObject([
      {
        totals: { ignored: 1, mismatched: 0 },
        differences: [{ kind: 'length', ignored: 'widening: search: in v1, it matches Turkish names too' }],
      },
    ])
    expect(await pageOf(sides, '/side-by-side/country-list')).toContain('widening: search: in v1, it matches')
  })

  it('counts in English, and the rule that is offered then hides no lost country', async () => {
    const sides = await startSideBySide(ALL)
    await sides.call('/country/all?search=almanya', undefined, english)
    const [found] = (await sides.compared(1)).operations
    expect(found?.differences).toMatchObject([{ kind: 'length', ignored: null, details: { '0 → 1': 1 } }])
    const [rule] = found?.differences[0]?.excusing?.rules ?? []
    expect(rule).toEqual({
      ...{ operation: 'country-list', path: '', kind: 'length', details: '0 → 1', when: { search: true } },
      why: '',
    })
    const rollout = JSON.parse(readFileSync(sides.rolloutFile, 'utf8')) as object
    writeFileSync(sides.rolloutFile, JSON.stringify({ ...rollout, ignore: [{ ...rule, why: 'decided' }] }))
    await expect.poll(async () => (await sides.experiments()).rules.length).toBe(1)
    expect(await pageOf(sides, '/rollout')).toContain('length 0 → 1 with search')
    expect((await sides.compared(1)).operations[0]).toMatchObject({ totals: { ignored: 1, mismatched: 0 } })
    await sides.plant('v1', { path: '/api/v1/public/shared/countries', kind: 'remove', at: 'items[0]' })
    await sides.call('/country/all?search=germany', undefined, english)
    expect((await sides.compared(2)).operations[0]).toMatchObject({
      totals: { ignored: 1, mismatched: 1 },
      differences: [{ ignored: null, details: { '1 → 0': 1 } }, { ignored: 'rule: decided' }],
    })
    expect(await pageOf(sides, '/side-by-side/country-list')).toContain(
      'No rule excuses exactly this and nothing else. Items are missing',
    )
  })
})

it('a rule whose condition names no member of the request is refused, with similar names', async () => {
  const rule = { operation: 'country-list', path: '', kind: 'length', details: '0 → 1', why: 'decided' }
  const ignore = [
    { ...rule, when: { serch: true } },
    { ...rule, when: {} },
  ]
  const file = fileOf(JSON.stringify({ ignore }))
  const { exit, output, errors } = await runCommand(['rollout', 'check', file])
  expect(exit).not.toBe(0)
  expect(`${output}${errors}`).toContain(
    'ignore.0.when.serch: "serch" is not a member of a request of country-list that the mapping reads; similar members: "search"',
  )
  expect(`${output}${errors}`).toContain('ignore.1.when: name at least one member of the request')
})

it('one wrong price among 20 with the declared loss is one unit of 20', async () => {
  const sides = await startSideBySide(ALL)
  const price = (weight: number) =>
    sides.call('/api/calculate/price', {
      ...{ countryId: 57, city: 'Köln', zipCode: '50667' },
      packages: [{ id: 7, length: 30, size: 20, height: 10, weight, piece: 1 }],
    })
  await Promise.all(Array.from({ length: 19 }, (_, at) => price(at + 1)))
  await sides.compared(19)
  await sides.plant('v1', {
    ...{ path: '/api/v1/shipment/price-calculations', kind: 'change' },
    ...{ at: 'items[].fuelSurcharge', to: 0.01 },
  })
  await price(20)
  const [report] = (await sides.compared(20)).operations
  expect(report).toMatchObject({
    ...{ operation: 'price', verdict: 'not ready' },
    totals: { ignored: 19, mismatched: 1 },
    units: { distinct: 20, mismatched: 1 },
    lowerBound: expect.closeTo(0.784, 3),
  })
})
