import { DAY_MS, dayOf } from '../../src/common/time.ts'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import type { ExercisedLine } from '../../src/control-plane/evidence/coverage/coverage.ts'
import type { ShownExchange } from '../../src/control-plane/evidence/examples.ts'
import type { ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { busyUsage } from './busy-usage.ts'
import { busyBrownouts, busyCutover } from './cutover-sources.ts'
import {
  dashboardSources,
  difference,
  experiment,
  NOW,
  noExperiments,
  reference,
  replica,
  trafficAt,
} from './dashboard-sources.ts'
import { someProposals } from './some-proposals.ts'

const CLIENTS = ['demo-client', 'warehouse-izmir', 'Kx9vWb2cQ8rT1yU4oP7aSd', '10.20.30.40']

/** Three hours of calls, the same at every start: of varying rate, some slow, some refused, a few failed. */
function someTraffic() {
  const traffic = trafficAt()
  const operations = reference.slice(0, 12)
  for (let minute = 170; minute >= 0; minute--) {
    const calls = Math.round(30 + 22 * Math.sin(minute / 19) + ((minute * 37) % 11))
    for (let call = 0; call < calls; call++) {
      const kind = (call * 7 + minute) % 97
      const status = kind === 5 ? 500 : kind < 4 ? 406 : 200
      const client = CLIENTS[(call * call + minute) % CLIENTS.length] ?? ''
      const operation = kind === 50 ? undefined : operations[(call * 5 + minute) % operations.length]?.id
      traffic.at(
        minute,
        operation,
        client,
        status,
        kind % 40 === 9 ? 180 + ((minute * 13) % 70) : 4 + ((call * 31) % 60),
      )
    }
  }
  for (const [path, calls] of UNKNOWN_PATHS) {
    for (let call = 0; call < calls; call++) traffic.unknown(path, CLIENTS[call % 2] ?? '')
  }
  return traffic
}

const UNKNOWN_PATHS = [
  ['/api/consignment/labels/reprint', 41],
  ['/api/single/point/import/cancel/5512089', 3],
] as const

const differences = [
  difference({
    ...{ requests: 3, count: 7, clients: { distinct: 2, estimated: false } },
    mapping: { legacy: 'data[].priceTry', v1: 'items[].priceTry', change: 'same', reason: 'prices are in lira' },
    excusing: {
      rules: [{ operation: 'invoice-list', path: 'data[].priceTry', kind: 'changed', why: '' }],
      requests: 2,
    },
  }),
  difference({
    ...{ kind: 'status', path: '', v1Path: null, requests: 2, count: 2 },
    details: { '400 → 406': 1, '200 → 404': 1 },
    excusing: {
      rules: ['400 → 406', '200 → 404'].map((details) => ({
        ...{ operation: 'invoice-list', path: '', kind: 'status', details, why: '' },
      })),
      requests: 0,
    },
  }),
  difference({
    ...{ kind: 'type', path: 'data[].currency.updatedAt', v1Path: null, requests: 40, count: 40 },
    ...{ ignored: 'loss: v1 no longer has it', details: { 'string → null': 40 } },
    clients: { distinct: 120, estimated: true },
  }),
  difference({
    ...{ path: 'data[].rate.sellingRateTry', v1Path: 'items[].rates.sellingTry', requests: 12, count: 90, drift: 12 },
    ...{ ignored: 'drift', since: null, until: null },
  }),
]

const LEGACY_CURL = "curl 'https://old.test/api/invoice/list'"

const examples: readonly ShownExchange[] = [
  {
    ...{ method: 'POST', path: '/api/invoice/list', body: '{"search":"DEM20250001","perPage":25}' },
    values: [{ kind: 'changed', path: 'data[].priceTry', control: '100.00', candidate: '100.01' }],
    at: '2025-03-04T12:31:00.000Z',
    curl: 'curl -X POST \'http://legacy.test/api/invoice/list\' \\\n  -H "Authorization: Bearer $LEGACY_TOKEN" \\\n  -d \'{"search":"DEM20250001","perPage":25}\'',
    legacyCurl: LEGACY_CURL,
    explain: new URLSearchParams({
      ...{ method: 'POST', path: 'http://legacy.test/api/invoice/list', language: 'en', body: '{"perPage":25}' },
    }).toString(),
  },
  {
    ...{ method: 'POST', path: '/api/invoice/list', body: null },
    values: [
      { kind: 'changed', path: 'data[].priceTry', control: '7.5', candidate: '7.50001' },
      { kind: 'changed', path: 'data[].goneSince', control: '1', candidate: '2' },
    ],
    at: '2025-03-04T12:30:00.000Z',
    curl: "curl 'http://legacy.test/api/invoice/list'",
    legacyCurl: LEGACY_CURL,
  },
  {
    ...{ method: 'POST', path: '/api/invoice/list', body: '{"page":0}' },
    values: [{ kind: 'status', path: '', control: '400', candidate: '406' }],
    at: '2025-03-04T12:29:00.000Z',
    curl: "curl 'http://legacy.test/api/invoice/list'",
    legacyCurl: LEGACY_CURL,
  },
]

const waived = { why: 'no client asks for so many', by: 'ada@example.com' }
const exercised: readonly ExercisedLine[] = [
  { part: 'request', legacy: 'page', requests: 1_200, differed: 5, waived: null },
  { part: 'request', legacy: 'paymentExpirationAtBetween.startAt', requests: 0, differed: 0, waived: null },
  { part: 'answer', legacy: 'data[].id', requests: 1_204, differed: 0, waived: null },
  { part: 'paging', legacy: 'more than 200 rows', requests: 0, differed: 0, waived },
]
const used = { holds: true, lastExcused: '2025-03-04T12:00:00.000Z', stale: false }

const experiments: Experiments = {
  ...noExperiments,
  rules: [
    { operation: 'currency-list', path: '[].rate', why: 'rates move between two reads', ...used },
    { operation: '*', path: 'message', why: 'wording', ...used },
  ],
  overall: {
    ...{ verdict: 'not ready', confidence: 0.95, ready: 1, of: 11, together: 0, says: 'not ready', kept: true },
    missing: ['invoice-list: not ready', 'price: units 125 of 549', 'city-list: not called'],
  },
  operations: [
    experiment('auth', {
      verdict: 'insufficient data',
      needed: 268,
      matchRate: 0,
      lowerBound: 0,
      shadow: 0.25,
      totals: { requests: 31, matched: 0, ignored: 0, mismatched: 0, failed: 0, skipped: 31 },
      inputs: { distinct: 0, atLeast: false },
    }),
    experiment('price', {
      verdict: 'insufficient data',
      needed: 174,
      missing: ['units 125 of 299'],
      matchRate: 1,
      lowerBound: 0.9721,
      totals: { requests: 101, matched: 94, ignored: 0, mismatched: 0, failed: 7, skipped: 0 },
      inputs: { distinct: 91, atLeast: false },
    }),
    experiment('invoice-list', {
      serve: 'legacy',
      verdict: 'not ready',
      matchRate: 0.99606,
      lowerBound: 0.99199,
      totals: { requests: 1_284, matched: 1_200, ignored: 64, mismatched: 5, failed: 3, skipped: 12 },
      errors: { matched: 38, mismatched: 2 },
      ...{ empty: 7, unjudged: { 'control: timeout': 3 } },
      differences,
      inputs: { distinct: 1_000, atLeast: true },
      coverage: { lines: 3, seen: 2, share: 2 / 3, unseen: [], notSent: [] },
      exercised,
      assumptions: [
        {
          part: 'answer',
          legacy: 'data[].firstName',
          v1: 'items[].firstName',
          change: 'same',
          reason: 'legacy’s null is not shown',
          matched: 1_100,
          differed: 0,
          standing: 'confirmed',
        },
        {
          part: 'answer',
          legacy: 'pagination.lastPage',
          v1: 'meta.pageCount',
          change: 'renamed',
          reason: 'an empty list has one page',
          matched: 12,
          differed: 3,
          standing: 'refuted',
        },
        {
          part: 'answer',
          legacy: 'data[].status',
          v1: 'items[].status',
          change: 'same',
          reason: 'its members are not shown',
          matched: 0,
          differed: 0,
          standing: 'untested',
        },
      ],
    }),
    experiment('country-list', {
      says: 'ready; 7 of 18 lines were never seen',
      coverage: { lines: 18, seen: 11, share: 0.611, unseen: [], notSent: [] },
    }),
  ],
  queue: { length: 3, limit: 256, running: 8, dropped: 1_204 },
  rollout: { loadedAt: '2025-03-04T09:00:00.000Z', error: null },
}

/** Three replicas while the newest version is rolled out. */
const replicas: ReplicasReport = {
  engine: { kind: 'postgresql', state: 'ok', since: '2025-03-04T07:34:56.000Z' },
  self: 'gateway-7c9d5b6f4-x2x9q',
  replicas: [
    replica('gateway-7c9d5b6f4-8kq2v', { position: { price: 25, 'invoice-list': 5 }, clockOffsetMs: 12.4 }),
    replica('gateway-7c9d5b6f4-x2x9q', { position: { price: 25, 'invoice-list': 5 }, clockOffsetMs: -3_240 }),
    replica('gateway-84f6d7c8b-m4n7z', { build: '0.3.0', mapping: '40c19b7e5d02', rollout: null }),
  ],
}

/** The last thirty days but one: on the fourth day from the end, nothing was compared. */
const comparedDays = Array.from({ length: 30 }, (_, ago) => ago)
  .filter((ago) => ago !== 3)
  .map((ago) => ({ day: dayOf(NOW - ago * DAY_MS), compared: 900 + 7 * ago, matched: 900 - 3 * ago }))
  .toReversed()

/** A gateway in the middle of a migration. */
export function busyDashboard(said: Partial<DashboardSources> = {}): DashboardSources {
  const traffic = someTraffic()
  const quiet = dashboardSources()
  return {
    ...quiet,
    traffic: traffic.snapshot,
    usage: busyUsage(NOW),
    proposals: () => ({ operations: [someProposals] }),
    experiments: () => experiments,
    comparedDays: async () => comparedDays,
    replicas: () => replicas,
    cutover: busyCutover(),
    brownouts: async () => busyBrownouts,
    examples: (operation) => (operation === 'invoice-list' ? examples : []),
    rollout: () => ({
      ...quiet.rollout(),
      operations: quiet.rollout().operations.map((operation, index) =>
        index % 4 === 3
          ? {
              ...operation,
              serve: 'legacy',
              v1Percent: 25,
              clients: { 'demo-client': 'v1', 'warehouse-izmir': 'legacy' },
              shadow: 1,
              noise: true,
              target: 0.999,
            }
          : { ...operation, shadow: 0.25 },
      ),
      loadedAt: '2025-03-04T09:00:00.000Z',
      error: 'operations.invoice-lst: no such operation; expected one of auth, price, invoice-list or *',
    }),
    ...said,
  }
}
