import { open, readFile, rename } from 'node:fs/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import { lineage } from '../../compare/lineage.ts'
import { EVENTS } from '../event.ts'
import type { Position } from '../position.ts'
import type { UnstoredStop } from './positions.ts'

/** What was last known of the cut-over. */
export interface CachedCutover {
  readonly positions: readonly Position[]
  /** Stops that were not stored yet. */
  readonly stops: readonly UnstoredStop[]
  /** As in `CutoverState`: what was ended does not begin again. */
  readonly brownoutsEndedAt: string | null
}

/** A file that keeps what was last decided, for a start while the database is away. */
export interface PositionCache {
  /** Returns what it holds; undefined: there is no file, or a broken one, of which the log then says so. */
  read(): Promise<CachedCutover | undefined>
  /** Writes it beside the calls; of several at once the last. What cannot be written is logged, once. */
  write(cached: CachedCutover): void
  /** Resolves when all is written. */
  close(): Promise<void>
}

const state = z.enum(['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done'])
const percent = z.number().min(0).max(100)
const count = z.int().min(0)

const file = z.object({
  brownoutsEndedAt: z.iso.datetime().nullable().default(null),
  positions: z.array(
    z.object({
      ...{ operation: z.string(), version: count, state, percent, step: count, stage: count, since: z.iso.datetime() },
      ...{ approved: z.number().nullable(), by: z.string(), why: z.string() },
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

/** @param path undefined: nothing is kept. */
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
        log.warn({ file: path, reason: reasonOf(error) }, 'STATE_CACHE cannot be read: nothing is known of before')
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

/** Replaces a file, so that whoever reads it finds it whole, after a power cut too. */
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

/** Without the values that are in the file. */
const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues
        .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
        .join('; ')
        .slice(0, 500)
    : error instanceof SyntaxError
      ? 'it is not JSON'
      : String((error as NodeJS.ErrnoException).code ?? error)
