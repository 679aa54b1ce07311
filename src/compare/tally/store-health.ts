import type { Logger } from 'pino'

/** Whether results are stored. */
export interface StoreHealth {
  /** Why results cannot be stored, and since when (ISO 8601); null: they are stored. */
  readonly failure: { readonly since: string; readonly reason: string } | null
  /** Since when results are stored, or cannot be; ISO 8601. */
  readonly since: string
}

/** Follows the attempts to store results. Logs once when they begin to fail, and once when they succeed again. */
export interface HealthWatch {
  succeeded(): void
  failed(error: unknown): void
  /** Must be called regularly: an attempt without an outcome for `SLOW_MS` counts as a failure. */
  check(): void
  now(): StoreHealth
}

export interface HealthWatchOptions {
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  /** The store's name. */
  readonly store: string
}

const SLOW_MS = 5_000

export function storeHealth({ now, monotonic, log, store }: HealthWatchOptions): HealthWatch {
  let failure: StoreHealth['failure'] = null
  let storedSince = now().toISOString()
  /** When the current attempt was first seen; undefined: there is none. */
  let tryingSince: number | undefined

  const fail = (reason: string): void => {
    if (failure !== null) return
    failure = { since: now().toISOString(), reason }
    log.error({ file: store, reason }, 'results cannot be stored; they stay in memory and storing is retried')
  }
  return {
    succeeded() {
      tryingSince = undefined
      if (failure === null) return
      log.info({ file: store, since: failure.since }, 'results are stored again')
      failure = null
      storedSince = now().toISOString()
    },
    failed(error) {
      tryingSince = undefined
      fail(error instanceof Error ? error.message : String(error))
    },
    check() {
      tryingSince ??= monotonic()
      if (monotonic() - tryingSince > SLOW_MS) fail(`${store} has not answered for ${SLOW_MS / 1_000} s`)
    },
    now: () => ({ failure, since: failure?.since ?? storedSince }),
  }
}
