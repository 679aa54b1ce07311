import { chosenPercent, count, counted, percent } from '../../src/common/figures.ts'
import { flawlessRun } from '../../src/control-plane/evidence/tally/proven-share.ts'
import type { Planted } from './planted.ts'

/** What the demonstration reads of an operation in `GET /experiments`. */
export interface Experiment {
  readonly operation: string
  readonly verdict: string
  /** The verdict in words. */
  readonly says: string
  readonly target: number
  readonly confidence: number
  readonly matchRate: number
  readonly lowerBound: number
  readonly needed: number
  /** Writes whose legacy answer made the round trip to v1's shape and back. Null if none did. */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  readonly totals: { readonly requests: number; readonly failed: number; readonly skipped: number }
  readonly differences: readonly {
    readonly kind: string
    readonly path: string
    readonly v1Path: string | null
    readonly requests: number
    readonly ignored: string | null
  }[]
}

/** Says what `ready` takes here, which is less than by default, and a line per operation, followed by its differences that count. */
export function verdictTable(operations: readonly Experiment[]): string {
  const row = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(22) : cell.padStart(10))).join('')
  const shares = ({ totals, target, matchRate, lowerBound }: Experiment): readonly string[] =>
    isCompared(totals) ? [percent(matchRate, target), percent(lowerBound, target)] : ['–', '–']
  const lines = operations.flatMap((experiment) => [
    `${row([experiment.operation, count(experiment.totals.requests), ...shares(experiment)])}  ${inWords(experiment)}`,
    ...experiment.differences
      .filter(({ ignored }) => ignored === null)
      .map(
        ({ kind, path, v1Path, requests }) =>
          `    ${kind} at ${path || 'the root'} (v1: ${v1Path ?? '-'}), ${counted(requests, 'call')}`,
      ),
  ])
  return [...targetsOf(operations), `${row(['operation', 'calls', 'match', 'at least'])}  verdict`, ...lines].join('\n')
}

/** By default, the target is 99 %: a run of half a minute could not reach it. */
const targetsOf = (operations: readonly Experiment[]): readonly string[] => [
  ...new Set(operations.map(({ target, confidence }) => whatReadyTakes(target, confidence))),
]

const whatReadyTakes = (target: number, confidence: number): string =>
  `Target: ${chosenPercent(target)}. "ready" means that, with ${chosenPercent(confidence)} confidence, at least so many calls match: it takes ${counted(flawlessRun(target, confidence), 'unit')} without a difference.`

const isCompared = ({ requests, skipped }: Experiment['totals']): boolean => skipped < requests

function inWords({ totals, says, needed, roundTrip }: Experiment): string {
  if (isCompared(totals)) return `${says}${needed > 0 ? ` (${needed} more)` : ''}`
  if (roundTrip === null) return 'never compared'
  return `not sent to v1; ${roundTrip.checked - roundTrip.differed} of ${roundTrip.checked} answers make the round trip`
}

/** What was found but not planted, or planted but not found. Empty if they are the same. */
export function surprises(
  operations: readonly Experiment[],
  planted: readonly Omit<Planted, 'fault'>[],
): readonly string[] {
  const text = ({ operation, kind, path, v1Path }: Omit<Planted, 'fault'>): string =>
    `${operation}: ${kind} at "${path}", in v1 ${v1Path === null ? 'nowhere' : `"${v1Path}"`}`
  const found = operations.flatMap(({ operation, differences }) =>
    differences.filter(({ ignored }) => ignored === null).map((difference) => text({ operation, ...difference })),
  )
  const expected = planted.map(text)
  return [
    ...found.filter((line) => !expected.includes(line)).map((line) => `found, not planted: ${line}`),
    ...expected.filter((line) => !found.includes(line)).map((line) => `planted, not found: ${line}`),
    ...operations
      .filter(({ totals }) => totals.failed > 0)
      .map(({ operation, totals }) => `${operation}: ${totals.failed} calls could not be compared`),
  ]
}
