import { counted } from '../../common/figures.ts'
import { ReplayError } from '../../compare/replay/replay-error.ts'
import { findRecordings } from '../../recording/find-recordings.ts'
import { placeIn, readRecordings } from '../../recording/merge-recordings.ts'
import { compareSides, type Source } from './compare-sides.ts'
import { mayBeSecret } from './may-be-secret.ts'
import type { ReplayOptions } from './replay-options.ts'
import { showProgress } from './replay-progress.ts'
import { writeSummary } from './replay-summary.ts'
import { scanRecordings } from './scan-recordings.ts'

/**
 * Replays files and the recordings in directories, merged by time (docs/decisions/0074), writes the reports and returns the exit
 * code (docs/decisions/0047). Never rejects.
 * @param words the command line.
 */
export const replayFiles = (
  given: readonly string[],
  options: ReplayOptions,
  words: readonly string[],
): Promise<number> => compareSides(options, () => openFiles(given, words))

/** The most skipped files to name. */
const NAMED = 5

/** @throws RecordingError, or ReplayError if there is no exchange. */
async function openFiles(given: readonly string[], words: readonly string[]): Promise<Source> {
  const say = (text: string): void => console.error(text)
  const found = await findRecordings(given, mayBeSecret(words))
  sayLeftOut(found.leftOut, say)
  const { files, exchanges, unplayable, unreadable } = await scanRecordings(found, say)
  const names = given.join(' ')
  const isOne = files.length === 1
  if (exchanges === 0) throw new ReplayError(`${names}: no exchange in ${isOne ? 'this file' : 'these files'}`)
  const { count, first } = unreadable
  return {
    file: names,
    ...(isOne ? {} : { files: files.map(({ path }) => path), placeOf: (number: number) => placeIn(files, number) }),
    says: `Replaying ${counted(exchanges, 'exchange')}${isOne ? '' : ` of ${counted(files.length, 'file')}`}`,
    entries: () => readRecordings(files),
    unreadable: isOne ? { count, first: first.map(({ line, problem }) => ({ line, problem })) } : unreadable,
    showProgress: () => showProgress(process.stderr, exchanges),
    writeSummary,
    whyNothing:
      count + unplayable > 0
        ? `${names}: nothing was compared: ${counted(count + unplayable, 'exchange')} could not be read, or not replayed as recorded`
        : undefined,
  }
}

/** Names the files in directories that are not read. */
export function sayLeftOut(leftOut: readonly string[], say: (text: string) => void): void {
  for (const file of leftOut.slice(0, NAMED)) say(`${file}: left out: its name is not that of a recording`)
  if (leftOut.length > NAMED) say(`${counted(leftOut.length - NAMED, 'more file')} left out`)
}
