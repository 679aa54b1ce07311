import type { Logger } from 'pino'

/** Whether results are stored. */
export interface StoreHealth {
  /** Why they cannot be stored, and since when (ISO 8601); null: they are. */
  readonly failure: { readonly since: string; readonly reason: string } | null
}

/** Follows the tries to store something, and tells in the log when it begins to fail and when it works again: once each. */
export interface HealthWatch {
  works(): void
  fails(error: unknown): void
  /** To be called again and again: a try that has no outcome for `SLOW_MS` counts as a failure. */
  look(): void
  now(): StoreHealth
}

export interface HealthWatchOptions {
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  /** What it is called. */
  readonly store: string
}

const SLOW_MS = 5_000

export function storeHealth({ now, monotonic, log, store }: HealthWatchOptions): HealthWatch {
  let failure: StoreHealth['failure'] = null
  /** When the try that is under way was first seen; undefined: none is. */
  let tryingSince: number | undefined

  const fails = (reason: string): void => {
    if (failure !== null) return
    failure = { since: now().toISOString(), reason }
    log.error({ file: store, reason }, 'results cannot be stored; they are kept in memory, and tried again')
  }
  return {
    works() {
      tryingSince = undefined
      if (failure !== null) log.info({ file: store, since: failure.since }, 'results are stored again')
      failure = null
    },
    fails(error) {
      tryingSince = undefined
      fails(error instanceof Error ? error.message : String(error))
    },
    look() {
      tryingSince ??= monotonic()
      if (monotonic() - tryingSince > SLOW_MS) fails(`${store} has not answered for ${SLOW_MS / 1_000} s`)
    },
    now: () => ({ failure }),
  }
}
