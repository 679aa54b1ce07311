import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { within } from '../common/promises.ts'
import type { StateStore } from '../compare/tally/state-store.ts'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import { cutoverStore } from '../cutover/store/cutover-store-over.ts'
import { PostgresError } from '../state/postgres/postgres-error.ts'
import type { PostgresSettings } from '../state/postgres/postgres-settings.ts'
import { databaseName } from '../state/postgres/postgres-settings.ts'
import type { Replica, ReplicaStatus } from '../state/replicas.ts'
import { StateError } from '../state/state-error.ts'
import type { LoginStore } from '../usage/logins/login-store.ts'
import { usageStore } from '../usage/store/usage-store-over.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { openRpc, type RpcOptions, ThreadClosed, ThreadEnded } from './rpc.ts'
import type { StoreFunctions, StoreNews } from './store-functions.ts'

/** What is stored in one place. */
export interface Stores {
  readonly store: StateStore
  readonly cutover: CutoverStore
  readonly usage: UsageStore
  readonly logins: LoginStore
  /** How long what is counted may wait before it is stored; ms. */
  readonly intervalMs: () => number
}

/** What the thread of `openFileStore` starts with. */
export interface FileStoreData {
  readonly path: string
  /** Identifies this process among those that use the file. */
  readonly process: string
}

/** What the thread of `openPostgresStore` starts with. */
export interface PostgresStoreData {
  readonly settings: PostgresSettings
  readonly id: string
  readonly start: string
  readonly thread: number
}

export interface FileStoreOptions {
  /** The id of the replica. */
  readonly replica: string
  readonly status: () => ReplicaStatus
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Stores results, the cut-over and usage in an SQLite file. A separate thread writes the file, so that neither the disk nor another
 * process's lock blocks the event loop. If the thread ends, the next call starts another.
 * @param path the path of the file, or `:memory:`.
 */
export function openFileStore(path: string, { replica, status, log }: FileStoreOptions): Stores {
  const process = `${replica} ${randomBytes(6).toString('hex')}`
  const { close, ...parts } = storeThread(path, {
    program: new URL('file-store-worker.ts', import.meta.url),
    workerData: () => ({ path, process }) satisfies FileStoreData,
    onTold(news: StoreNews) {
      if ('warning' in news) log.warn(news.warning)
    },
  })
  return storesOf(parts, { process, log, status, store: { name: path, isShared: false, close } })
}

export interface PostgresStoreOptions {
  readonly settings: PostgresSettings
  readonly replicaId: string
  /** What this replica reports about itself. */
  readonly status: () => ReplicaStatus
  /** Called at each heartbeat with how far this replica's clock is ahead of the database's; ms. */
  readonly onOffset: (milliseconds: number) => void
  readonly log: Pick<Logger, 'warn'>
}

interface PostgresStores extends Stores {
  /** Returns the replicas that were alive when the database last said so. */
  replicas(): readonly Replica[]
}

/**
 * Opens a store in PostgreSQL, in a separate thread, so that nothing else waits for the database. If the thread ends, the next
 * call starts another, and nothing counts twice.
 */
export function openPostgresStore({
  settings,
  replicaId,
  status,
  onOffset,
  log,
}: PostgresStoreOptions): PostgresStores {
  const name = databaseName(settings)
  const start = randomBytes(6).toString('hex')
  const listeners: (() => void)[] = []
  let threads = 0
  let replicas: readonly Replica[] = []
  const { close, ...parts } = storeThread(name, {
    program: new URL('postgres-store-worker.ts', import.meta.url),
    workerData: () => ({ settings, id: replicaId, start, thread: threads++ }) satisfies PostgresStoreData,
    onTold(news: StoreNews) {
      if ('warning' in news) log.warn(news.warning)
      else if ('decided' in news) for (const listener of listeners) listener()
      else {
        replicas = news.replicas
        onOffset(news.clockOffsetMs)
      }
    },
  })
  const onDecided = (listener: () => void): void => void listeners.push(listener)
  const intervalMs = (): number => replicas.length * INTERVAL_OF_EACH_MS
  const store = { name, isShared: true, onDecided, intervalMs, close }
  return {
    ...storesOf(parts, { process: `${replicaId} ${start}`, log, status, store }),
    replicas: () => replicas,
  }
}

/** Of ten replicas, each stores once a second; of 50, each every five seconds. So the database has ten portions a second, however many there are. */
const INTERVAL_OF_EACH_MS = 100

type StoreParts = Omit<StoreFunctions, 'distrust'>

interface StoresOptions {
  readonly process: string
  readonly status: () => ReplicaStatus
  readonly log: Pick<Logger, 'warn'>
  readonly store: Pick<StateStore, 'name' | 'isShared' | 'onDecided' | 'intervalMs' | 'close'>
}

/** Returns what stores through these parts. */
export function storesOf(parts: StoreParts, { process, status, log, store }: StoresOptions): Stores {
  const { evidence, cutover, usage, logins } = parts
  const { isShared, onDecided, intervalMs = () => 0 } = store
  return {
    store: {
      ...store,
      open: () => evidence.open(),
      keep: (what) => evidence.keep(what, status()),
      changes: () => evidence.changes(),
      counts: (key) => evidence.counts(key),
      resets: () => evidence.resets(),
    },
    cutover: cutoverStore({ isShared, onDecided, log, process, db: cutover }),
    usage: usageStore({ process, db: usage, log }),
    ...{ logins, intervalMs },
  }
}

/** What a thread offers: one function that calls a function of one of its parts. */
interface Offered {
  ask(part: string, name: string, args: readonly unknown[]): Promise<unknown>
  close(): unknown
}

/** Returns what the thread of a store offers. */
export function answerParts(parts: StoreParts, close: () => unknown): Offered {
  const byName = parts as unknown as Readonly<
    Record<string, Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  >
  return { ask: async (part, name, args) => byName[part]?.[name]?.(...args), close }
}

/**
 * Opens a thread that waits for a disk or a network, so that nothing else has to. The process stays alive until it has answered. If it
 * ends, its calls reject with a StateError, and the next call starts another thread.
 * @param name the store's name in messages.
 */
function storeThread(name: string, options: RpcOptions): StoreParts & Pick<StateStore, 'close'> {
  const { call, isRunning, close } = openRpc<Offered>({
    ...options,
    errors: [StateError, PostgresError],
    keepsAlive: true,
  })
  const asStateError = (error: unknown): never => {
    if (error instanceof StateError) throw error
    const { message } = error as Error
    const isOfThread = error instanceof ThreadEnded || error instanceof ThreadClosed
    throw new StateError(isOfThread ? `${name} cannot be used: ${message}` : message, false)
  }
  const part = <Part extends object>(of: string): Part =>
    new Proxy({} as Part, {
      get(_, name) {
        // Otherwise it would be taken for a promise.
        if (name === 'then') return undefined
        return (...args: readonly unknown[]) => call('ask', [of, String(name), args]).catch(asStateError)
      },
    })
  return {
    evidence: part('evidence'),
    cutover: part('cutover'),
    usage: part('usage'),
    logins: part('logins'),
    /** Calls `close` of the thread and ends it, within `withinMs` at the latest. */
    async close(withinMs) {
      if (!isRunning()) return
      const closing = call('close', []).catch(() => undefined)
      await within(withinMs, closing.then(close))
      // A thread that hangs in a disk call cannot be terminated, so that is not awaited.
      void close()
    },
  }
}
