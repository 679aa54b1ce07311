import { type CurrentFile, watchFile } from '../control-plane/rollout/watch-file.ts'
import { type Corrections, CorrectionsError } from '../mapping/corrections/corrections.ts'
import { parseCorrections } from '../mapping/corrections/parse-corrections.ts'
import type { Translation } from './build-translation.ts'

/** The corrections in effect. */
export interface CurrentCorrections extends Omit<CurrentFile<unknown>, 'value'> {
  readonly corrections: Corrections
}

export interface MappingFile {
  current(): CurrentCorrections
  close(): void
}

export interface MappingFileOptions {
  /** Undefined: no file is configured. */
  readonly path: string | undefined
  readonly prepare: Translation['prepare']
  /** Has the data plane take corrections over. */
  readonly tell: (corrections: Corrections) => Promise<void>
  /**
   * Called when a new version is in effect (`error` is null) or refused, with the version that was in effect before.
   * @param replaced the ids of the operations that it has replaced.
   */
  readonly onChange: (current: CurrentCorrections, previous: CurrentCorrections, replaced: readonly string[]) => void
  readonly everyMs: number | undefined
}

/** A version of the file that can be used. */
interface Prepared {
  readonly corrections: Corrections
  /** Puts it into use in this plane. Returns the ids of the operations that it has replaced. */
  readonly takeOver: () => readonly string[]
}

/**
 * Reads the mapping file, and again whenever it changes. A version is checked and compiled here; then the data plane takes it over, and
 * then this plane. So what the data plane tells of is never newer than what this plane knows for longer than a message takes. Rejects
 * with a CorrectionsError or a MappingError if the file cannot be used at startup.
 */
export async function openMappingFile(options: MappingFileOptions): Promise<MappingFile> {
  const { path, prepare, tell, onChange, everyMs } = options
  let replaced: readonly string[] = []
  const takeOver = async (next: Prepared): Promise<void> => {
    await tell(next.corrections)
    replaced = next.takeOver()
  }
  const file = watchFile<Prepared>({
    ...{ path, everyMs, takeOver },
    parse(text) {
      const corrections = parseCorrections(text)
      return { corrections, takeOver: prepare(corrections) }
    },
    unreadable: (problem, cause) => new CorrectionsError([problem], cause),
    onChange(current, previous) {
      onChange(corrected(current), corrected(previous), current.error === null ? replaced : [])
    },
  })
  if (path !== undefined) await takeOver(file.current().value)
  return { current: () => corrected(file.current()), close: file.close }
}

const corrected = ({ value: { corrections }, ...file }: CurrentFile<Prepared>): CurrentCorrections => ({
  corrections,
  ...file,
})
