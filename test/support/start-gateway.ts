import { pino } from 'pino'
import { buildGateway } from '../../src/app/build-gateway.ts'
import { readConfig } from '../../src/app/config.ts'
import { clientPort, openFilesLimit, shareOpenFiles } from '../../src/app/open-files.ts'
import type { MakeGuide } from '../../src/exchange/guide-form.ts'
import type { ConnectionOptions } from '../../src/http/connections.ts'
import { listen } from '../../src/http/listen.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { closeAtEnd } from './clean-up.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'

export type Settings = Parameters<typeof buildGateway>[0]

export interface StartedGateway {
  readonly url: string
  /** The lines of the log. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  call(call: LegacyCall): Promise<Reply>
  /** Opens the admin port. Returns its URL. */
  openAdmin(): Promise<string>
  /** Closes it before the end of the file. */
  close(): Promise<void>
}

/** What ships, except for the name of the process: each gateway gets its own. The address is there because one must be named. */
const { replicaId: _, ...shipped } = readConfig({ V1_BASE_URL: 'http://127.0.0.1:1' })

const settings: Settings = {
  ...shipped,
  // Most tests are about what v1 answers, also where they do not say so in a rollout file.
  serve: 'v1',
  // Nobody can wait for what happens once a second.
  tickMs: 50,
}

/** Starts the whole gateway on a free port of loopback, until it is closed or the file's tests have run. */
export async function startGateway(
  v1Url: string,
  options: {
    readonly settings?: Partial<Settings>
    readonly operations?: readonly Operation[]
    /** Makes guides, for `clientGuides`. */
    readonly guide?: MakeGuide
    /** The legacy service behind it, if any. */
    readonly legacyUrl?: string
    /** How long idle connections are kept. */
    readonly keepAliveMs?: number
    /** How many connections its legacy port serves, in place of as many as there is room for. */
    readonly connections?: Partial<ConnectionOptions>
    /** Makes its legacy port accept connections in the order in which they came, as a port with one socket does. */
    readonly hasOneSocket?: boolean
  } = {},
): Promise<StartedGateway> {
  const log: Record<string, unknown>[] = []
  const write = (line: string): void => {
    log.push(JSON.parse(line) as Record<string, unknown>)
  }
  const logger = pino({ level: 'info' }, { write })
  const legacyService = options.legacyUrl === undefined ? undefined : new URL(options.legacyUrl)
  const services = { v1: new URL(v1Url), legacy: legacyService }
  const { keepAliveMs = shipped.keepAliveMs } = options
  const files = shareOpenFiles(openFilesLimit(), legacyService === undefined ? 2 : 6)
  const connecting = { ...settings.connecting, connections: files.perPool }
  const all = { ...settings, connecting, ...options.settings }
  const { connections, sockets } = clientPort(files, logger)
  const gateway = await buildGateway(all, services, logger, {
    mappings: options.operations,
    ...(options.guide !== undefined && { guide: options.guide }),
  })
  const legacy = await listen(gateway.legacy, '127.0.0.1', 0, 'PORT', {
    ...{ keepAliveMs, maxBodyBytes: all.maxBodyBytes, refuseUnreadable: gateway.refuseUnreadable },
    sockets: options.hasOneSocket === true ? 1 : sockets,
    connections: { ...connections, ...options.connections },
  })
  gateway.listensAt({ host: '127.0.0.1', port: legacy.port }, legacy.connections)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    gateway.goDown()
    closing ??= legacy.close(100).then(() => gateway.close(1_000))
    return closing
  }
  closeAtEnd(close)
  return {
    url: legacy.url,
    log,
    call: (call) => callLegacy(legacy.url, call),
    async openAdmin() {
      const admin = await listen(gateway.admin, '127.0.0.1', 0, 'ADMIN_PORT', { keepAliveMs })
      closeAtEnd(() => admin.close(100))
      return admin.url
    },
    close,
  }
}

/** Waits until a condition holds, for effects that follow an answer; as long as a busy machine may take, at most. */
export async function until(holds: () => boolean, withinMs = 30_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not happen within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
