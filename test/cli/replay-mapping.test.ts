import { beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import type { Corrections } from '../../src/mapping/corrections/corrections.ts'
import type { MappingChange } from '../../src/recordings/replay/mapping-change.ts'
import {
  DEMO,
  fileOf,
  INVOICES,
  line,
  type Ran,
  replayOver,
  type Services,
  startServices,
  UNITS,
} from '../support/run-replay.ts'

const number = { 'data[].number': { from: 'items[].invoiceNumber' } }
const price = { 'data[].priceTry': { from: 'items[].priceTry', scale: 2 } }
const file = (operations: Corrections['operations']): string => fileOf(JSON.stringify({ operations }))
const deviations: Corrections = { operations: { 'invoice-list': { response: { ...number, ...price } } } }

/** 15 pages of invoices, and one list that no file corrects. */
const recording = [
  ...Array.from({ length: 15 }, (_, at) => line(INVOICES, { perPage: at + 5, isPayment: at > 9 })),
  line(UNITS),
].join('')

const changeIn = (ran: Ran): MappingChange | undefined =>
  (ran.json() as Report & { readonly change?: MappingChange }).change
const at = (kind: string, path: string) => ({ operation: 'invoice-list', kind, path })

describe('replay --mapping FILE', { timeout: 60_000 }, () => {
  let services: Services
  beforeAll(async () => {
    services = await startServices(JSON.stringify(deviations))
  })
  const replay = (mapping: string, env = {}): Promise<Ran> =>
    replayOver(services, recording, [...DEMO, '--mapping', mapping], env)

  it('says how the differences change with the file, before it is in force', async () => {
    const mapping = file(deviations.operations)
    const ran = await replay(mapping)
    expect(ran.output).toContain('\nWith this file: 2 → 0 differences, 0 new.\n')
    expect(changeIn(ran)).toEqual({
      ...{ before: 2, after: 0, new: [] },
      settled: expect.toSatisfy((settled: readonly unknown[]) => settled.length === 2),
    })
    expect(changeIn(ran)?.settled).toEqual(
      expect.arrayContaining([at('missing', 'data[].number'), at('changed', 'data[].priceTry')]),
    )
    expect(ran.json().replayed?.options).toContain(`--mapping ${mapping}`)
    expect(ran.json().operations.find(({ operation }) => operation === 'invoice-list')).toMatchObject({
      totals: { requests: 15, mismatched: 0 },
    })
  })

  it('stands beside what is in force, and a part of it settles a part', async () => {
    const inForce = file({ 'invoice-list': { response: number } })
    const ran = await replay(file({ 'invoice-list': { response: price } }), { MAPPING_FILE: inForce })
    expect(changeIn(ran)).toEqual({
      ...{ before: 1, after: 1 },
      settled: [at('changed', 'data[].priceTry')],
      new: [at('missing', 'data[].number')],
    })
    expect(ran.output).toContain('With this file: 1 → 1 difference, 1 new.')
  })

  it('lists what a file makes worse, also with lines of a request', async () => {
    const ran = await replay(
      file({
        'invoice-list': {
          response: { ...number, ...price, 'data[].dateAt': { always: 'never' } },
          request: { isPayment: { drop: true } },
        },
      }),
    )
    const change = changeIn(ran)
    expect(change?.before).toBe(2)
    expect(change?.new).toEqual(expect.arrayContaining([at('changed', 'data[].dateAt'), at('extra', 'data[]')]))
    expect(change?.settled).toContainEqual(at('missing', 'data[].number'))
    expect(ran.exit).toBe(1)
  })

  it('counts the differences of operations that the file leaves alone before and after', async () => {
    const ran = await replay(file({ 'unit-list': { response: { '[].name': { drop: true } } } }))
    expect(changeIn(ran)).toMatchObject({
      before: 2,
      after: 3,
      settled: [],
      new: [{ operation: 'unit-list' }],
    })
    const none = await replay(file({}))
    expect(changeIn(none)).toEqual({ before: 2, after: 2, settled: [], new: [] })
  })

  it('refuses a file with mistakes with all of them, and asks no service', async () => {
    const ran = await replay(fileOf('{"operations":{"invoice-list":{"response":{"data[].a":{},"data[].b":{}}}}}'))
    expect(ran.exit).toBe(2)
    expect(ran.output).toBe('')
    expect(ran.errors.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}--mapping: operations\.invoice-list\.response\.data\[\]\.a: must have one of/),
      expect.stringMatching(/^ {2}--mapping: operations\.invoice-list\.response\.data\[\]\.b: must have one of/),
    ])
    expect((await replay('/no/such/file')).errors).toContain(
      '--mapping: /no/such/file cannot be read: no such file or directory',
    )
  })

  it('changes nothing in the report of a replay without it', async () => {
    const ran = await replayOver(services, recording)
    expect(ran.json()).not.toHaveProperty('change')
    expect(ran.output).not.toContain('With this file')
  })
})
