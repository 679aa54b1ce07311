import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OperationProposals, ProposalsReport } from '../../src/control-plane/evidence/proposals/proposals.ts'
import { demo } from '../sandbox/sandbox-client.ts'
import { removeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'
import { UNSET } from '../support/run-replay.ts'
import { facesOf, servingAt, startService } from '../support/service-process.ts'
import { until } from '../support/start-gateway.ts'

/** How the services deviate from the contract: a whole list, a page and a calculation. */
const deviations = {
  'city-list': {
    '[].plate': { from: 'items[].plateCode' },
    '[].name': { from: 'items[].title' },
  },
  'invoice-list': {
    'data[].number': { from: 'items[].invoiceNumber' },
    'data[].priceTry': { from: 'items[].priceTry', scale: 2 },
  },
  price: {
    '[].packages[].weight': { from: 'items[].packages[].kilograms' },
  },
} as const

const responses = Object.fromEntries(Object.entries(deviations).map(([id, response]) => [id, { response }]))

describe('corrections that the gateway proposes', { timeout: 120_000 }, () => {
  let folder: string
  const at = (name: string): string => join(folder, name)
  let calls: number
  let gateway: { readonly legacy: string; readonly admin: string }
  let headers: Readonly<Record<string, string>>

  // Before each test, so that one that is repeated begins anew.
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proposed-'))
    removeAtEnd(folder)
    calls = 0
    writeFileSync(at('deviations.json'), JSON.stringify({ operations: responses }))
    writeFileSync(at('mapping.json'), '{"operations":{}}')
    writeFileSync(at('rollout.json'), '{"operations":{"*":{"serve":"legacy","shadow":1}}}')
    const services = await facesOf(startService('sandbox', {}, ['--deviate', at('deviations.json')]))
    gateway = await servingAt(
      startService('serve', {
        ...{ V1_BASE_URL: services.v1, LEGACY_BASE_URL: services.legacy },
        ...{ ROLLOUT_FILE: at('rollout.json'), MAPPING_FILE: at('mapping.json'), STATE_DB: at('state.db') },
      }),
    )
    const answer = await fetch(`${gateway.legacy}/auth/application`, { method: 'POST', body: JSON.stringify(demo) })
    const { token } = (await answer.json()) as { readonly token: string }
    headers = { authorization: `Bearer ${token}` }
  })

  const call = async (path: string, body?: object): Promise<void> => {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(gateway.legacy + path, { headers, ...post })
    expect(answer.status, `${path} ${await answer.text()}`).toBe(200)
  }
  /** Makes a call of each operation, all with other inputs. @param size how large a package is; cm. */
  const callEach = async (size: number): Promise<void> => {
    const round = calls++
    const before = await requests()
    const sorted = `sortBy=${SORTS[round % 4]}&sortOrder=${round % 8 < 4 ? 'asc' : 'desc'}`
    await call(`/city/all?countryCode=${COUNTRIES[Math.floor(round / 8)]}&${sorted}`)
    await call('/country/all')
    await call('/api/invoice/list', { perPage: 10 + round })
    const piece = { length: size + round, size, height: size, piece: 1 + (round % 3) }
    const packages = [0, 1, 2, 3].map((each) => ({ id: each, ...piece, weight: 1 + round + each * 7 }))
    await call('/api/calculate/price', { countryId: 4, packages })
    await until(async () => {
      const now = await requests()
      return now.every((count, at) => count === (before[at] ?? 0) + 1)
    })
  }
  const ask = async (path: string) => {
    const answer = await fetch(gateway.admin + path)
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  const of = async (id: string): Promise<Experiment | undefined> => {
    const { operations } = (await ask('/experiments')).body as { readonly operations: readonly Experiment[] }
    return operations.find(({ operation }) => operation === id)
  }
  const requestsOf = async (id: string): Promise<number> => (await of(id))?.totals.requests ?? 0
  /** The compared calls of each operation that deviates. */
  const requests = (): Promise<readonly number[]> => Promise.all(Object.keys(responses).map(requestsOf))
  const proposals = async (query = ''): Promise<ReadonlyMap<string, OperationProposals>> => {
    const { operations } = (await ask(`/proposals${query}`)).body as ProposalsReport
    return new Map(operations.map((found) => [found.operation, found]))
  }
  const propose = (...more: readonly string[]) => runCommand(['propose', '--admin', gateway.admin, ...more], UNSET)

  it('are found and tried, and the file that the command writes settles all differences without a restart', async () => {
    // Heavy for their size, as all packages of clients may be: then v1 has two members with the same values.
    for (let round = 0; round < 8; round++) await callEach(10)
    const first = await proposals()
    expect(linesOf(first.get('city-list'))).toEqual(certain('city-list'))
    expect(linesOf(first.get('invoice-list'))).toEqual(certain('invoice-list'))
    expect(first.get('price')?.proposals).toMatchObject([
      {
        ...{ legacy: '[].packages[].weight', certainty: 'ambiguous' },
        line: { from: 'items[].packages[].chargeableWeight' },
        alternatives: [
          {
            line: { from: 'items[].packages[].kilograms' },
            tells: expect.stringMatching(/^an exchange in which .*chargeableWeight and .*kilograms differ$/),
          },
        ],
      },
      { legacy: '[].packages[].kilograms', certainty: 'ambiguous' },
    ])
    expect(first.get('price')).toMatchObject({ trial: null, file: { operations: {} } })
    expect(await propose()).toMatchObject({
      exit: 3,
      output: expect.stringMatching(
        /\[\]\.plate +items\[\]\.plateCode +certain +equal in [\s\S]*\n6 lines are proposed, 4 of them certain\.\n$/,
      ),
    })

    // Light for their size: their weight is not what is charged.
    for (let round = 0; round < 8; round++) await callEach(90)
    // One more of each, after all lines have become certain.
    await new Promise((resolve) => setTimeout(resolve, 600))
    await callEach(90)
    const found = await proposals()
    for (const [id, { file, trial, unexplained }] of found) {
      expect(linesOf(found.get(id)), id).toEqual(certain(id))
      expect(trial, id).toMatchObject({ mismatched: 0, caused: [] })
      expect(trial?.matched, id).toBeGreaterThan(0)
      expect(trial?.settled.length, id).toBeGreaterThan(0)
      expect({ file, unexplained }, id).toEqual({ file: { operations: { [id]: responses[id] } }, unexplained: [] })
    }
    expect([...found.keys()].sort()).toEqual(Object.keys(deviations))
    expect([...(await proposals('?operation=price')).keys()]).toEqual(['price'])
    expect(await ask('/proposals?operation=prices')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('price') },
    })

    const lineages = async () => [(await of('city-list'))?.lineage.mapping, (await of('country-list'))?.lineage.mapping]
    const [before, after] = [await lineages(), at('mapping.json')]
    expect(await propose('--out', after)).toMatchObject({ exit: 0, errors: `${after}\n` })
    expect(JSON.parse(readFileSync(after, 'utf8'))).toEqual({ operations: responses })
    await until(async () => (await requestsOf('price')) === 0)
    const inForce = await lineages()
    expect(inForce[0]).not.toBe(before[0])
    expect(inForce[1]).toBe(before[1])
    expect(await proposals()).toEqual(new Map())
    await callEach(10)
    for (const id of Object.keys(deviations)) {
      await until(async () => (await requestsOf(id)) === 1)
      expect(await of(id), id).toMatchObject({ totals: { mismatched: 0, failed: 0, skipped: 0 } })
    }
    expect(await propose()).toMatchObject({ exit: 0, output: 'Nothing is proposed.\n' })
  })

  it('cannot be asked for where there is no gateway, nor without a place to find them', async () => {
    const nowhere = await runCommand(['propose', '--admin', 'http://127.0.0.1:1'], UNSET)
    expect(nowhere).toMatchObject({ exit: 2, output: '', errors: expect.stringContaining('http://127.0.0.1:1') })
    const services = await runCommand(['propose', '--admin', gateway.legacy], UNSET)
    expect(services).toMatchObject({ exit: 2, errors: expect.stringContaining('does not answer proposals (404)') })
    for (const words of [[], ['recording.ndjson', '--admin', gateway.admin]]) {
      expect(await runCommand(['propose', ...words], UNSET)).toMatchObject({
        exit: 2,
        errors: expect.stringContaining(
          'give recordings, or the admin port of a running gateway with --admin; not both',
        ),
      })
    }
  })
})

const SORTS = ['orderNumber', 'name', 'countryCode', 'id']
const COUNTRIES = ['TR', 'DE', 'FR']

/** The lines of an operation as they should be found. */
const certain = (id: string): object => ({
  ...Object.fromEntries(
    Object.entries(responses[id]?.response ?? {}).map(([legacy, line]) => [legacy, { certainty: 'certain', ...line }]),
  ),
})

const linesOf = (found: OperationProposals | undefined): object =>
  Object.fromEntries((found?.proposals ?? []).map(({ legacy, line, certainty }) => [legacy, { certainty, ...line }]))

interface Experiment {
  readonly operation: string
  readonly totals: Readonly<Record<string, number>>
  readonly lineage: Readonly<Record<string, unknown>>
}
