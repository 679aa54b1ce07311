import { html } from 'hono/html'
import type { KnownCallers } from './caller-sections.ts'
import { callersIn } from './callers.ts'
import { CALLED_DAYS, clientNumbers } from './clients-known.ts'
import { time } from './format.ts'
import type { DashboardSources } from './sources.ts'
import { countedCalls, unlessAway } from './usage-or-traffic.ts'

/** For how many days the page Switch-off shows who calls. */
export const CALLER_DAYS = 30

/** Returns who calls, by usage. While usage cannot be read, returns what this process has counted since it started. */
export async function knownCallers({
  usage,
  traffic,
}: Pick<DashboardSources, 'usage' | 'traffic'>): Promise<KnownCallers> {
  const snapshot = traffic()
  const stored = await unlessAway(Promise.all([usage.since(CALLER_DAYS), usage.since(CALLED_DAYS)]))
  if (stored === undefined) {
    const { rows } = await countedCalls(snapshot)
    return { ...(await callersIn(rows)), when: html`since ${time(snapshot.since)}`, numbers: undefined }
  }
  const [rows, longer] = stored
  const numbers = await clientNumbers(longer, snapshot.now)
  return { ...(await callersIn(rows)), when: html`in the last ${CALLER_DAYS} days`, numbers }
}
