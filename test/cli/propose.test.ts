import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProposalsReport } from '../../src/control-plane/evidence/proposals/proposals.ts'
import { type Ran, runCommand } from '../support/run-command.ts'
import {
  DEMO,
  fileOf,
  INVOICES,
  line,
  newDirectory,
  replayOver,
  type Services,
  startServices,
  UNSET,
} from '../support/run-replay.ts'

const lines = {
  'data[].number': { from: 'items[].invoiceNumber' },
  'data[].priceTry': { from: 'items[].priceTry', scale: 2 },
}
const deviations = JSON.stringify({ operations: { 'invoice-list': { response: lines } } })
const pages = (count: number): string =>
  Array.from({ length: count }, (_, at) => line(INVOICES, { perPage: at + 5 })).join('')

describe('propose RECORDING', { timeout: 60_000 }, () => {
  let services: Services
  beforeAll(async () => {
    services = await startServices(deviations)
  })
  const propose = (recording: string, more: readonly string[] = [], env = {}): Promise<Ran> => {
    const sides = ['--legacy', services.legacyUrl, '--v1', services.v1Url, '--report', newDirectory()]
    return runCommand(['propose', fileOf(recording), ...sides, ...DEMO, ...more], { ...UNSET, ...env })
  }

  it('shows the lines with their evidence, and writes those that are certain to a file', async () => {
    const out = join(newDirectory(), 'mapping.json')
    const ran = await propose(pages(12), ['--out', out])
    expect(ran.exit).toBe(0)
    expect(ran.output).toMatch(/^invoice-list: 12 exchanges\n/)
    expect(ran.output).toMatch(
      /data\[\]\.number +items\[\]\.invoiceNumber +certain +equal in \d+ places of 12 exchanges, 16 different values, 12 inputs\n/,
    )
    expect(ran.output).toContain('\n2 lines are proposed, 2 of them certain.\n')
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(JSON.parse(deviations))
    expect((await propose(pages(12), [], { MAPPING_FILE: out })).output).toMatch(/^Nothing is proposed\.\n/)
  })

  it('exits with 3 where too little shows a line, and says which difference has none', async () => {
    const ran = await propose(pages(2))
    expect(ran.exit).toBe(3)
    expect(ran.output).toMatch(/Without a certain line: data\[\]\.(number|priceTry), /)
    expect(ran.output).toContain('2 lines are proposed, 0 of them certain.')
  })

  it('exits with 3 where services differ in what no line changes', async () => {
    await services.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 422, calls: 2 })
    const ran = await propose(pages(12))
    expect(ran.output).toContain('no line changes it')
    expect(ran.exit).toBe(3)
  })

  it('prints JSON and nothing else, which replay writes as propose.json', async () => {
    const ran = await propose(pages(12), ['--json'])
    const found = JSON.parse(ran.output) as ProposalsReport
    expect(found.operations).toMatchObject([
      { operation: 'invoice-list', exchanges: 12, unexplained: [], file: JSON.parse(deviations) },
    ])
    const replayed = await replayOver(services, pages(12))
    const written = JSON.parse(replayed.report('propose.json')) as ProposalsReport
    const linesIn = ({ operations }: ProposalsReport) =>
      operations.map(({ proposals }) => proposals.map(({ legacy }) => legacy).sort())
    expect(linesIn(written)).toEqual(linesIn(found))
  })

  it('keeps what the file holds, and what is in force beside the lines', async () => {
    const held = {
      $schema: 'mapping.json',
      operations: {
        'city-list': { why: 'a rename', response: { '[].plate': { from: 'items[].plateCode' } } },
        'invoice-list': { by: 'a team', response: { 'data[].made': { lost: 'v1 does not have it' } } },
      },
    }
    const out = fileOf(JSON.stringify(held))
    const request = { statusId: { to: 'state' } }
    const MAPPING_FILE = fileOf(JSON.stringify({ operations: { 'invoice-list': { why: 'first week', request } } }))
    expect((await propose(pages(12), ['--out', out], { MAPPING_FILE })).exit).toBe(0)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
      $schema: 'mapping.json',
      operations: {
        'city-list': held.operations['city-list'],
        'invoice-list': {
          ...{ why: 'first week', by: 'a team', request },
          response: { ...held.operations['invoice-list'].response, ...lines },
        },
      },
    })
  })

  it('refuses a file with mistakes with all of them, before it asks a service', async () => {
    const text = '{"operations":{"invoice-list":{"response":{"data[].a":{},"data[].b":{}}}}}'
    const out = fileOf(text)
    const ran = await propose(pages(1), ['--out', out])
    expect(ran).toMatchObject({ exit: 2, output: '' })
    expect(ran.errors).toMatch(
      /--out: \S+: operations\.invoice-list\.response\.data\[\]\.a: .*\n.*--out: \S+: operations\.invoice-list\.response\.data\[\]\.b: /,
    )
    expect(readFileSync(out, 'utf8')).toBe(text)
  })

  it('takes no option that would change nothing', async () => {
    expect(await propose(pages(1), ['--until-difference'])).toMatchObject({
      exit: 2,
      errors: expect.stringContaining("unknown option '--until-difference'"),
    })
  })

  it('could not run where a file cannot be written, or a recording has nothing', async () => {
    const out = join(newDirectory(), 'no', 'such', 'folder.json')
    expect(await propose(pages(1), ['--out', out])).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('--out: '),
    })
    expect(existsSync(out)).toBe(false)
    expect((await propose('')).exit).toBe(2)
  })
})
