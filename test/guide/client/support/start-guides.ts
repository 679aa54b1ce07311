import { operations } from '../../../../mappings/index.ts'
import { guideMaker } from '../../../../src/app/guide-maker.ts'
import { serveClientGuides } from '../../../../src/control-plane/admin/serve-client-guides.ts'
import type { ClientOperation } from '../../../../src/control-plane/usage/stored-usage.ts'
import { compileOperations } from '../../../../src/engine/compile/compile-operations.ts'
import type { UsedOperation } from '../../../../src/guide/client/used-operation.ts'
import { snippetsOf } from '../../../../src/guide/snippets/snippets-of.ts'
import { startCutoverAdmin } from '../../../support/cutover-admin.ts'

/** Makes guides of clients whose use a test made up. */
export const makerOf = (clients: Readonly<Record<string, readonly UsedOperation[]>>) =>
  guideMaker({
    ...{
      operations: () => compileOperations(operations),
      basePath: '/legacy',
      snippetsOf,
      v1: new URL('https://v1.test'),
    },
    ...{ sunset: new Date('2027-06-30T00:00:00Z'), now: () => new Date('2026-11-23T10:00:00Z') },
    usage: {
      ofClient: async (client) => (Object.hasOwn(clients, client) ? (clients[client] ?? []) : []).map(counted(client)),
    },
  })

const counted =
  (client: string) =>
  (used: UsedOperation): ClientOperation => ({
    ...{ client, clientErrors: 0, serverErrors: 0, byV1: 0, byLegacy: used.calls, agents: [] },
    ...used,
    example: used.example && { method: 'POST', path: '/', ...used.example },
  })

/** Starts an admin port that serves guides, until the file's tests have run. */
export const startGuides = (
  clients: Readonly<Record<string, readonly UsedOperation[]>>,
  token?: string,
): Promise<{ readonly url: string }> =>
  startCutoverAdmin({ guides: serveClientGuides(makerOf(clients)), ...(token !== undefined && { token }) })
