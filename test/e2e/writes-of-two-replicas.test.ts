import { describe, expect, it } from 'vitest'
import type { Experiment, Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { stagesOf, textOf } from '../support/read-html.ts'
import { copyAt, startRecordedCopy } from '../support/recorded-copy.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const DOCUMENT = '/api/consignment/document'
const PACKAGE = '/api/consignment/package/advance'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const [parcel = {}] = GOOD_BODIES[PACKAGE] ?? []
const ROLLOUT = {
  operations: {
    '*': { serve: 'legacy', shadow: 1, target: 0.5 },
    document: { shadowWrites: 'copy' },
    package: { shadowWrites: 'translate-only' },
  },
  limits: { copyWritesPerSecond: 500 },
}
const SOON = { timeout: 20_000 }

const server = sharedPostgres() as SharedPostgres

const read = async ({ adminUrl }: SideBySide, path: string): Promise<string> =>
  (await callLegacy(adminUrl, { method: 'GET', path })).text

const of = ({ operations }: Experiments, id: string): Experiment | undefined =>
  operations.find(({ operation }) => operation === id)

describe.skipIf(server === undefined)('two replicas that share a PostgreSQL database', () => {
  it('add up what one has sent to the copy and the other has checked, on the pages and in the JSON of both', async () => {
    const copy = await startRecordedCopy()
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    const schema = newSchema()
    const start = (replicaId: string): Promise<SideBySide> =>
      startSideBySide(ROLLOUT, {
        ...{ v1Url: sandbox.v1Url, legacyUrl: sandbox.legacyUrl ?? '' },
        settings: () => ({
          ...{ postgres: { ...server.settings, schema }, replicaId, copy: copyAt(copy.url) },
          tokenKeys: [new Uint8Array(32).fill(7)],
        }),
      })
    const [copying, checking] = [await start('copying'), await start('checking')]
    const sendDocument = (sides: SideBySide, name: string) =>
      sides.call(DOCUMENT, { ...document, referenceNumbers: [name] })
    const sendParcel = (sides: SideBySide, gsm: string) => sides.call(PACKAGE, { ...parcel, gsm })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await sendDocument(copying, name)
    for (const gsm of ['1', '2', '3']) await sendParcel(checking, gsm)
    // And some the other way round, so that sums show.
    for (const name of ['a', 'f']) await sendDocument(checking, name)
    await sendParcel(copying, '4')

    const both = [copying, checking]
    const report = async (sides: SideBySide): Promise<readonly (Experiment | undefined)[]> => {
      const all = await sides.experiments()
      // What to run names the address of the gateway.
      return ['document', 'package'].map((id) => ({ ...(of(all, id) as Experiment), run: null }))
    }
    for (const sides of both) {
      await expect
        .poll(() => report(sides), SOON)
        .toMatchObject([
          {
            totals: { requests: 7, ignored: 7, skipped: 0 },
            units: { distinct: 6 },
            verdict: 'ready',
            against: 'a copy',
            unjudged: {},
          },
          {
            ...{ totals: { requests: 4, mismatched: 4 }, units: { distinct: 0 }, verdict: 'not ready', against: null },
            ...{ checked: { writes: 4, clients: { distinct: 1 } }, droppedMembers: { gsm: 4 } },
          },
        ])
    }
    expect(await report(copying)).toEqual(await report(checking))
    expect(copy.received.filter(({ target }) => target.endsWith('/documents'))).toHaveLength(7)

    const pagesOf = async (sides: SideBySide) => {
      const stages = stagesOf(await read(sides, '/'))
      const stageOf = (id: string) => stages.find(([operation]) => operation === id)
      return {
        stages: ['document', 'package'].map(stageOf),
        document: textOf(await read(sides, '/side-by-side/document')),
        parcel: textOf(await read(sides, '/side-by-side/package')),
      }
    }
    const pages = [await pagesOf(copying), await pagesOf(checking)]
    for (const { stages, document, parcel } of pages) {
      expect(stages[1]?.join(' ')).toContain('4 writes checked, 1 member is lost: gsm (4 calls, 1 client).')
      expect(document).toContain('against a copy')
      expect(document).toMatch(/7 (?:exchanges|calls)/)
      expect(parcel).toContain('4 writes checked, 1 member is lost: gsm (4 calls, 1 client)')
    }
    expect(pages[0]?.stages).toEqual(pages[1]?.stages)
  })
})
