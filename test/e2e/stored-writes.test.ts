import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Experiment } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import type { Settings } from '../support/start-gateway.ts'

const DOCUMENT = '/api/consignment/document'
const IMPORT = '/api/single/point/import'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const KEY = new Uint8Array(32).fill(7)

/** Documents are checked, imports go to a copy, and logins are compared. */
const ROLLOUT = {
  operations: {
    '*': { serve: 'legacy', shadow: 1, target: 0.5 },
    document: { shadowWrites: 'translate-only' },
    'import-create': { shadowWrites: 'copy' },
  },
  limits: { copyWritesPerSecond: 500 },
}

const server = sharedPostgres() as SharedPostgres

describe.each([
  ['SQLite', (folder: string): Partial<Settings> => ({ stateDb: join(folder, 'state.db') }), false],
  [
    'PostgreSQL',
    (): Partial<Settings> => ({ postgres: { ...server.settings, schema: newSchema() } }),
    server === undefined,
  ],
] as const)('what is stored of writes in %s', (_, stateIn, isSkipped) => {
  it.skipIf(isSkipped)(
    'is the same after a restart: checked, lost, compared against a copy, and of logins',
    async () => {
      const copy = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
      closeAtEnd(() => copy.close())
      let state: Partial<Settings> | undefined
      const account = { clientId: 'demo-client', secretKey: 'demo-secret' }
      const settings = (folder: string): Partial<Settings> => {
        // Both gateways have the state that the first one began.
        state ??= stateIn(folder)
        const atCopy = { baseUrl: new URL(copy.v1Url), account, releaseHeader: undefined }
        return { tokenKeys: [KEY], copy: atCopy, ...state }
      }
      const sides = await startSideBySide(ROLLOUT, { settings })
      for (const gsm of ['1', '1', '2']) await sides.call(DOCUMENT, { ...document, gsm })
      for (const name of ['a', 'b']) expect((await sides.call(IMPORT, { name, shipmentId: 'G1' })).status).toBe(200)
      const before = await sides.compared(5)
      const of = (operations: readonly Experiment[], id: string) =>
        operations.find(({ operation }) => operation === id) as Experiment
      expect(of(before.operations, 'document')).toMatchObject({
        ...{ verdict: 'not ready', against: null, checked: { writes: 3, clients: { distinct: 1 } } },
        differences: expect.arrayContaining([expect.objectContaining({ kind: 'dropped', path: 'gsm', requests: 3 })]),
      })
      expect(of(before.operations, 'import-create')).toMatchObject({ against: 'a copy', units: { distinct: 2 } })
      expect(of((await sides.experiments()).operations, 'auth').totals.matched).toBe(1)
      await sides.gateway.close()

      const again = await startSideBySide(ROLLOUT, { settings })
      const read = async (id: string) => ({ ...of((await again.experiments()).operations, id), run: null })
      for (const id of ['document', 'import-create']) {
        await expect.poll(() => read(id), { timeout: 20_000 }).toEqual({ ...of(before.operations, id), run: null })
      }
    },
  )
})
