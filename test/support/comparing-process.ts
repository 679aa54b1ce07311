import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { EVIDENCE } from '../../src/control-plane/evidence/tally/evidence-db.ts'
import { exchangesIn } from '../../src/control-plane/evidence/tally/operation-state.ts'
import { documentsAfter } from '../../src/control-plane/store/ledger.ts'
import { readFile } from '../../src/control-plane/store/sqlite-engine.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd, removeAtEnd } from './clean-up.ts'
import { callLegacy } from './legacy-client.ts'
import { logOf, type ServiceProcess, servingAt, startService } from './service-process.ts'
import { startGateway, until } from './start-gateway.ts'
import { wholeToken } from './whole-token.ts'

/** A gateway in front of a sandbox that compares every call. */
export interface Comparing {
  readonly admin: string
  /** Makes this many compared calls, each with another input. Returns the median of their times, in ms. */
  call(count: number): Promise<number>
  /** Waits until this many exchanges have been counted. */
  counted(requests: number): Promise<Experiments>
  metric(name: string): Promise<number>
  log(): readonly Readonly<Record<string, unknown>>[]
  /** The messages of the log at `warn` and above. */
  complaints(): readonly string[]
  /** Waits for a line of the log. */
  said(message: RegExp): Promise<void>
}

export interface ComparingGateway extends Comparing {
  /** Stores the results if possible, and closes. */
  stop(): Promise<void>
}

/** A gateway in a process of its own. */
export interface ComparingProcess extends Comparing {
  readonly service: ServiceProcess
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>
}

/** The same key for all, so that the log does not warn. */
const TOKEN_KEY = Buffer.alloc(32, 7)

/** A folder that is removed at the end. */
export function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'))
  removeAtEnd(folder)
  return folder
}

/** The events that tests wait for take a second or two, or much longer on a busy machine. */
const PATIENCE_MS = 60_000

/** A rollout in which v1 answers, and every call is compared. */
function rolloutFile(): string {
  const file = join(stateFolder(), 'rollout.json')
  writeFileSync(file, JSON.stringify({ operations: { '*': { serve: 'v1', shadow: 1 } } }))
  return file
}

let sandbox: ReturnType<typeof startSandbox> | undefined

/** Starts one sandbox for all gateways of a test file, with a clock of its own. */
async function services(): Promise<{ readonly v1: string; readonly legacy: string }> {
  if (sandbox === undefined) {
    const started = startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    sandbox = started
    closeAtEnd(async () => {
      sandbox = undefined
      await (await started).close()
    })
  }
  const { v1Url, legacyUrl = '' } = await sandbox
  return { v1: v1Url, legacy: legacyUrl }
}

/** Starts a gateway in a process of its own. */
export async function startComparingProcess(
  stateDb: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ComparingProcess> {
  const { v1, legacy: legacyService } = await services()
  const service = startService('serve', {
    ...{ V1_BASE_URL: v1, LEGACY_BASE_URL: legacyService, TOKEN_KEY: TOKEN_KEY.toString('base64') },
    ...{ STATE_DB: stateDb, ROLLOUT_FILE: rolloutFile(), ...env },
  })
  const { legacy, admin } = await servingAt(service)
  return {
    ...(await comparing(legacy, admin, () => logOf(service))),
    service,
    async stop() {
      const closed = once(service.child, 'close')
      service.child.kill('SIGTERM')
      await closed
      return service.exit
    },
  }
}

/** Starts a gateway in this process, which is many times faster. */
export async function startComparing(stateDb: string): Promise<ComparingGateway> {
  const { v1, legacy: legacyUrl } = await services()
  const settings = { stateDb, rolloutFile: rolloutFile(), tokenKeys: [TOKEN_KEY] }
  const gateway = await startGateway(v1, { legacyUrl, settings })
  return { ...(await comparing(gateway.url, await gateway.openAdmin(), () => gateway.log)), stop: gateway.close }
}

async function comparing(legacy: string, admin: string, log: Comparing['log']): Promise<Comparing> {
  const login = { clientId: 'demo-client', secretKey: 'demo-secret' }
  const token = await wholeToken(() => callLegacy(legacy, { path: '/auth/application', body: JSON.stringify(login) }))
  let page = 0
  const experiments = async (): Promise<Experiments> =>
    JSON.parse((await callLegacy(admin, { path: '/experiments' })).text) as Experiments
  return {
    admin,
    log,
    async call(count) {
      const times: number[] = []
      for (let made = 0; made < count; made++) {
        const started = performance.now()
        const { status, text } = await callLegacy(legacy, {
          path: '/api/invoice/list',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ page: ++page, perPage: 1 }),
        })
        if (status !== 200) throw new Error(text)
        times.push(performance.now() - started)
      }
      return median(times)
    },
    async counted(requests) {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
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
      log()
        .filter(({ level }) => Number(level) >= 40)
        .map(({ msg }) => String(msg)),
    said: (message) => until(() => log().some(({ msg }) => message.test(String(msg))), PATIENCE_MS),
  }
}

/** The number of counted requests of the operation that `call` calls. */
export const requestsOf = ({ operations }: Experiments): number =>
  operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0

/** The number of exchanges of that operation in a state file. */
export function storedIn(stateDb: string): number {
  const counts = readFile(stateDb, documentsAfter(EVIDENCE, 0)).map(({ doc }) => doc)
  return counts
    .filter(({ operation }) => operation === 'invoice-list')
    .reduce((sum, each) => sum + exchangesIn(each), 0)
}

/** Unlike the slowest, it says nothing of a machine that was busy for a moment. */
export const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
