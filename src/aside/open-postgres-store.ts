import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { PostgresDb, StoreNews } from '../compare/tally/postgres/postgres-db.ts'
import type { StateStore } from '../compare/tally/state-store.ts'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import type { AskCutover } from '../cutover/store/ask-cutover.ts'
import { cutoverStore } from '../cutover/store/cutover-store-over.ts'
import { askThread } from '../state/ask-thread.ts'
import type { PostgresSettings } from '../state/postgres/postgres-settings.ts'
import { databaseName } from '../state/postgres/postgres-settings.ts'
import type { Replica, ReplicaStatus } from '../state/replicas.ts'
import type { LoginStore } from '../usage/logins/login-store.ts'
import { type AskLogins, loginStore } from '../usage/logins/login-store.ts'
import type { AskUsage } from '../usage/store/usage-db.ts'
import { usageStore } from '../usage/store/usage-store-over.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { StateThreadData } from './state-thread.ts'

export interface PostgresStoreOptions {
  readonly settings: PostgresSettings
  readonly replicaId: string
  /** What this replica reports about itself. */
  readonly status: () => ReplicaStatus
  /** Called at each heartbeat with how far this replica's clock is ahead of the database's; ms. */
  readonly onOffset: (milliseconds: number) => void
  readonly log: Pick<Logger, 'warn'>
}

export interface PostgresStore extends StateStore {
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
  const { ask, close } = askThread<
    PostgresDb & { readonly cutover: AskCutover; readonly usage: AskUsage; readonly logins: AskLogins }
  >({
    program: new URL('./state-thread.ts', import.meta.url),
    workerData: () => ({ settings, id: replicaId, start, thread: threads++ }) satisfies StateThreadData,
    name,
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
