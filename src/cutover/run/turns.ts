import type { Logger } from 'pino'
import { serial } from '../../common/promises.ts'
import { StateError } from '../../state/state-error.ts'

/** Runs work with the store, one piece after the other. */
export interface Turns {
  /** Runs work once all earlier work is done. Rejects as the work does. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether the last work with the store succeeded. */
  isWell(): boolean
}

/** Logs once when the store begins to fail, and once when it works again. Calls `onFailed` each time. */
export function turns(log: Pick<Logger, 'info' | 'error'>, onFailed: () => void): Turns {
  const next = serial()
  let isWell = true
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work()
      if (!isWell) log.info('the cut-over is shared and stored again')
      isWell = true
      return result
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!(error instanceof StateError)) log.error({ err: error }, 'the cut-over failed')
      else if (isWell)
        log.error({ reason }, 'the cut-over cannot be stored: plans stay where they are, and brakes act here')
      isWell = false
      onFailed()
      throw error
    }
  }
  return {
    take: (work) => next(() => told(work)),
    isWell: () => isWell,
  }
}
