import { MessageChannel, type ResourceLimits, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { within } from '../common/promises.ts'
import type { CachedCutover } from '../control-plane/cutover/run/position-cache.ts'
import { StateError } from '../control-plane/store/state-error.ts'
import { StartError } from '../data-plane/http/listen.ts'
import { type Channel, errorOf, openChannel } from '../planes/channel.ts'
import type { ControlPlane, DataPlane } from '../planes/messages.ts'
import { withoutUrls } from '../planes/plain-urls.ts'
import type { ControlPlaneData, StartOutcome, StartSettings } from './control-plane-worker.ts'
import type { BuiltDataPlane } from './data-plane.ts'

/** The control plane in a thread of its own, which is started again whenever it ends. */
export interface RunningControlPlane {
  /** The URL of the admin port. */
  readonly adminUrl: string
  /** Says where the legacy interface listens. */
  listensAt(address: { readonly host: string; readonly port: number; readonly isEncrypted: boolean }): void
  /** Closes the admin port and stores what remains, as far as time allows. */
  close(graceMs: number): Promise<void>
}

interface RunOptions {
  readonly settings: StartSettings
  readonly dataPlane: BuiltDataPlane
  /** Writes a line of the log. */
  readonly writeLine: (line: string) => void
  readonly log: Logger
  readonly resourceLimits?: ResourceLimits
  /** How often to ask whether it hangs; ms. */
  readonly aliveEveryMs?: number
}

/** A control plane that has not answered so many times in a row hangs, and is ended. */
const MOST_UNANSWERED = 10
const ALIVE_MS = 1_000
/** How long after an end the next start waits, if the last one came so soon before. */
const AGAIN_MS = 1_000
/** How much longer than it was given a control plane that stops may take. */
const PATIENCE_MS = 500

/** Nothing here is in such a hurry that a larger young generation would pay; with the default, an idle process takes 22 MB more. */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 6 }

interface Thread {
  readonly worker: Worker
  readonly channel: Channel<ControlPlane>
  readonly admin: { readonly url: string; readonly port: number }
}

/**
 * Starts the control plane. If it ends or hangs, the data plane goes on with the last decisions, and another one is started.
 * @throws StartError if the first one cannot start.
 */
export async function runControlPlane(options: RunOptions): Promise<RunningControlPlane> {
  const { dataPlane, log, aliveEveryMs = ALIVE_MS } = options
  let lastCutover: CachedCutover | undefined
  let adminPort = options.settings.config.adminPort
  let address: { readonly host: string; readonly port: number; readonly isEncrypted: boolean } | undefined
  let thread: Thread | undefined
  let startedAt = 0
  let isClosing = false
  let unanswered = 0
  let why = ''

  const open = async (): Promise<Thread> => {
    startedAt = performance.now()
    const { port1, port2 } = new MessageChannel()
    const offered: DataPlane = {
      ...dataPlane.offered,
      remember(cutover) {
        lastCutover = cutover as CachedCutover
      },
      log: options.writeLine,
    }
    const channel = openChannel<ControlPlane, DataPlane>(port1, offered, { errors: [StateError] })
    const { config, ...others } = options.settings
    const data: ControlPlaneData = {
      ...{ port: port2, key: dataPlane.key, shared: dataPlane.sharedUse.buffer, lastCutover },
      settings: withoutUrls({ config: { ...config, adminPort }, ...others }),
    }
    const worker = new Worker(new URL('control-plane-worker.ts', import.meta.url), {
      ...{ name: 'control-plane', workerData: data, transferList: [port2] },
      resourceLimits: options.resourceLimits ?? LIMITS,
    })
    try {
      const admin = await startOf(worker)
      return { worker, channel, admin }
    } catch (error) {
      channel.close('it could not start')
      await worker.terminate()
      throw error
    }
  }
  const use = (next: Thread): void => {
    thread = next
    unanswered = 0
    why = 'it ended'
    adminPort = next.admin.port
    next.worker.on('error', (error: unknown) => {
      why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    })
    next.worker.once('exit', () => {
      next.channel.close('the control plane has ended')
      if (!isClosing) again()
    })
    dataPlane.connect(next.channel)
    if (address !== undefined) next.channel.tell('listensAt', [address])
  }
  const again = (): void => {
    thread = undefined
    dataPlane.connect(undefined)
    dataPlane.noteRestart(firstLine(why))
    log.error(
      { why },
      'the control plane has ended, and is started again: calls go on as last decided; what it had not stored is lost',
    )
    startAgain(performance.now() - startedAt < 10 * AGAIN_MS ? AGAIN_MS : 0)
  }
  const startAgain = (afterMs: number): void => {
    const timer = setTimeout(async () => {
      if (isClosing) return
      try {
        const next = await open()
        if (isClosing) return void next.worker.terminate()
        use(next)
        log.warn('the control plane is back')
      } catch (error) {
        log.error({ reason: (error as Error).message }, 'the control plane cannot be started: it is tried every second')
        startAgain(AGAIN_MS)
      }
    }, afterMs)
    timer.unref()
  }

  use(await open())
  const first = thread as unknown as Thread
  const watching = setInterval(() => {
    const asked = thread
    if (asked === undefined) return
    if (++unanswered > MOST_UNANSWERED) {
      why = `it did not answer for ${(MOST_UNANSWERED * aliveEveryMs) / 1_000} s`
      unanswered = 0
      void asked.worker.terminate()
    } else {
      asked.channel.ask('alive', []).then(
        () => {
          if (asked === thread) unanswered = 0
        },
        () => undefined,
      )
    }
  }, aliveEveryMs).unref()
  return {
    adminUrl: first.admin.url,
    listensAt(where) {
      address = where
      thread?.channel.tell('listensAt', [where])
    },
    async close(graceMs) {
      isClosing = true
      clearInterval(watching)
      if (thread === undefined) return
      const { channel, worker } = thread
      await within(graceMs + PATIENCE_MS, channel.ask('close', [graceMs])).catch(() => undefined)
      await worker.terminate()
    },
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string

/** Resolves with where the admin port of a thread listens. @throws StartError if it cannot start. */
function startOf(worker: Worker): Promise<Thread['admin']> {
  const { promise, resolve, reject } = Promise.withResolvers<Thread['admin']>()
  worker.once('message', (outcome: StartOutcome) => {
    if ('started' in outcome) resolve(outcome.started)
    else reject(errorOf(outcome.failed, [StartError]))
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the thread of the control plane ended')))
  return promise
}
