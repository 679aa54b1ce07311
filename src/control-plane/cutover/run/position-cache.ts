import { open, readFile, rename } from 'node:fs/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import { lineage } from '../../evidence/tally/operation-counts.ts'
import { EVENTS } from '../audit.ts'
import type { Position } from '../position.ts'
import type { UnstoredStop } from './positions.ts'

/** What was last known of the cut-over. */
export interface CachedCutover {
  readonly positions: readonly Position[]
  /** Stops that are not stored yet. */
  readonly stops: readonly UnstoredStop[]
  /** As in `CutoverState`, so that brownouts that were ended do not begin again; undefined: not known. */
  readonly brownoutsEndedAt?: string | null | undefined
}

/** A file that keeps the last decisions, for a start while the database is unavailable. */
export interface PositionCache {
  /** Returns what it holds; undefined if there is no file, or a broken one, which is logged. */
  read(): Promise<CachedCutover | undefined>
  /** Writes the file in the background; of several writes at once, only the last. Logs a failure once. */
  write(cached: CachedCutover): void
  /** Resolves when everything is written. */
  close(): Promise<void>
}

const state = z.enum(['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done'])
const percent = z.number().min(0).max(100)
const count = z.int().min(0)

const file = z.object({
  brownoutsEndedAt: z.iso.datetime().nullish(),
  positions: z.array(
    z.object({
      ...{ operation: z.string(), version: count, state, percent, step: count, stage: count, since: z.iso.datetime() },
      ...{ approved: z.number().nullable(), by: z.string(), why: z.string(), gateWaits: z.string().optional() },
    }),
  ),
  stops: z.array(
    z.object({
      ...{ id: z.string(), operation: z.string(), by: z.string() },
      move: z.object({
        event: z.enum(EVENTS),
        to: z.object({ state, percent, step: count, approved: z.number().nullable() }),
        ...{ isNewStage: z.boolean(), why: z.string() },
      }),
      facts: z.object({ lineage: lineage.optional(), counts: z.record(z.string(), z.number()) }),
    }),
  ),
})

/** @param path undefined to keep nothing. */
export function positionCache(path: string | undefined, log: Pick<Logger, 'warn'>): PositionCache {
  if (path === undefined) {
    return { read: async () => undefined, write: () => undefined, close: async () => undefined }
  }
  let text = ''
  let isFailing = false
  let writing: Promise<void> | undefined
  const writeAll = async (): Promise<void> => {
    let written: string | undefined
    while (written !== text) {
      const next = text
      try {
        await replace(path, next)
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ file: path, reason: reasonOf(error) }, 'STATE_CACHE cannot be written')
        isFailing = true
      }
      written = next
    }
    writing = undefined
  }
  return {
    async read() {
      try {
        return file.parse(JSON.parse(await readFile(path, 'utf8'))) as CachedCutover
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        log.warn({ file: path, reason: reasonOf(error) }, 'STATE_CACHE cannot be read: the gateway starts without it')
        return undefined
      }
    },
    write(cached) {
      const next = `${JSON.stringify(cached, undefined, 1)}\n`
      if (next === text) return
      text = next
      writing ??= writeAll()
    },
    close: async () => writing,
  }
}

/** Replaces a file atomically: a reader always finds it whole, even after a power cut. */
async function replace(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, path)
}

/** Names the reason without quoting values from the file. */
const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues
        .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
        .join('; ')
        .slice(0, 500)
    : error instanceof SyntaxError
      ? 'it is not JSON'
      : String((error as NodeJS.ErrnoException).code ?? error)
