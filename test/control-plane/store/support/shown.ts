import type { ReplicasReport } from '../../../../src/control-plane/store/replicas.ts'
import type { Readiness } from '../../../../src/observe/readiness.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import type { SideBySide } from '../../../support/side-by-side.ts'

type At = Pick<SideBySide, 'adminUrl'>

/** What a page of the admin port shows. */
async function text({ adminUrl }: At, path: string): Promise<string> {
  const { status, text } = await callLegacy(adminUrl, { path })
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return text
}

export const readinessOf = async (at: At): Promise<Readiness> => JSON.parse(await text(at, '/readyz')) as Readiness
export const replicasOf = async (at: At): Promise<ReplicasReport> =>
  JSON.parse(await text(at, '/replicas')) as ReplicasReport

/** Returns the metric that says whether results can be stored. */
export const isUp = async (at: At): Promise<number> =>
  Number(/^legacy_gateway_state_store_up (\S+)$/m.exec(await text(at, '/metrics'))?.[1])

/** Everything that the admin port says, of which none may hold a secret. */
const PATHS = [
  ...['/readyz', '/healthz', '/metrics', '/replicas', '/experiments', '/dossier'],
  ...['/', '/fleet', '/side-by-side', '/side-by-side/invoice-list', '/rollout', '/explain'],
]

export const everythingSaid = async (at: At): Promise<string> =>
  (await Promise.all(PATHS.map((path) => text(at, path)))).join('\n')

/** How many calls of the operation that the tests call are counted, once none is left to compare. */
export async function settledRequests(gateway: SideBySide): Promise<number> {
  for (;;) {
    const { queue, operations } = await gateway.experiments()
    const { requests = 0 } = operations.find(({ operation }) => operation === 'invoice-list')?.totals ?? {}
    if (queue.length === 0 && queue.running === 0) return requests
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
