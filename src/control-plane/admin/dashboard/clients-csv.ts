import type { ClientsFilter } from './clients-filter.ts'
import type { ClientUsage } from './known-clients.ts'
import { clientsKnown } from './known-clients.ts'
import type { DashboardSources } from './sources.ts'

const HEAD = [
  ...['client', 'standing', 'operation', 'days', 'calls', 'clientErrors', 'serverErrors'],
  ...['byV1', 'byLegacy', 'firstAt', 'lastAt', 'userAgents'],
]

/**
 * Returns all clients of the page as CSV (RFC 4180, UTF-8), with one row per client and operation. `standing` is `calls`, `stopped`,
 * or `unnamed` for calls without a client's name. The counts cover the last `days` days. Undefined if usage cannot be read now.
 */
export async function clientsCsv(sources: DashboardSources, filter: ClientsFilter): Promise<string | undefined> {
  const { calling, stopped, unnamed, stoppedDays, countedSince } = await clientsKnown(sources, filter, { weeks: false })
  if (countedSince !== undefined) return undefined
  const { days } = filter
  return [
    line(HEAD),
    ...calling.flatMap((client) => rowsOf(client, 'calls', days)),
    ...stopped.flatMap((client) => rowsOf(client, 'stopped', stoppedDays)),
    ...unnamed.flatMap((client) => rowsOf(client, 'unnamed', days)),
  ].join('')
}

const rowsOf = ({ client, operations }: ClientUsage, standing: string, days: number): readonly string[] =>
  operations.map((used) =>
    line([
      ...[client, standing, used.operation, days, used.calls, used.clientErrors, used.serverErrors],
      ...[used.byV1, used.byLegacy, used.firstAt, used.lastAt, used.agents.join(' | ')],
    ]),
  )

const line = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Characters that spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n]/

/** Quotes all texts, so that a spreadsheet that separates by `;` does not split them either. */
function cell(value: string | number): string {
  if (typeof value === 'number') return `${value}`
  const safe = FORMULA.test(value) ? `'${value}` : value
  return `"${safe.replaceAll('"', '""')}"`
}
