import { readFileSync, statSync } from 'node:fs'
import { NO_ROLLOUT, type Rollout, RolloutError } from './rollout.ts'

/** The rollout that holds now. */
export interface CurrentRollout {
  readonly rollout: Rollout
  /** Since when, ISO 8601; null: there is no file. */
  readonly loadedAt: string | null
  /** Why the newest version of the file was refused; null: it was not. */
  readonly error: string | null
}

export interface RolloutFile {
  current(): CurrentRollout
  close(): void
}

export interface RolloutFileOptions {
  /** Undefined: there is none. */
  readonly path: string | undefined
  /** Throws a RolloutError. */
  readonly parse: (text: string) => Rollout
  /** Told of every new version that holds (`error` null), and of every one that is refused. */
  readonly onChange?: (current: CurrentRollout) => void
  readonly everyMs?: number
  readonly now?: () => Date
}

/** Well within the two seconds that a change may take. */
const EVERY_MS = 500

/**
 * Reads the rollout file, and reads it again when it has changed, in place or by another in its name. A version that cannot be
 * used is refused, and the previous version stays in effect.
 * @throws RolloutError when the file cannot be used at the start.
 */
export function watchRollout({
  path,
  parse,
  onChange = () => undefined,
  everyMs = EVERY_MS,
  now = () => new Date(),
}: RolloutFileOptions): RolloutFile {
  if (path === undefined) {
    return { current: () => ({ rollout: NO_ROLLOUT, loadedAt: null, error: null }), close: () => undefined }
  }
  const read = (): Rollout => parse(textOf(path))
  let seen = versionOf(path)
  let current: CurrentRollout = { rollout: read(), loadedAt: now().toISOString(), error: null }

  const look = (): void => {
    const version = versionOf(path)
    if (version === seen) return
    seen = version
    try {
      current = { rollout: read(), loadedAt: now().toISOString(), error: null }
    } catch (error) {
      current = { ...current, error: error instanceof Error ? error.message : String(error) }
    }
    onChange(current)
  }
  const timer = setInterval(look, everyMs).unref()
  return { current: () => current, close: () => clearInterval(timer) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new RolloutError([`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`], {
      cause: error,
    })
  }
}

/** What tells two versions of a file apart, also those written within one tick of the clock; `none` while it is not there. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'none'
  }
}
