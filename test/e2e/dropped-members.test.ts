import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Experiment } from '../../src/control-plane/admin/dashboard/sources.ts'
import type { Dossier } from '../../src/control-plane/evidence/dossier/dossier.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, stagesOf, textOf } from '../support/read-html.ts'
import { runCommand } from '../support/run-command.ts'
import { DEMO, fileOf, line, replayOver, startServices } from '../support/run-replay.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const DOCUMENT = '/api/consignment/document'
const IMPORT = '/api/single/point/import'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const CHECKED = { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' }
const LOST = '2 members are lost: gsm (3 calls, 1 client), ?dryRun (1 call, 1 client)'
const MISSING = ['writes compared with a copy of v1, or a replay against copies of both services']

const reportOf = (operations: readonly Experiment[], id: string): Experiment | undefined =>
  operations.find(({ operation }) => operation === id)
const dropped = (report: Pick<Experiment, 'differences'> | undefined) =>
  report?.differences.filter(({ kind }) => kind === 'dropped').map(({ path, ignored }) => [path, ignored])
const read = async ({ adminUrl }: SideBySide, path: string): Promise<string> =>
  (await callLegacy(adminUrl, { method: 'GET', path })).text
const stageOf = (html: string, operation: string): string =>
  stagesOf(html)
    .find(([id]) => id === operation)
    ?.join(' ') ?? ''

/** Sends documents with members that no line of the mapping lists. */
async function sendDocuments(sides: SideBySide): Promise<void> {
  for (const gsm of ['secret-1', 'secret-1', 'secret-2']) await sides.call(DOCUMENT, { ...document, gsm, note: null })
  await sides.call(`${DOCUMENT}?dryRun=secret-3`, { ...document, tags: [], comment: '' })
}

describe('a member of a write that never reaches v1', () => {
  it('is a difference that counts: the verdict, Switch-off, the page and the first page of the dossier name it', async () => {
    const stored = (folder: string) => ({ stateDb: join(folder, 'state.db') })
    const sides = await startSideBySide({ operations: { '*': CHECKED } }, { settings: stored })
    await sendDocuments(sides)
    const { operations, overall } = await sides.compared(4)
    expect(reportOf(operations, 'document')).toMatchObject({
      ...{ verdict: 'not ready', units: { distinct: 0 }, totals: { mismatched: 4, skipped: 0 } },
      ...{ droppedMembers: { gsm: 3, '?dryRun': 1 }, clients: { distinct: 0 }, inputs: { distinct: 0 } },
    })
    expect(reportOf(operations, 'document')?.differences.filter(({ ignored }) => ignored === null)).toMatchObject([
      { kind: 'dropped', path: 'gsm', v1Path: null, requests: 3, count: 3, clients: { distinct: 1 } },
      { kind: 'dropped', path: '?dryRun', requests: 1 },
    ])
    expect(overall).toMatchObject({
      verdict: 'not ready',
      missing: expect.arrayContaining([`document: not ready: 4 writes checked, ${LOST}`]),
    })

    const home = await read(sides, '/')
    expect(stageOf(home, 'document')).toMatch(
      /^document ◐ checked ✗ differs ○ 0 % on v1 ○ not done 2 differences count, last seen on /,
    )
    expect(stageOf(home, 'document')).toContain(`4 writes checked, ${LOST}.`)
    const page = await read(sides, '/side-by-side/document')
    expect(textOf(page)).toContain(`not ready 4 writes checked, ${LOST}`)
    expect(rowsOf(page, 'counting').map(([name, v1Path, says]) => [name, v1Path, says?.split('. ')[0]])).toEqual([
      [
        'gsm dropped',
        '–',
        'In 3 calls, from 1 client; no loss is declared, and the narrowest rule would excuse all of them',
      ],
      ['?dryRun dropped', '–', 'In 1 call, from 1 client; no loss is declared, and the narrowest rule would excuse it'],
    ])
    const rule = { operation: 'document', path: 'gsm', kind: 'dropped', why: '' }
    expect(page).toContain(JSON.stringify(rule).replaceAll('"', '&quot;'))
    expect(textOf(page)).toContain('shown by one client: demo-client (3).')
    for (const text of [home, page, JSON.stringify(operations)]) expect(text.includes('secret-')).toBe(false)

    const out = join(sides.folder, 'dossier.html')
    await runCommand(['dossier', '--out', out, '--admin', sides.adminUrl], { ADMIN_TOKEN: '' })
    const [firstPage = ''] = readFileSync(out, 'utf8').split('<h2 id=')
    const [signed = ''] = textOf(firstPage).split('Signature')
    expect(signed).toContain('not ready The evidence speaks against it')
    expect(signed).toContain(`Writes lose data: document: 4 writes checked, ${LOST}.`)
    expect(textOf(firstPage)).toContain(`document: not ready: 4 writes checked, ${LOST}`)
    expect(textOf(firstPage)).toContain(
      `it was only checked, which proves nothing about v1. 4 writes checked, ${LOST}.`,
    )
    const { dossier } = JSON.parse(readFileSync(join(sides.folder, 'dossier.json'), 'utf8')) as { dossier: Dossier }
    expect(dossier.overall.verdict).toBe('not ready')

    await sides.gateway.close()
    const again = await startSideBySide(
      { operations: { '*': CHECKED } },
      { settings: () => ({ stateDb: join(sides.folder, 'state.db') }) },
    )
    const before = reportOf(operations, 'document')
    const after = reportOf((await again.compared(4)).operations, 'document')
    // What to run names the address of the gateway.
    expect({ ...after, run: null }).toEqual({ ...before, run: null })
  })

  it('counts no more when a rule or a waiver says so, which act on what was counted', async () => {
    const sides = await startSideBySide({ operations: { '*': CHECKED } })
    await sendDocuments(sides)
    await sides.compared(4)
    const by = { operation: 'document', by: 'ada' }
    const rollout = {
      operations: { '*': CHECKED },
      ignore: [{ ...by, path: 'gsm', kind: 'dropped', why: 'v1 sends no texts' }],
      waive: [{ ...by, line: 'request ?dryRun', why: 'legacy never read it' }],
    }
    writeFileSync(sides.rolloutFile, JSON.stringify(rollout))
    const document = async () => reportOf((await sides.experiments()).operations, 'document')
    await expect.poll(async () => (await document())?.verdict).toBe('insufficient data')
    expect(await document()).toMatchObject({ missing: MISSING, checked: { writes: 4 } })
    expect(dropped(await document())).toEqual([
      ['gsm', 'rule: v1 sends no texts'],
      ['?dryRun', 'rule: legacy never read it'],
    ])
    expect(stageOf(await read(sides, '/'), 'document')).toContain('4 writes checked, no member is lost.')
    const [use] = (await sides.experiments()).rules
    expect(use).toMatchObject({ path: 'gsm', kind: 'dropped', lastExcused: expect.any(String), stale: false })
    // What is found from now on does not count either.
    await sendDocuments(sides)
    expect(reportOf((await sides.compared(8)).operations, 'document')?.account.skips).toEqual({
      'write, checked without sending it': 4,
    })
  })

  it('is excused for one client alone, if the rule names it', async () => {
    const rule = { operation: 'document', path: 'gsm', kind: 'dropped', why: 'its texts are sent elsewhere' }
    for (const [client, verdict] of [
      ['demo-client', 'insufficient data'],
      ['another', 'not ready'],
    ] as const) {
      const sides = await startSideBySide({ operations: { '*': CHECKED }, ignore: [{ ...rule, client }] })
      await sides.call(DOCUMENT, { ...document, gsm: '1' })
      expect(reportOf((await sides.compared(1)).operations, 'document')?.verdict, client).toBe(verdict)
    }
  })

  it('is none if the mapping file says what becomes of it', async () => {
    const lines = { request: { gsm: { drop: true }, mobile: { to: 'phone' } } }
    const sides = await startSideBySide(
      { operations: { '*': CHECKED } },
      {
        settings(folder) {
          const mappingFile = join(folder, 'mapping.json')
          writeFileSync(mappingFile, JSON.stringify({ operations: { document: lines } }))
          return { mappingFile }
        },
      },
    )
    await sides.call(DOCUMENT, { ...document, gsm: '1', mobile: '2' })
    const report = reportOf((await sides.compared(1)).operations, 'document')
    expect(report).toMatchObject({ verdict: 'insufficient data', checked: { writes: 1 }, droppedMembers: {} })
    expect(dropped(report)).toEqual([])
  })
})

it('writes that were checked are counted, apart from what proves something', async () => {
  const sides = await startSideBySide({ operations: { '*': CHECKED } })
  for (const name of ['Bir', 'İki', 'Üç']) await sides.call(IMPORT, { name, shipmentId: 'G1' })
  // Legacy refuses a name that is used: there is nothing to check.
  await sides.call(IMPORT, { name: 'Bir', shipmentId: 'G1' })
  for (let times = 0; times < 2; times++) await sides.call(DOCUMENT, document)
  const { operations, overall } = await sides.compared(6)
  expect(reportOf(operations, 'import-create')).toMatchObject({
    ...{ verdict: 'insufficient data', missing: MISSING, totals: { requests: 4, skipped: 4 } },
    checked: {
      ...{ writes: 3, units: { distinct: 3, estimated: false }, inputs: { distinct: 3, atLeast: false } },
      ...{ clients: { distinct: 1, atLeast: false }, since: expect.any(String), until: expect.any(String) },
    },
    ...{ units: { distinct: 0 }, inputs: { distinct: 0 }, clients: { distinct: 0 }, since: null, until: null },
    account: { calls: 4, skips: { write: 1, 'write, checked without sending it': 3 }, compared: 0 },
  })
  expect(reportOf(operations, 'document')).toMatchObject({
    checked: { writes: 2, units: { distinct: 1 }, inputs: { distinct: 1 } },
  })
  expect(overall.verdict).toBe('insufficient data')
  const stage = stageOf(await read(sides, '/'), 'import-create')
  expect(stage).toMatch(/^import-create ◐ checked ○ not proven/)
  expect(stage).toContain(
    'Its calls are only checked, which proves nothing about v1; a write is compared only with a copy of v1',
  )
  expect(stage).toContain('3 writes checked, no member is lost.')
  const page = textOf(await read(sides, '/side-by-side/import-create'))
  expect(page).toContain('Checked, not sent 3 writes, 3 units, 1 client, 3 inputs')
  expect(page).toContain('No differences that count.')
})

it('a replay of writes counts it between copies too, in its words, in all reports and by its exit code', async () => {
  const services = await startServices()
  const bodies = ['a', 'b', 'c', 'd', 'e'].map((number) => ({
    ...document,
    ...{ referenceNumbers: [number], gsm: 'secret-1' },
  }))
  const recorded = bodies.map((body) => line(`POST ${DOCUMENT}`, body)).join('')
  const options = [...DEMO, '--include-writes', '--target', '0.5']
  const { exit, output, json, report } = await replayOver(services, recorded, options)
  expect(exit).toBe(1)
  const [found] = json().operations
  expect(found).toMatchObject({
    ...{ operation: 'document', verdict: 'not ready', totals: { matched: 0, mismatched: 5 } },
    ...{ checked: null, units: { distinct: 5, mismatched: 5 } },
  })
  expect(found?.differences[0]).toMatchObject({ kind: 'dropped', path: 'gsm', requests: 5, lines: [1, 2, 3, 4, 5] })
  expect(output).toContain('dropped gsm, in 5 exchanges')
  expect(textOf(report('report.html'))).toContain('dropped gsm')
  expect(report('junit.xml')).toMatch(/<failure [^>]*>dropped gsm: in 5 exchanges/)
  expect(report('propose.json')).toContain('no line is guessed: write one with to or drop')

  const waive = [{ operation: 'document', line: 'request gsm', why: 'v1 sends no texts', by: 'ada' }]
  const again = await replayOver(await startServices(), recorded, options, {
    ROLLOUT_FILE: fileOf(JSON.stringify({ waive })),
  })
  expect([again.exit, again.json().operations[0]?.verdict]).toEqual([0, 'ready'])
})

it('a read of which v1 does not get everything is told as before: no difference counts', async () => {
  const sides = await startSideBySide({ operations: { '*': { serve: 'legacy', shadow: 1, target: 0.5 } } })
  for (let page = 1; page <= 5; page++) await sides.call('/api/invoice/list', { page, perPage: 10, companyId: 7 })
  expect(reportOf((await sides.compared(5)).operations, 'invoice-list')).toMatchObject({
    ...{ verdict: 'ready', differences: [], coverage: { notSent: [{ legacy: 'companyId', requests: 5 }] } },
  })
})
