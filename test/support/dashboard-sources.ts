import { operations } from '../../mappings/index.ts'
import { changeStreams } from '../../src/control-plane/admin/dashboard/change-streams.ts'
import { keepRepeatedWrites } from '../../src/control-plane/admin/dashboard/repeated-writes.ts'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import type {
  Experiment,
  ExperimentDifference,
  Experiments,
  ReferenceOperation,
} from '../../src/control-plane/admin/dashboard/sources.ts'
import type { Replica, ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { exampleAnswer, exampleRequest } from '../../src/guide/examples/translated.ts'
import { explain } from '../../src/guide/lines/explain.ts'
import { uncertainLines } from '../../src/guide/reference/describe-operation.ts'
import type { State } from '../../src/observe/readiness.ts'
import { countTraffic, type Traffic } from '../../src/observe/traffic.ts'
import { noCutover } from './cutover-sources.ts'
import { explaining } from './explainer.ts'
import { awayUsage } from './known-usage.ts'

/** The time at which every page is shown. */
export const NOW = Date.parse('2025-03-04T12:34:56Z')
const MINUTE_MS = 60_000

/** The real mappings, as the dashboard gets them. */
export const reference: readonly ReferenceOperation[] = compileOperations(operations).map((operation, _, all) => ({
  ...operation.mapping,
  lines: explain(operation.mapping),
  ...uncertainLines(operation.mapping),
  examples: { request: exampleRequest(operation), answer: exampleAnswer(operation, all) },
}))

export const noExperiments: Experiments = {
  since: '2025-03-01T08:00:00.000Z',
  asOf: null,
  operations: [],
  overall: {
    ...{ verdict: 'insufficient data', confidence: 0.95, ready: 0, of: 0, missing: [], says: 'insufficient data' },
    together: 0,
    kept: true,
  },
  queue: { length: 0, limit: 256, running: 0, dropped: 0 },
  examples: { bytes: 0, cut: 0, dropped: 0 },
  rules: [],
  rollout: { loadedAt: null, error: null },
  mapping: { loadedAt: null, error: null },
}

/** A successful experiment, except for the given members. */
export function experiment(operation: string, said: Partial<Experiment> = {}): Experiment {
  return {
    operation,
    serve: 'v1',
    shadow: 1,
    neverCompared: null,
    totals: { requests: 1_268, matched: 1_200, ignored: 68, mismatched: 0, failed: 0, skipped: 0 },
    verdict: 'ready',
    target: 0.99,
    ...{ matchRate: 1, unexcusedRate: 0.95 },
    ...{ lowerBound: 0.997_87, confidence: 0.95, needed: 0, missing: [], against: null },
    units: { distinct: 1_268, mismatched: 0, estimated: false },
    errors: { matched: 0, mismatched: 0 },
    ...{ empty: 0, unjudged: {}, refusals: 0, lists: null },
    account: {
      ...{ calls: 1_268, notDrawn: 0, skips: {}, unjudged: {}, compared: 1_268 },
      ...{ errors: 0, empty: 0, unitless: 0, repeated: 0, units: 1_268 },
    },
    clients: { distinct: 3, atLeast: false, largestShare: 0.5 },
    ...{ since: '2025-03-01T08:00:00.000Z', until: '2025-03-04T12:30:00.000Z' },
    durations: {
      ...{ control: { p50: 12, p95: 40, p99: 80 }, candidate: { p50: 15, p95: 60, p99: 90 } },
      slowdown: { p50: 1.25, p95: 1.5 },
    },
    ...{ roundTrip: null, droppedMembers: {}, checked: null },
    ...{ lineage: { mapping: '5f0c2ad91b3e', v1: '2026.11.3', legacy: null }, history: [] },
    ...{ kept: true, begunBy: null },
    differences: [],
    inputs: { distinct: 412, atLeast: false },
    assumptions: [],
    ...{ coverage: { lines: 31, seen: 31, share: 1, unseen: [], notSent: [] }, exercised: [] },
    says: said.verdict ?? 'ready',
    ...said,
  }
}

/** A counter five hours after its start; `at` counts calls that came some minutes ago. */
export function trafficAt(now = NOW): Traffic & {
  at(minutesAgo: number, operation: string | undefined, client: string, status?: number, milliseconds?: number): void
  /** Counts a call of a path that no mapping has. */
  unknown(path: string, client: string): void
} {
  let clock = now - 5 * 60 * MINUTE_MS
  const traffic = countTraffic({ operations: reference.map(({ id }) => id), now: () => clock })
  clock = now
  return {
    ...traffic,
    at: (minutesAgo, operation, client, status = 200, milliseconds = 12) =>
      traffic.count({
        ...{ at: now - minutesAgo * MINUTE_MS, operation, client, status, milliseconds, answeredBy: 'v1' },
        ...{ method: 'GET', path: `/${operation ?? 'nothing'}` },
      }),
    unknown: (path, client) =>
      traffic.count({
        ...{ at: now, operation: undefined, client, status: 404, milliseconds: 1, answeredBy: 'legacy' },
        ...{ method: 'GET', path },
      }),
  }
}

/** The state without problems. */
export const well: State = {
  services: { v1: 'https://v1.test/prefix', legacy: 'https://old.test' },
  ...{ v1: 'well', legacy: 'well', goingDown: false, rollout: 'none', mapping: 'none', breakers: [], state: 'ok' },
}

/** A gateway that shares its results with no other. */
export const alone: ReplicasReport = {
  engine: { kind: 'sqlite', state: 'ok', since: '2025-03-04T07:34:56.000Z' },
  self: 'gateway-1',
  replicas: [replica('gateway-1')],
}

/** A replica that runs what the others run, except for the given members. */
export function replica(id: string, said: Partial<Replica> = {}): Replica {
  return {
    ...{ id, incarnation: `of-${id}`, startedAt: '2025-03-04T07:34:56.000Z', seenAt: '2025-03-04T12:34:55.000Z' },
    ...{ build: '0.2.0', mapping: '9d1f0a77c2e4', rollout: '51bb0c2f4e88', position: null, clockOffsetMs: 0 },
    ...said,
  }
}

/** A difference that counts, except for the given members. */
export const difference = (said: Partial<ExperimentDifference> = {}): ExperimentDifference => ({
  ...{ kind: 'changed', path: 'data[].priceTry', v1Path: 'items[].priceTry', requests: 1, count: 1 },
  ...{ drift: 0, noise: 0 },
  ...{ ignored: null, details: null, since: '2025-03-01T08:00:00.000Z', until: '2025-03-04T12:31:00.000Z' },
  ...{ clients: { distinct: 1, estimated: false }, shownBy: [], mapping: null, excusing: null },
  ...said,
})

/** A gateway without any calls so far, except for the given members. */
export function dashboardSources(said: Partial<DashboardSources> = {}): DashboardSources {
  const explained = explaining()
  return {
    traffic: () => trafficAt().snapshot(),
    repeatedWrites: keepRepeatedWrites().of,
    usage: awayUsage,
    experiments: () => noExperiments,
    examples: () => [],
    proposals: () => ({ operations: [] }),
    results: () => ({ failure: null }),
    comparedDays: async () => [],
    replicas: () => alone,
    brownouts: async () => ({ since: '2025-03-04T07:34:56.000Z', endedAt: null, brownouts: [] }),
    explain: (call) => explained(call),
    reference,
    basePath: '',
    version: '1.2.3',
    rollout: () => ({
      operations: reference.map(({ id }) => ({
        operation: id,
        serve: 'v1',
        v1Percent: 0,
        clients: {},
        shadow: 0,
        mayChoose: [],
        ...{ noise: false, confirm: false, shadowWrites: undefined, require: undefined, plan: undefined },
        target: 0.99,
      })),
      limits: { queue: 256, concurrency: 8, timeoutMs: 5_000, copyWritesPerSecond: 2 },
      ...{ serve: 'v1', loadedAt: null, error: null },
    }),
    mapping: () => ({ loadedAt: null, error: null }),
    state: async () => well,
    cutover: noCutover,
    changes: changeStreams(() => ''),
    ...said,
  }
}
