import type { Logger } from 'pino'
import type { Exchange } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redactor.ts'
import { openRecorder, recordTarget } from '../recording/record.ts'
import type { RecordableExchange } from '../recording/record-line.ts'
import { toRecordingError } from '../recording/recorded-exchange.ts'
import { Holder, type MemoryBudget } from '../upstream/memory-budget.ts'
import type { TextWorker } from '../workers/open-text-worker.ts'

/** Records answered calls, redacted. */
export interface Recording {
  /** Records an exchange, unless its answer cannot be decoded. */
  take(exchange: Exchange, recordsBodies: boolean): void
  /** Returns how many exchanges should have been recorded but are in no recording. */
  dropped(): number
  /** Writes what remains. */
  close(): Promise<void>
}

/** What comparing and recording share with the calls. */
export interface SharedResources {
  /** The memory of exchanges that are being compared or recorded. Calls take precedence. */
  readonly memory: MemoryBudget
  /** Redacts large exchanges in another thread; undefined: the event loop redacts them. */
  readonly aside: Pick<TextWorker, 'exchangeLine'> | undefined
}

/**
 * Opens a recording.
 * @param path a file, or a directory in which each replica has a file of its own.
 * @param replica the id of this gateway, which each line names.
 * @throws RecordingError if the file cannot be written.
 */
export async function openRecording(
  path: string,
  replica: string,
  redact: Redactor,
  { memory, aside }: SharedResources,
  log: Logger,
): Promise<Recording> {
  const file = await recordTarget(path, replica).catch((error: unknown) =>
    Promise.reject(toRecordingError(path, error)),
  )
  const lines = new Holder()
  const recorder = await openRecorder({
    ...{ file, redact, log },
    lineAside: aside && ((exchange) => aside.exchangeLine(plain(exchange))),
    memory: {
      hold: (bytes) => memory.holdBeside(lines, bytes, 'recording'),
      release: (bytes) => memory.letGo(lines, 'answer', bytes),
    },
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
    async close() {
      await Promise.all(decoding)
      await recorder.close()
    },
  }
}

/** Returns the part of an exchange that can be sent to another thread. */
function plain({
  at,
  replica,
  client,
  operation,
  request,
  answer,
  recordsBodies,
}: RecordableExchange): RecordableExchange {
  const { status, body, milliseconds } = answer
  return { at, replica, client, operation, request, answer: { status, body, milliseconds }, recordsBodies }
}
