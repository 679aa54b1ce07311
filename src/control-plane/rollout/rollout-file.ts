import { type Rollout, RolloutError } from './rollout.ts'
import { type CurrentFile, type WatchOptions, watchFile } from './watch-file.ts'

/** The rollout in effect. */
export interface CurrentRollout extends Omit<CurrentFile<Rollout>, 'value'> {
  readonly rollout: Rollout
}

export interface RolloutFile {
  current(): CurrentRollout
  /** Checks the file again although it has not changed, because the mappings whose lines it names have. */
  checkAgain(): void
  close(): void
}

interface RolloutFileOptions extends Pick<WatchOptions<Rollout>, 'path' | 'parse' | 'everyMs' | 'now'> {
  /**
   * Called when a new version takes effect (`error` is null) or is refused, with the version that was in effect before.
   * `rolloutDiff` says what changed.
   */
  readonly onChange?: (current: CurrentRollout, previous: CurrentRollout) => void
}

/**
 * Reads the rollout file, and again whenever it changes: see `watchFile`.
 * @throws RolloutError if the file cannot be used at startup.
 */
export function watchRollout({ onChange = () => undefined, ...options }: RolloutFileOptions): RolloutFile {
  const file = watchFile({
    ...options,
    unreadable: (problem, cause) => new RolloutError([problem], cause),
    onChange: (current, previous) => onChange(ofRollout(current), ofRollout(previous)),
  })
  return { ...file, current: () => ofRollout(file.current()) }
}

const ofRollout = ({ value: rollout, ...file }: CurrentFile<Rollout>): CurrentRollout => ({ rollout, ...file })
