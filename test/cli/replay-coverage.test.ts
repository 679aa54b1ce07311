import { describe, expect, it } from 'vitest'
import { COUNTRIES, DEMO, fileOf, IMPORT, INVOICES, line, replayOver, startServices } from '../support/run-replay.ts'

const services = await startServices()
const IMPORTED = 'POST /api/single/point/import/complete'

describe.concurrent('what a replay exercised', { timeout: 60_000 }, () => {
  it('is in its reports and its words: what was never seen comes first', async () => {
    const rollout = fileOf(JSON.stringify({ operations: { '*': { target: 0.5 } } }))
    const calls = ['code=tr', 'search=zimbabwe', 'sortBy=name', 'id=1', ''].map((query) =>
      line(`${COUNTRIES}?${query}`),
    )
    const { exit, output, report, json } = await replayOver(services, calls.join(''), DEMO, { ROLLOUT_FILE: rollout })
    expect(exit).toBe(0)
    expect(json().operations[0]).toMatchObject({
      ...{ verdict: 'ready', says: 'ready; 3 of 18 lines were never seen' },
      coverage: {
        ...{ lines: 18, seen: 15, share: 15 / 18 },
        unseen: [
          { part: 'request', legacy: 'sortOrder' },
          { part: 'request', legacy: 'isGuarantee' },
          { part: 'language', legacy: 'en' },
        ],
      },
    })
    expect(json().operations[0]?.exercised[0]).toEqual({
      ...{ part: 'request', legacy: 'sortBy', requests: 1, differed: 0, waived: null },
    })
    expect(output).toMatch(/^country-list +5 .*ready; 3 of 18 lines were never seen +0$/m)
    expect(report('report.html')).toContain(
      '>ready</span><span class="says"><span class="and">; </span>3 of 18 lines were never seen</span>',
    )
    const [first] = report('report.html').match(/<td>request<\/td><td><code>\w+<\/code><\/td>/) ?? []
    expect(first).toContain('sortOrder')
  })

  it('is demanded by the rollout file, which waives lines, with why and by whom', async () => {
    const rollout = fileOf(
      JSON.stringify({
        operations: { '*': { target: 0.5, require: { coverage: 1 } } },
        waive: [{ operation: 'invoice-list', line: 'paging more than 200 rows', why: 'nobody has so many', by: 'ada' }],
      }),
    )
    const calls = [1, 2, 3, 4, 5].map((page) => line(INVOICES, { page }))
    const { exit, output, report, json } = await replayOver(services, calls.join(''), DEMO, { ROLLOUT_FILE: rollout })
    expect(exit).toBe(3)
    expect(json().operations[0]).toMatchObject({
      coverage: { lines: 39, seen: 26 },
      missing: ['coverage 66.66 % of 100 %'],
    })
    expect(output).toContain('missing: coverage 66.66 % of 100 %')
    expect(report('report.html')).toContain('<td>nobody has so many (ada)</td>')
  })

  it('cannot be waived where there is no such line', async () => {
    const rollout = fileOf(JSON.stringify({ waive: [{ operation: '*', line: 'request pag', why: 'x', by: 'y' }] }))
    const { exit, errors } = await replayOver(services, line(INVOICES, {}), DEMO, { ROLLOUT_FILE: rollout })
    expect(exit).toBe(2)
    expect(errors).toContain('ROLLOUT_FILE: waive.0.line: "request pag" is not a line to be seen of any operation')
    expect(errors).toContain('similar lines: "request page"')
  })

  it('is an error code too, where the mapping has a line for it', async () => {
    const own = await startServices()
    const calls = [
      line(IMPORT, { name: 'spring', shipmentId: '1Z' }),
      line(IMPORTED, { id: 1 }),
      line(IMPORTED, { id: 1 }),
    ]
    const { json } = await replayOver(own, calls.join(''), [...DEMO, '--include-writes'])
    const completed = json().operations.find(({ operation }) => operation === 'import-complete')
    expect(completed?.exercised.map(({ part, requests }) => `${part} ${requests}`)).toEqual([
      ...['request 2', 'language 2', 'language 0', 'error 1'],
    ])
  })
})
