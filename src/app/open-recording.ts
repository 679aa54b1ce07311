import type { Logger } from 'pino'
import type { OpenedAside } from '../aside/open-aside.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redact/redactor.ts'
import { openRecorder } from '../recording/record.ts'
import type { RecordableExchange } from '../recording/record-line.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'

/** Records answered calls, redacted. */
export interface Recording {
  /** Takes an exchange over. One whose answer cannot be decoded is not recorded. */
  take(exchange: Exchange, recordsBodies: boolean): void
  /** How many exchanges were to be recorded and are in no recording. */
  dropped(): number
  /** Writes what is left. */
  close(): Promise<void>
}

/** What comparing and recording share with the calls. */
export interface Means {
  /** What exchanges take while they are compared or recorded; they give way to calls. */
  readonly memory: MemoryBudget
  /** Where large ones are redacted; undefined: with all others. */
  readonly aside: Pick<OpenedAside, 'exchangeLine'> | undefined
}

/** Opens a recording. It rejects when the file cannot be written. */
export async function openRecording(
  file: string,
  redact: Redactor,
  { memory, aside }: Means,
  log: Logger,
): Promise<Recording> {
  const lines: Holder = { held: 0 }
  const recorder = await openRecorder({
    ...{ file, redact, log },
    lineAside: aside && ((exchange) => aside.exchangeLine(plain(exchange))),
    memory: {
      hold: (bytes) => memory.holdBeside(lines, bytes, 'recording'),
      release: (bytes) => memory.letGo(lines, bytes),
    },
  })
  /** Answers that are still being decoded, to be recorded. */
  const decoding = new Set<Promise<void>>()
  const record = async (exchange: Exchange, recordsBodies: boolean): Promise<void> => {
    const answer = await exchange.answer().catch(() => undefined)
    if (answer !== undefined) await recorder.record({ ...exchange, answer, recordsBodies })
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

/** What another thread can be told. */
function plain({ at, operation, request, answer, recordsBodies }: RecordableExchange): RecordableExchange {
  const { status, body, milliseconds } = answer
  return { at, operation, request, answer: { status, body, milliseconds }, recordsBodies }
}
