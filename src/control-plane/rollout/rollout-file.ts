import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type Rollout, RolloutError } from './rollout.ts'

/** The rollout in effect. */
export interface CurrentRollout {
  readonly rollout: Rollout
  /** When it was loaded, ISO 8601; null: no file is configured. */
  readonly loadedAt: string | null
  /** Why the newest version of the file was refused; null: it is in effect. */
  readonly error: string | null
  /** 12 hex digits of a hash of the text in effect, to tell versions apart; null: no file is configured. */
  readonly hash: string | null
}

export interface RolloutFile {
  current(): CurrentRollout
  close(): void
}

interface RolloutFileOptions {
  /** Undefined: no file is configured. */
  readonly path: string | undefined
  /** Throws a RolloutError if the text cannot be used. */
  readonly parse: (text: string) => Rollout
  /**
   * Called when a new version takes effect (`error` is null) or is refused, with the version that was in effect before.
   * `rolloutDiff` says what changed.
   */
  readonly onChange?: (current: CurrentRollout, previous: CurrentRollout) => void
  readonly everyMs?: number | undefined
  readonly now?: () => Date
}

/** How often the file is checked: a change must take effect within two seconds. */
const EVERY_MS = 500

/** What holds without a file. */
const EMPTY = '{}'

/**
 * Reads the rollout file, and again whenever it changes, in place or by a rename. A version that cannot be used is refused,
 * and the previous version stays in effect.
 * @throws RolloutError if the file cannot be used at startup.
 */
export function watchRollout({
  path,
  parse,
  onChange = () => undefined,
  everyMs = EVERY_MS,
  now = () => new Date(),
}: RolloutFileOptions): RolloutFile {
  if (path === undefined) {
    const none = { rollout: parse(EMPTY), loadedAt: null, error: null, hash: null }
    return { current: () => none, close: () => undefined }
  }
  const read = (): CurrentRollout => {
    const text = textOf(path)
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
    return { rollout: parse(text), loadedAt: now().toISOString(), error: null, hash }
  }
  let lastVersion = versionOf(path)
  let current = read()

  const check = (): void => {
    const version = versionOf(path)
    if (version === lastVersion) return
    lastVersion = version
    const previous = current
    try {
      current = read()
    } catch (error) {
      current = { ...current, error: error instanceof Error ? error.message : String(error) }
    }
    onChange(current, previous)
  }
  const timer = setInterval(check, everyMs).unref()
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

/** Returns a text that differs between versions of a file, even within one clock tick; `none` while the file is missing. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'none'
  }
}
