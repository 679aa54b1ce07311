import { MessageChannel } from 'node:worker_threads'
import { pino } from 'pino'
import { readConfig } from '../../src/app/config.ts'
import { buildControlPlane, type ControlSettings } from '../../src/app/control-plane.ts'
import { buildDataPlane, type DataSettings } from '../../src/app/data-plane.ts'
import { clientPort, openFilesLimit, shareOpenFiles } from '../../src/app/open-files.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import type { ConnectionOptions } from '../../src/data-plane/http/connections.ts'
import { listen } from '../../src/data-plane/http/listen.ts'
import { sharedLeftAlone } from '../../src/data-plane/upstream/slow-down.ts'
import type { MakeGuide } from '../../src/exchange/guide-form.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { openChannel } from '../../src/planes/channel.ts'
import type { ControlPlane, DataPlane } from '../../src/planes/messages.ts'
import { closeAtEnd } from './clean-up.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'

export type Settings = DataSettings & ControlSettings

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

/**
 * Starts the whole gateway on a free port of loopback, until it is closed or the file's tests have run. Its control plane is in this thread, so
 * that a test can give it functions.
 */
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
  const connecting = { ...settings.connecting, connections: files.perPool, leftAlone: sharedLeftAlone() }
  const all = { ...settings, connecting, ...options.settings }
  const { connections, sockets } = clientPort(files, logger)
  const { operations: mappings, guide } = options
  const dataPlane = await buildDataPlane(all, services, logger, { mappings })
  const { port1, port2 } = new MessageChannel()
  const offered: DataPlane = { ...dataPlane.offered, log: write, remember: () => undefined }
  const channel = openChannel<ControlPlane, DataPlane>(port1, offered, { errors: [StateError] })
  const { key, sharedUse } = dataPlane
  const controlPlane = await buildControlPlane(all, services, port2, {
    ...{ key, sharedUse, mappings, guide, log: () => logger },
  })
  dataPlane.connect(channel)
  const legacy = await listen(dataPlane.legacy, '127.0.0.1', 0, 'PORT', {
    ...{ keepAliveMs, maxBodyBytes: all.maxBodyBytes, refuseUnreadable: dataPlane.refuseUnreadable },
    sockets: options.hasOneSocket === true ? 1 : sockets,
    connections: { ...connections, ...options.connections },
  })
  dataPlane.listensAt(legacy.connections)
  channel.tell('listensAt', [{ host: '127.0.0.1', port: legacy.port, isEncrypted: false }])
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    dataPlane.goDown()
    closing ??= legacy
      .close(100)
      .then(dataPlane.flush)
      .then(() => controlPlane.close(1_000))
      .then(() => dataPlane.close(1_000))
      .finally(() => channel.close('the gateway has stopped'))
    return closing
  }
  closeAtEnd(close)
  return {
    url: legacy.url,
    log,
    call: (call) => callLegacy(legacy.url, call),
    async openAdmin() {
      const admin = await listen(controlPlane.admin, '127.0.0.1', 0, 'ADMIN_PORT', { keepAliveMs })
      closeAtEnd(() => admin.close(100))
      return admin.url
    },
    close,
  }
}

/** Waits until a condition holds, for effects that follow an answer; as long as a busy machine may take, at most. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it did not happen within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
