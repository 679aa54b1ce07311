import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Dossier } from '../../src/control-plane/evidence/dossier/dossier.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, textOf } from '../support/read-html.ts'
import { runCommand } from '../support/run-command.ts'
import { DEMO, fileOf, line, replayOver, startServices } from '../support/run-replay.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const DOCUMENT = '/api/consignment/document'
const said = { shadow: 1, target: 0.5 }

describe.each(['legacy', 'v1'] as const)('what clients send and v1 never gets, while %s answers', (serve) => {
  it('is named by the verdict, the pages and the dossier; it survives a restart, and can be waived', async () => {
    const rollout = { operations: { '*': { ...said, serve } } }
    const sides = await startSideBySide(rollout, {
      settings: (folder) => ({ stateDb: join(folder, 'state.db') }),
    })
    // The data happen to agree: the sandbox's legacy face has no such filter.
    for (let page = 1; page <= 5; page++)
      await sides.call(`${INVOICES}?tenant=3`, { page, perPage: 10, companyId: 'secret-7' })
    const invoicesOf = async (calls: number) =>
      (await sides.compared(calls)).operations.find(({ operation }) => operation === 'invoice-list')
    const told =
      '2 members that clients send never reach v1: ?tenant (5 calls, 1 client), companyId (5 calls, 1 client)'
    expect(await invoicesOf(5)).toMatchObject({
      ...{ verdict: 'ready', totals: { matched: 5 } },
      says: `ready; 13 of 40 lines were never seen; ${told}`,
      coverage: { notSent: [{ legacy: '?tenant' }, { legacy: 'companyId', requests: 5, clients: { distinct: 1 } }] },
    })
    const read = async (path: string) => (await callLegacy(sides.adminUrl, { method: 'GET', path })).text
    const page = await read('/side-by-side/invoice-list')
    expect(textOf(page)).toContain(told)
    expect(rowsOf(page, 'not-sent')).toEqual([
      ['?tenant', '5', '1', 'no'],
      ['companyId', '5', '1', 'no'],
    ])
    expect(textOf(await read('/side-by-side'))).toContain(told)
    expect(textOf(await read('/'))).toContain(`Not shown by the proof: 13 of 40 lines were never seen; ${told}.`)
    expect(`${page}${JSON.stringify(await sides.experiments())}`).not.toContain('secret-7')

    const out = join(sides.folder, 'dossier.html')
    await runCommand(['dossier', '--out', out, '--admin', sides.adminUrl], { ADMIN_TOKEN: '' })
    expect(textOf(readFileSync(out, 'utf8'))).toContain(told)
    const { dossier } = JSON.parse(readFileSync(join(sides.folder, 'dossier.json'), 'utf8')) as { dossier: Dossier }
    expect(dossier.operations.find(({ operation }) => operation === 'invoice-list')?.verdict).toContain(told)

    const waive = [
      { operation: 'invoice-list', line: 'request companyId', why: 'every client has one company', by: 'ada' },
      { operation: '*', line: 'request ?tenant', why: 'legacy ignores it', by: 'ada' },
    ]
    writeFileSync(sides.rolloutFile, JSON.stringify({ ...rollout, waive }))
    await expect.poll(async () => (await invoicesOf(5))?.says).toBe('ready; 13 of 40 lines were never seen')
    expect(rowsOf(await read('/side-by-side/invoice-list'), 'not-sent')[1]).toEqual([
      ...['companyId', '5', '1', 'every client has one company (ada)'],
    ])

    const before = (await invoicesOf(5))?.coverage.notSent
    await sides.gateway.close()
    const again = await startSideBySide(
      { ...rollout, waive },
      { settings: () => ({ stateDb: join(sides.folder, 'state.db') }) },
    )
    expect(
      (await again.compared(5)).operations.find(({ operation }) => operation === 'invoice-list')?.coverage.notSent,
    ).toEqual(before)
  })
})

it('a write that is checked without sending it names what v1 would not get, with its clients', async () => {
  const sides = await startSideBySide({
    operations: { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' } },
  })
  const [body = {}] = GOOD_BODIES[DOCUMENT] ?? []
  await sides.call(`${DOCUMENT}?dryRun`, { ...body, organizationId: 5, note: null })
  const { operations } = await sides.compared(1)
  expect(operations[0]?.coverage.notSent).toMatchObject([
    { part: 'request', legacy: '?dryRun', requests: 1, clients: { distinct: 1 } },
    { part: 'request', legacy: 'organizationId', requests: 1, clients: { distinct: 1 } },
  ])
  const { text } = await callLegacy(sides.adminUrl, { method: 'GET', path: '/side-by-side/document' })
  expect(rowsOf(text, 'not-sent').map(([name]) => name)).toEqual(['?dryRun', 'organizationId'])
})

it('a replay names it in its words and all reports', async () => {
  const services = await startServices()
  const rollout = fileOf(JSON.stringify({ operations: { '*': { target: 0.5 } } }))
  const calls = ['tr', 'de', 'us', 'gb', 'fr'].map((code) =>
    line(`GET /country/all?code=${code}&companyId=7&sortBy=colour`),
  )
  const { output, json, report } = await replayOver(services, calls.join(''), DEMO, { ROLLOUT_FILE: rollout })
  const told =
    '1 member that clients send never reaches v1: companyId (5 calls); some values of 1 member never reach v1: sortBy (5 calls)'
  expect(json().operations[0]?.says).toMatch(/^ready; \d+ of 18 lines were never seen; /)
  expect(json().operations[0]?.says).toContain(told)
  expect(json().operations[0]?.coverage.notSent).toMatchObject([{ legacy: 'companyId' }, { legacy: 'sortBy' }])
  expect(output).toContain(told)
  expect(textOf(report('report.html'))).toContain(told)
  expect(report('junit.xml')).toContain('never sent to v1: companyId (5 calls)')
})
