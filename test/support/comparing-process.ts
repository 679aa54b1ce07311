import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Experiments } from '../../src/app/build-side-by-side.ts'
import { closeAtEnd } from './clean-up.ts'
import { callLegacy } from './legacy-client.ts'
import { logOf, type ServiceProcess, servingAt, startService } from './service-process.ts'
import { until } from './start-gateway.ts'

/** The real process over its sandbox; every call is compared. */
export interface ComparingProcess {
  readonly service: ServiceProcess
  readonly admin: string
  /** Makes so many calls that are compared, each another input. Gives how long the slowest took, in ms. */
  call(count: number): Promise<number>
  /** Waits until so many exchanges have been counted. */
  counted(requests: number): Promise<Experiments>
  metric(name: string): Promise<number>
  /** The messages of the log at `warn` and above. */
  complaints(): readonly string[]
  /** Waits for a line of the log. */
  said(message: RegExp): Promise<void>
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>
}

/** The same for all, so that the log has nothing to warn of. */
const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64')

/** A folder, removed at the end. */
export function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function startComparing(
  stateDb: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ComparingProcess> {
  const rollout = join(stateFolder(), 'rollout.json')
  writeFileSync(rollout, JSON.stringify({ operations: { '*': { shadow: 1 } } }))
  const service = startService('serve', { STATE_DB: stateDb, ROLLOUT_FILE: rollout, TOKEN_KEY, ...env })
  const { legacy, admin } = await servingAt(service)
  const login = { clientId: 'demo-client', secretKey: 'demo-secret' }
  const reply = await callLegacy(legacy, { path: '/auth/application', body: JSON.stringify(login) })
  const { token } = JSON.parse(reply.text) as { readonly token: string }
  let page = 0
  const experiments = async (): Promise<Experiments> =>
    JSON.parse((await callLegacy(admin, { path: '/experiments' })).text) as Experiments
  return {
    service,
    admin,
    async call(count) {
      let slowest = 0
      for (let made = 0; made < count; made++) {
        const started = performance.now()
        const { status, text } = await callLegacy(legacy, {
          path: '/api/invoice/list',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ page: ++page, perPage: 1 }),
        })
        if (status !== 200) throw new Error(text)
        slowest = Math.max(slowest, performance.now() - started)
      }
      return slowest
    },
    async counted(requests) {
      for (let tries = 0; tries < 400; tries++) {
        const now = await experiments()
        if (requestsOf(now) >= requests) return now
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`not counted in time: ${JSON.stringify(await experiments())}`)
    },
    async metric(name) {
      const { text } = await callLegacy(admin, { path: '/metrics' })
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
    complaints: () =>
      logOf(service)
        .filter(({ level }) => Number(level) >= 40)
        .map(({ msg }) => String(msg)),
    said: (message) => until(() => logOf(service).some(({ msg }) => message.test(String(msg))), 15_000),
    async stop() {
      const closed = once(service.child, 'close')
      service.child.kill('SIGTERM')
      await closed
      return service.exit
    },
  }
}

/** Of the calls that `call` makes. */
export const requestsOf = ({ operations }: Experiments): number =>
  operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0

/** How many exchanges of those calls are in a state file. */
export function storedIn(stateDb: string): number {
  const db = new DatabaseSync(stateDb)
  try {
    const rows = db.prepare("SELECT counts FROM counts WHERE operation = 'invoice-list'").all()
    const all = rows.map(({ counts }) => JSON.parse(String(counts)) as Record<string, number | { requests: number }[]>)
    return all.reduce(
      (sum, { matched, failed, skipped, patterns }) =>
        sum +
        Number(matched) +
        Number(failed) +
        Number(skipped) +
        (patterns as { requests: number }[]).reduce((of, { requests }) => of + requests, 0),
      0,
    )
  } finally {
    db.close()
  }
}
