import { ReplayError } from '../../compare/replay/replay-error.ts'
import type { Report } from '../../compare/report/report-json.ts'
import { plural } from '../../compare/report/report-words.ts'
import { readRecording } from '../../recording/read-recording.ts'
import { compareSides, type Source } from './compare-sides.ts'
import type { ReplayOptions } from './replay-options.ts'
import { showProgress } from './replay-progress.ts'
import { writeSummary } from './replay-summary.ts'

/** Replays a file, writes the reports and returns the exit code (docs/decisions/0047). Never rejects. */
export const replayFile = (file: string, options: ReplayOptions): Promise<number> =>
  compareSides(options, () => openFile(file))

async function openFile(file: string): Promise<Source> {
  const { exchanges, unreadable } = await scan(file)
  const { count } = unreadable
  return {
    file,
    says: `Replaying ${plural(exchanges, 'exchange')}`,
    entries: () => readRecording(file),
    unreadable,
    showProgress: () => showProgress(process.stderr, exchanges),
    writeSummary,
    whyNothing: count > 0 ? `${file}: nothing was compared: ${plural(count, 'exchange')} could not be read` : undefined,
  }
}

/** At most this many problems are kept for the reports. */
const KEPT = 20
/** How often to print progress while a large file is read. */
const SAY_EVERY_MS = 5_000

/**
 * Reads the file once before the replay. Counts the exchanges, and prints each line that cannot be read.
 * @throws RecordingError, or ReplayError if the file has no exchange.
 */
async function scan(file: string): Promise<{ readonly exchanges: number; readonly unreadable: Report['unreadable'] }> {
  const first: Report['unreadable']['first'][number][] = []
  let exchanges = 0
  let count = 0
  const timer = setInterval(
    () => console.error(`Reading ${file}: ${plural(exchanges, 'exchange')} so far`),
    SAY_EVERY_MS,
  )
  try {
    for await (const entry of readRecording(file)) {
      if ('problem' in entry) {
        console.error(`${file}:${entry.line}: ${entry.problem}`)
        if (count++ < KEPT) first.push(entry)
      } else exchanges++
    }
  } finally {
    clearInterval(timer)
  }
  if (exchanges === 0) throw new ReplayError(`${file}: no exchange in this file`)
  return { exchanges, unreadable: { count, first } }
}
