import type { Logger } from 'pino'
import type { StateDb } from '../compare/tally/state-db.ts'
import { StateLost, type StateStore } from '../compare/tally/state-store.ts'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import type { AskCutover } from '../cutover/store/ask-cutover.ts'
import { cutoverStore } from '../cutover/store/cutover-store-over.ts'
import { askThread } from '../state/ask-thread.ts'
import { StateError } from '../state/state-error.ts'
import type { LoginStore } from '../usage/logins/login-store.ts'
import { type AskLogins, loginStore } from '../usage/logins/login-store.ts'
import type { AskUsage } from '../usage/store/usage-db.ts'
import { usageStore } from '../usage/store/usage-store-over.ts'
import type { UsageStore } from '../usage/usage-store.ts'

/** What the thread reports about a StateLost. */
export interface LostData {
  readonly isEmpty: boolean
}

/** What is stored in one place. */
export interface Stores {
  readonly store: StateStore
  readonly cutover: CutoverStore
  readonly usage: UsageStore
  /** Undefined: nobody else could read them. */
  readonly logins: LoginStore | undefined
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
  const { ask, close } = askThread<
    StateDb & { readonly cutover: AskCutover; readonly usage: AskUsage; readonly logins: AskLogins }
  >({
    program: new URL('./file-thread.ts', import.meta.url),
    workerData: () => ({ path, writer }),
    name: path,
    errorOf: ({ message, isBusy, data }) =>
      data === undefined ? new StateError(message, isBusy) : new StateLost((data as LostData).isEmpty),
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
