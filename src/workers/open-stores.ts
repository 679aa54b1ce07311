import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { within } from '../common/promises.ts'
import type { PostgresDb, StoreNews } from '../compare/tally/postgres/postgres-db.ts'
import { type StateDb, stateDb } from '../compare/tally/state-db.ts'
import { StateLost, type StateStore } from '../compare/tally/state-store.ts'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import { type AskCutover, answerCutover } from '../cutover/store/ask-cutover.ts'
import { cutoverStore } from '../cutover/store/cutover-store-over.ts'
import { sqliteCutover } from '../cutover/store/sqlite-cutover.ts'
import { PostgresError } from '../state/postgres/postgres-error.ts'
import type { PostgresSettings } from '../state/postgres/postgres-settings.ts'
import { databaseName } from '../state/postgres/postgres-settings.ts'
import type { Replica, ReplicaStatus } from '../state/replicas.ts'
import { sqliteEngine } from '../state/sql.ts'
import { StateError } from '../state/state-error.ts'
import type { LoginStore } from '../usage/logins/login-store.ts'
import { type AskLogins, loginStore } from '../usage/logins/login-store.ts'
import { memoryUsageDb } from '../usage/store/memory-db.ts'
import { type AskUsage, answerUsage } from '../usage/store/usage-db.ts'
import { usageStore } from '../usage/store/usage-store-over.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import {
  type ArgsOf,
  type Functions,
  openRpc,
  type ResultOf,
  type RpcOptions,
  ThreadClosed,
  ThreadEnded,
} from './rpc.ts'

/** What is stored in one place. */
export interface Stores {
  readonly store: StateStore
  readonly cutover: CutoverStore
  readonly usage: UsageStore
  /** Undefined: nobody else could read them. */
  readonly logins: LoginStore | undefined
}

/** What the thread of `openFileStore` starts with. */
export interface FileStoreData {
  readonly path: string
  /** Identifies this process among the writers of the file. */
  readonly writer: string
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
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Stores results, the cut-over and usage in an SQLite file. A separate thread writes the file, so that neither the disk nor another
 * process's lock blocks the event loop. If the thread ends, the next call starts another.
 * @param writer identifies this process among the writers of the file; new at every start.
 */
export function openFileStore(path: string, writer: string, { replica, log }: FileStoreOptions): Stores {
  const { ask, close } = storeThread<StateDb>(path, {
    program: new URL('file-store-worker.ts', import.meta.url),
    workerData: () => ({ path, writer }) satisfies FileStoreData,
  })
  const store: StateStore = {
    name: path,
    isShared: false,
    holdsCounts: true,
    open: (now) => ask('open', now),
    read: (after) => ask('read', after),
    keep: (what) => ask('keep', what),
    resets: () => ask('resets'),
    forgetBefore: (day) => ask('forgetBefore', day),
    close,
  }
  const cutover = cutoverStore({
    ...{ isShared: false, log, process: { replica, incarnation: writer } },
    ask: (name, args) => ask('cutover', name, args),
  })
  const usage = usageStore({ process: writer, ask: (name, args) => ask('usage', name, args), log })
  const logins = loginStore((name, args) => ask('logins', name, args))
  return { store, cutover, usage, logins }
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

interface PostgresStore extends StateStore {
  readonly cutover: CutoverStore
  readonly usage: UsageStore
  readonly logins: LoginStore
  /** Returns the replicas that were alive when the database last said so. */
  replicas(): readonly Replica[]
}

/**
 * Opens a store in PostgreSQL, in a separate thread, so that nothing else waits for the database. If the thread ends, the next
 * call starts another, and nothing counts twice.
 */
export function openPostgresStore({ settings, replicaId, status, onOffset, log }: PostgresStoreOptions): PostgresStore {
  const name = databaseName(settings)
  const start = randomBytes(6).toString('hex')
  const listeners: (() => void)[] = []
  let threads = 0
  let replicas: readonly Replica[] = []
  const { ask, close } = storeThread<PostgresDb>(name, {
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
  const cutover = cutoverStore({
    ...{ isShared: true, onDecided, log, process: { replica: replicaId, incarnation: start } },
    ask: (call, args) => ask('cutover', call, args),
  })
  const process = `${replicaId} ${start}`
  const usage = usageStore({ process, ask: (call, args) => ask('usage', call, args), log })
  return {
    name,
    cutover,
    usage,
    logins: loginStore((call, args) => ask('logins', call, args)),
    isShared: true,
    holdsCounts: true,
    open: (now) => ask('open', now),
    read: (after) => ask('read', after),
    keep: (what) => ask('keep', what, status()),
    resets: () => ask('resets'),
    // The thread does this by the database's clock, unless another replica does.
    forgetBefore: async () => undefined,
    onDecided,
    replicas: () => replicas,
    close,
  }
}

/** Keeps decisions, the cut-over and usage while the process runs. Memory is neither locked nor slow, so no thread is needed. */
export function openMemoryStore(log: Pick<Logger, 'warn'>): Stores {
  const db = stateDb(':memory:', 'this')
  const store = {
    name: 'memory',
    isShared: false,
    holdsCounts: false,
    open: async (now: Date) => db.open(now),
    read: async (after: Parameters<typeof db.read>[0]) => db.read(after),
    keep: async (what: Parameters<typeof db.keep>[0]) => db.keep(what),
    resets: async () => db.resets(),
    forgetBefore: async (day: string) => db.forgetBefore(day),
    close: async () => db.close(),
  }
  const cutover = cutoverStore({
    ...{ isShared: false, log, process: { replica: 'this', incarnation: 'this' } },
    ask: answerCutover(sqliteCutover(db, 'this')),
  })
  const usage = usageStore({ process: 'this', ask: answerUsage(memoryUsageDb(db, sqliteEngine(db))), log })
  return { store, cutover, usage, logins: undefined }
}

/** What a thread stores besides results. */
interface OtherStores {
  readonly cutover: AskCutover
  readonly usage: AskUsage
  readonly logins: AskLogins
}

/**
 * Opens a thread that waits for a disk or a network, so that nothing else has to. The process stays alive until it has answered. If it
 * ends, its calls reject with a StateError, and the next call starts another thread.
 * @param name the store's name in messages.
 */
function storeThread<Db extends Functions<Db> & { close(...args: never[]): unknown }>(
  name: string,
  options: RpcOptions,
) {
  type Offered = Db & OtherStores
  const { call, isRunning, close } = openRpc<Offered>({
    ...options,
    errors: [StateError, PostgresError, StateLost],
    keepsAlive: true,
  })
  const asStateError = (error: unknown): never => {
    if (error instanceof StateError || error instanceof StateLost) throw error
    const { message } = error as Error
    const isOfThread = error instanceof ThreadEnded || error instanceof ThreadClosed
    throw new StateError(isOfThread ? `${name} cannot be used: ${message}` : message, false)
  }
  return {
    ask: <Name extends keyof Offered & string>(name: Name, ...args: ArgsOf<Offered[Name]>) =>
      call(name, args).catch(asStateError) as Promise<ResultOf<Offered[Name]>>,
    /** Calls `close` of the thread and ends it, within `withinMs` at the latest. */
    async close(withinMs: number): Promise<void> {
      if (!isRunning()) return
      const closing = call('close', [] as unknown as ArgsOf<Offered['close']>).catch(() => undefined)
      await within(withinMs, closing.then(close))
      // A thread that hangs in a disk call cannot be terminated, so that is not awaited.
      void close()
    },
  }
}
