import { type Asked, observation } from '../../../../src/control-plane/evidence/compare-answers.ts'
import { type Expectations, expectationsOf } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import { skipped } from '../../../../src/control-plane/evidence/observation.ts'
import { type Report, reportOf } from '../../../../src/control-plane/evidence/report/report-json.ts'
import { judgeOverall } from '../../../../src/control-plane/evidence/tally/verdict.ts'
import { replayResults } from '../../../../src/recordings/replay/replay-results.ts'
import { chargeThings, createThing, listThings } from '../../../support/made-up-operations.ts'
import { criteriaOf } from './observing.ts'

const ignore = [{ operation: 'thing-list', path: '[].stamp', why: 'it moves' }]
const expectations = new Map<string, Expectations>(
  [createThing, listThings, chargeThings].map((mapping) => [mapping.id, expectationsOf(mapping, [], ignore)]),
)

export interface Exchange {
  readonly operation?: string
  readonly control?: unknown
  readonly control2?: unknown
  readonly candidate?: unknown
  readonly statuses?: readonly [control: number, candidate: number]
  /** How the candidate failed, and how the control did. */
  readonly failure?: string
  readonly controlFailure?: string
  readonly skip?: string
  readonly line?: number
}

/** A report of exchanges, each of the thing list by default; lines are numbered in their order. */
export function reportOn(exchanges: readonly Exchange[], changes: Partial<Report> = {}): Report {
  const results = replayResults(criteriaOf(expectations))
  exchanges.forEach(({ operation = 'thing-list', skip, ...exchange }, index) => {
    const line = exchange.line ?? index + 1
    results.record(skip === undefined ? observation(asked(operation, exchange, line)) : skipped(operation, skip, line))
  })
  return reportOf({
    startedAt: '2025-01-01T00:00:00.000Z',
    finishedAt: '2025-01-01T00:01:02.500Z',
    operations: results.snapshot(),
    overall: judgeOverall(results.snapshot(), ['thing-list'], 0.95),
    unjudgedLimit: 0.01,
    complete: true,
    unreadable: { count: 0, first: [] },
    ...changes,
  })
}

function asked(operation: string, exchange: Exchange, line: number): Asked {
  const {
    control = [{ id: 1 }],
    candidate = control,
    control2,
    statuses = [200, 200],
    failure,
    controlFailure,
  } = exchange
  const reply = (body: unknown, status: number) => ({ status, body: Buffer.from(JSON.stringify(body)) })
  return {
    operation,
    expectations: expectations.get(operation) as Expectations,
    control: controlFailure === undefined ? reply(control, statuses[0]) : { failure: controlFailure },
    control2: control2 === undefined ? undefined : reply(control2, statuses[0]),
    candidate: failure === undefined ? reply(candidate, statuses[1]) : { failure },
    line,
    input: String(line),
  }
}

/** A name that does harm wherever it is not escaped. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'&]]>\u0000\u001b[31m\ud800\ufffe`
