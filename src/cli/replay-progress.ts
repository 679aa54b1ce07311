import { SingleBar } from 'cli-progress'
import { counted } from '../common/figures.ts'
import type { Outcome } from '../control-plane/evidence/observation.ts'

/** Shows the progress of a replay. */
export interface Progress {
  add(outcome: Outcome): void
  /** Shows the final state. */
  stop(): void
}

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean }

const LINE_EVERY_MS = 5_000

/**
 * Shows a progress bar on a terminal, otherwise a plain line every `everyMs`.
 * @param isMost whether there may be fewer than `total`.
 */
export function showProgress(stream: Stream, total: number, everyMs = LINE_EVERY_MS, isMost = false): Progress {
  const counts = { matched: 0, ignored: 0, mismatched: 0, failed: 0, skipped: 0 }
  let done = 0
  const all = `${isMost ? 'at most ' : ''}${counted(total, 'exchange')}`
  const show = stream.isTTY === true ? bar(stream, total) : lines(stream, all, everyMs, () => [done, says()])
  const says = (): string =>
    `${counts.mismatched} mismatched, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
  return {
    add(outcome) {
      counts[outcome]++
      done++
      show.update(done, says())
    },
    stop: () => show.stop(done, says()),
  }
}

interface Shown {
  update(done: number, says: string): void
  stop(done: number, says: string): void
}

function bar(stream: Stream, total: number): Shown {
  const shown = new SingleBar({
    stream,
    format: '{bar} {value}/{total} | {says} | {eta_formatted} left',
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  })
  shown.start(total, 0, { says: '' })
  return {
    update: (done, says) => shown.update(done, { says }),
    stop(done, says) {
      shown.update(done, { says })
      shown.stop()
    },
  }
}

function lines(stream: Stream, all: string, everyMs: number, now: () => readonly [number, string]): Shown {
  const write = (done: number, says: string): void => {
    stream.write(`${done} of ${all}: ${says}\n`)
  }
  const timer = setInterval(() => write(...now()), everyMs).unref()
  return {
    update: () => undefined,
    stop(done, says) {
      clearInterval(timer)
      write(done, says)
    },
  }
}
