import type { Seen, UsageRow } from '../../src/control-plane/usage/usage.ts'
import { knownFrom, used } from './known-usage.ts'

const DAY_MS = 86_400_000

/** A name as long as one may be. */
export const LONGEST_NAME = `erp-${'ağır-yük-taşımacılık-'.repeat(10)}`.slice(0, 200).padEnd(200, 'x')

const AGENTS = [
  'GuzzleHttp/7.9.2 curl/8.5.0 PHP/8.3.14',
  'python-requests/2.32.3',
  'Apache-HttpClient/5.4.1 (Java/21.0.5)',
]

const OPERATIONS = ['invoice-list', 'price', 'package', 'country-list', 'city-list', 'currency-list', 'charge-list']

/** What an ordinary client sends, and gets. */
const SEEN: Seen = {
  ...{ calls: 420, other: 3, languages: { tr: 400, en: 20 } },
  members: { page: 410, perPage: 410, isPayment: 200, statusId: 31, 'dateAtBetween.startAt': 12 },
  ...{ empty: { statusId: 4, search: 380 }, removed: { statusId: 2 } },
  answered: { 'data[].number': 398 },
  statuses: { '200': 398, '400': 20, '406 CARRIER_IS_NOT_FOUND': 2 },
  violations: { 'dateAtBetween.startAt': 19, 'other members': 1 },
}

/** Calls of a client over the last weeks, the same at every start. */
function weekly(client: string, rank: number, now: number, firstDaysAgo = 83, lastDaysAgo = 0): readonly UsageRow[] {
  const operations = OPERATIONS.slice(0, 1 + (rank % OPERATIONS.length))
  const rows: UsageRow[] = []
  for (let daysAgo = firstDaysAgo; daysAgo >= lastDaysAgo; daysAgo -= 3) {
    const at = new Date(now - daysAgo * DAY_MS - rank * 61_000).toISOString()
    for (const [index, operation] of operations.entries()) {
      const calls = Math.max(
        1,
        Math.round((900 / (rank + 1) / (index + 1)) * (1 + 0.6 * Math.sin((daysAgo + rank * 5) / 9))),
      )
      const byV1 = Math.round(calls * ((rank % 4) / 4))
      rows.push(
        used(client, operation, at, {
          ...{ calls, byV1, byLegacy: calls - byV1, clientErrors: Math.floor(calls / 40), seen: SEEN },
          ...{ serverErrors: Math.floor(calls / 900), agents: [AGENTS[rank % AGENTS.length] ?? ''] },
        }),
      )
    }
  }
  return rows
}

/** Twelve weeks of calls of some clients: one has a name as long as can be, some Turkish ones, two have stopped. */
export function busyUsage(now: number, clients = 40) {
  const names = ['demo-client', 'warehouse-izmir', 'Işıl Çiçekçilik & Gıda A.Ş.', 'متجر القاهرة', 'a/b?c=1#d', '..']
  const more = Array.from({ length: Math.max(0, clients - names.length - 1) }, (_, index) => `shop-${index + 1}`)
  const all = [...names, LONGEST_NAME, ...more].slice(0, Math.max(clients, 1))
  return knownFrom(
    [
      ...all.flatMap((client, rank) => weekly(client, rank, now)),
      ...weekly('İğdır Nakliyat', 3, now, 83, 12),
      ...weekly('old-erp', 5, now, 89, 40),
      used('unidentified', 'unknown', new Date(now - 3_600_000).toISOString(), { calls: 1_204, clientErrors: 1_204 }),
    ],
    now,
  )
}
