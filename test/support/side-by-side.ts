import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd, removeAtEnd } from './clean-up.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'
import { type Settings, type StartedGateway, startGateway } from './start-gateway.ts'
import { wholeToken } from './whole-token.ts'

/** A gateway in front of both faces of one sandbox, unless a test has services of its own, with a rollout file. */
export interface SideBySide {
  readonly gateway: StartedGateway
  /** The path of the rollout file. */
  readonly rolloutFile: string
  /** A folder that is removed at the end. */
  readonly folder: string
  readonly adminUrl: string
  readonly v1Url: string
  /** The demo client's token. */
  readonly token: string
  /** Sends a legacy call as the demo client; an object is sent as JSON. */
  call(path: string, body?: object, headers?: LegacyCall['headers']): Promise<Reply>
  /** Sets a fault of one face (docs/sandbox.md "Faults on demand"). */
  plant(face: 'v1' | 'legacy', fault: object): Promise<void>
  /** Removes all faults of a face. */
  clear(face: 'v1' | 'legacy'): Promise<void>
  experiments(): Promise<Experiments>
  /** Waits until this many exchanges have been counted in all, and none is left to compare. Logins are left out. */
  compared(requests: number): Promise<Experiments>
}

export const DEMO_LOGIN = { clientId: 'demo-client', secretKey: 'demo-secret' }

/** A background comparison that takes longer than this will never end. */
const PATIENCE_MS = 20_000
/** The time between two looks at it: each takes milliseconds of the processor that it needs itself. */
const LOOK_EVERY_MS = 20

export async function startSideBySide(
  rollout: object,
  options: {
    readonly settings?: (folder: string) => Partial<Settings>
    /** Replaces the sandbox's legacy face. */
    readonly legacyUrl?: string
    readonly v1Url?: string
  } = {},
): Promise<SideBySide> {
  const folder = mkdtempSync(join(tmpdir(), 'side-by-side-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(rollout))
  removeAtEnd(folder)
  const { v1Url, legacyUrl } = options
  const faces = v1Url === undefined || legacyUrl === undefined ? await startFaces() : { v1: v1Url, legacy: legacyUrl }
  const gateway = await startGateway(v1Url ?? faces.v1, {
    legacyUrl: legacyUrl ?? faces.legacy,
    settings: { rolloutFile, ...options.settings?.(folder) },
  })
  const adminUrl = await gateway.openAdmin()
  const token = await wholeToken(() => gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) }))
  const experiments = async (): Promise<Experiments> =>
    JSON.parse((await callLegacy(adminUrl, { path: '/experiments' })).text) as Experiments
  return {
    gateway,
    rolloutFile,
    folder,
    adminUrl,
    v1Url: faces.v1,
    token,
    call: (path, body, headers) =>
      gateway.call({
        path,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async plant(face, fault) {
      const planted = await callLegacy(faces[face], { path: '/sandbox/faults', body: JSON.stringify(fault) })
      if (planted.status !== 201) throw new Error(planted.text)
    },
    async clear(face) {
      await callLegacy(faces[face], { method: 'DELETE', path: '/sandbox/faults' })
    },
    experiments,
    async compared(requests) {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
        const all = await experiments()
        const now = { ...all, operations: all.operations.filter(({ operation }) => operation !== 'auth') }
        const { length, running } = now.queue
        const counted = now.operations.reduce((sum, { totals }) => sum + totals.requests, 0)
        if (counted >= requests && length === 0 && running === 0) return now
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
      throw new Error(`not compared in time: ${JSON.stringify(await experiments())}`)
    },
  }
}

async function startFaces(): Promise<{ readonly v1: string; readonly legacy: string }> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  return { v1: sandbox.v1Url, legacy: sandbox.legacyUrl ?? '' }
}
