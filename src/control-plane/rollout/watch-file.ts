import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { reasonOf } from '../../common/reason-of.ts'

/** What a watched file says, and whether its newest version was refused. */
export interface CurrentFile<Value> {
  readonly value: Value
  /** When it was loaded, ISO 8601; null: no file is configured. */
  readonly loadedAt: string | null
  /** Why the newest version of the file was refused; null: it is in effect. */
  readonly error: string | null
  /** 12 hex digits of a hash of the text in effect, to tell versions apart; null: no file is configured. */
  readonly hash: string | null
}

export interface WatchedFile<Value> {
  current(): CurrentFile<Value>
  /** Checks the file again although it has not changed, because what it is checked against has. */
  checkAgain(): void
  close(): void
}

export interface WatchOptions<Value> {
  /** Undefined: no file is configured. */
  readonly path: string | undefined
  /** Throws if the text cannot be used. */
  readonly parse: (text: string) => Value
  /** Makes the error of a file that cannot be read. */
  readonly unreadable: (problem: string, options: ErrorOptions) => Error
  /** Takes a new version over before it is in effect; if it rejects, the version is refused. Unset: it is in effect at once. */
  readonly takeOver?: (value: Value) => Promise<void>
  /** Called when a new version is in effect (`error` is null) or refused, with the version that was in effect before. */
  readonly onChange: (current: CurrentFile<Value>, previous: CurrentFile<Value>) => void
  readonly everyMs?: number | undefined
  readonly now?: () => Date
}

/** How often the file is checked: a change must take effect within two seconds. */
const EVERY_MS = 500

/** What holds without a file. */
const EMPTY = '{}'

/**
 * Reads a file of JSON, and again whenever it changes, in place or by a rename. A version that cannot be used is refused, and the
 * previous version stays in effect.
 * @throws what `parse` throws, or `unreadable` makes, if the file cannot be used at startup.
 */
export function watchFile<Value>(options: WatchOptions<Value>): WatchedFile<Value> {
  const { path, parse, unreadable, takeOver, onChange, everyMs = EVERY_MS, now = () => new Date() } = options
  if (path === undefined) {
    const none = { value: parse(EMPTY), loadedAt: null, error: null, hash: null }
    return { current: () => none, checkAgain: () => undefined, close: () => undefined }
  }
  const read = (): CurrentFile<Value> => {
    const text = textOf(path, unreadable)
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
    return { value: parse(text), loadedAt: now().toISOString(), error: null, hash }
  }
  let lastVersion = versionOf(path)
  let current = read()
  let isTakingOver = false

  const change = (next: CurrentFile<Value>): void => {
    const previous = current
    current = next
    onChange(current, previous)
  }
  const refused = (error: unknown): CurrentFile<Value> => ({
    ...current,
    error: error instanceof Error ? error.message : String(error),
  })
  const readNext = (): CurrentFile<Value> => {
    try {
      return read()
    } catch (error) {
      return refused(error)
    }
  }
  const check = (): void => {
    const version = versionOf(path)
    if (isTakingOver || version === lastVersion) return
    lastVersion = version
    const next = readNext()
    if (takeOver === undefined || next.error !== null) {
      change(next)
      return
    }
    isTakingOver = true
    void takeOver(next.value)
      .then(
        () => change(next),
        (error: unknown) => change(refused(error)),
      )
      .finally(() => {
        isTakingOver = false
      })
  }
  const timer = setInterval(check, everyMs).unref()
  return {
    current: () => current,
    checkAgain() {
      const next = readNext()
      if (next.hash !== current.hash || next.error !== current.error) change(next)
    },
    close: () => clearInterval(timer),
  }
}

function textOf(path: string, unreadable: WatchOptions<unknown>['unreadable']): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(`${path} cannot be read: ${reasonOf(error)}`, { cause: error })
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
