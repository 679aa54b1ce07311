import type { Logger } from 'pino'
import type { Observation } from '../compare/observe-exchange.ts'
import { throttleReport } from '../observe/throttle-report.ts'

const EVERY_MS = 60_000

type Compared = Pick<Observation, 'operation' | 'reason' | 'malformedAt' | 'shownBy'>

interface Event {
  readonly operation: string
  readonly upstream: 'legacy' | 'v1'
  readonly reason: string
  /** Where the answer stops being JSON, in bytes from 0. */
  readonly byte: number | undefined
}

/** Returns a function that logs which answers in comparisons were malformed and why, at most one line a minute for each service. */
export function malformedLogger(log: Logger): (compared: Compared) => void {
  const report = (exchanges: number, event: Event): void =>
    log.warn({ exchanges, ...event }, 'malformed answers in comparisons; the latest')
  const reports = { legacy: throttleReport(report, EVERY_MS), v1: throttleReport(report, EVERY_MS) }
  return ({ operation, reason, malformedAt, shownBy }) => {
    if (reason?.startsWith('control: malformed') === true) {
      reports.legacy({ operation, upstream: 'legacy', reason: reason.slice('control: '.length), byte: malformedAt })
    }
    const malformed = shownBy?.malformed
    if (malformed !== undefined) {
      reports.v1({ operation, upstream: 'v1', reason: `malformed: ${malformed}`, byte: undefined })
    }
  }
}
