import type { Logger } from 'pino'
import { within } from '../common/promises.ts'
import type { MemoryBeside } from '../data-plane/upstream/memory-budget.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redactor.ts'
import { openRecorder, type RecorderOptions, recordTarget } from '../recordings/record.ts'
import { toRecordingError } from '../recordings/recorded-exchange.ts'

/** Records answered calls, redacted. */
export interface Recording {
  /** Records an exchange, unless its answer cannot be decoded. */
  take(exchange: Exchange, recordsBodies: boolean): void
  /** Returns how many exchanges should have been recorded but are in no recording. */
  dropped(): number
  /** Writes what remains; what is still being decoded and redacted after `graceMs` is lost. */
  close(graceMs: number): Promise<void>
}

/**
 * Opens a recording.
 * @param path a file, or a directory in which each replica has a file of its own.
 * @param replica the id of this gateway, which each line names.
 * @param largeLine makes the lines of large exchanges in another thread.
 * @throws RecordingError if the file cannot be written.
 */
export async function openRecording(
  path: string,
  replica: string,
  redact: Redactor,
  memory: MemoryBeside,
  largeLine: RecorderOptions['largeLine'],
  log: Logger,
): Promise<Recording> {
  const file = await recordTarget(path, replica).catch((error: unknown) =>
    Promise.reject(toRecordingError(path, error)),
  )
  const recorder = await openRecorder({
    ...{ file, redact, largeLine, log },
    memory: { hold: (bytes) => memory.hold(bytes, 'recording'), release: (bytes) => memory.release(bytes) },
  })
  /** Answers that are still being decoded. */
  const decoding = new Set<Promise<void>>()
  const record = async (exchange: Exchange, recordsBodies: boolean): Promise<void> => {
    const answer = await exchange.answer().catch(() => undefined)
    if (answer !== undefined) await recorder.record({ ...exchange, replica, answer, recordsBodies })
  }
  return {
    take(exchange, recordsBodies) {
      const recorded = record(exchange, recordsBodies)
      decoding.add(recorded)
      void recorded.finally(() => decoding.delete(recorded))
    },
    dropped: () => recorder.counts().dropped,
    async close(graceMs) {
      await within(graceMs, Promise.all(decoding))
      await recorder.close()
    },
  }
}
