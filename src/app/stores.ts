import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { CutoverStore } from '../control-plane/cutover/cutover-store.ts'
import { cutoverStore } from '../control-plane/cutover/store/cutover-store-on.ts'
import { importAnswers } from '../control-plane/cutover/store/import-answers.ts'
import { KEPT_COMPARED_DAYS } from '../control-plane/evidence/tally/compared-days.ts'
import { evidenceDb, KEPT_EVIDENCE } from '../control-plane/evidence/tally/evidence-db.ts'
import { importEvidence } from '../control-plane/evidence/tally/import-evidence.ts'
import type { StateStore } from '../control-plane/evidence/tally/state-store.ts'
import type { Engine, Import } from '../control-plane/store/engine.ts'
import { KEPT, type Kept, retention } from '../control-plane/store/retention.ts'
import { sqliteEngine } from '../control-plane/store/sqlite-engine.ts'
import { KEPT_LOGINS, type LoginStore, loginDb } from '../control-plane/usage/logins/login-store.ts'
import { KEPT_MARKS } from '../control-plane/usage/store/brownout-marks.ts'
import { importLogins, importMarks } from '../control-plane/usage/store/import-usage.ts'
import { IN_MEMORY, KEPT_USAGE, type UsageBounds, usageStore } from '../control-plane/usage/store/usage-store-on.ts'
import type { UsageStore } from '../control-plane/usage/usage-store.ts'

/** What is stored in one place. */
export interface Stores {
  readonly store: StateStore
  readonly cutover: CutoverStore
  readonly usage: UsageStore
  readonly logins: LoginStore
  /** How long what is counted may wait before it is stored; ms. */
  readonly intervalMs: () => number
}

/** What is copied from the tables of earlier versions. */
export const IMPORTS: readonly Import[] = [importEvidence, importAnswers, importMarks, importLogins]

export interface FileStoreOptions {
  /** The id of the replica. */
  readonly replica: string
  readonly log: Pick<Logger, 'warn'>
  /** The clock of the store. Unset: the machine's. */
  readonly now?: () => Date
}

/**
 * Stores results, the cut-over and usage in an SQLite file. Statements run at once, in the thread of the caller.
 * @param path the path of the file, or `:memory:`.
 */
export function openFileStore(path: string, { replica, log, now }: FileStoreOptions): Stores {
  const process = `${replica} ${newStart()}`
  const engine = sqliteEngine({ path, holder: process, imports: IMPORTS, ...(now && { now }) })
  return storesOn({
    ...{ engine, process, log, bounds: path === ':memory:' ? IN_MEMORY : undefined },
    // Nobody else is told, but a file that is gone is noticed.
    beat: engine.open,
    store: { name: path, isShared: false, close: async () => engine.close() },
  })
}

/** Returns what tells this start of a process from all others. */
export const newStart = (): string => randomBytes(6).toString('hex')

export interface StoresOptions {
  readonly engine: Engine
  /** Identifies this process among all that store; new at each start. */
  readonly process: string
  readonly log: Pick<Logger, 'warn'>
  readonly bounds?: UsageBounds | undefined
  /** What this engine alone has, and deletes when it is old. */
  readonly kept?: readonly Kept[]
  /** Called once a second. */
  readonly beat: () => void | Promise<void>
  /** Returns ms of a clock that only goes forward. */
  readonly monotonic?: () => number
  readonly store: Pick<StateStore, 'name' | 'isShared' | 'onDecided' | 'intervalMs' | 'close'>
}

/** Returns what stores everything on one engine. */
export function storesOn(options: StoresOptions): Stores {
  const { engine, process, log, bounds, kept = [], beat, monotonic, store } = options
  const { isShared, onDecided, intervalMs = () => 0 } = store
  const evidence = evidenceDb(engine, process)
  const { run } = retention({
    engine,
    kept: [...KEPT, ...kept, KEPT_EVIDENCE, KEPT_COMPARED_DAYS, KEPT_MARKS, KEPT_LOGINS, ...KEPT_USAGE],
    warn: (warning) => log.warn(warning),
    ...(monotonic && { monotonic }),
  })
  return {
    store: {
      ...{ ...store, ...evidence },
      async keep(resets) {
        await evidence.keep(resets)
        await beat()
        await run()
      },
    },
    cutover: cutoverStore({ engine, process, isShared, onDecided, log }),
    usage: usageStore({ engine, process, bounds, log }),
    logins: loginDb(engine),
    intervalMs,
  }
}
