import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { ReplicasReport } from '../../state/replicas.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'

/** Whether other replicas share the results, so that a page must say what is of this replica alone. */
export const isOneOfSeveral = ({ replicas }: ReplicasReport): boolean => replicas.length > 1

/** Says how many replicas the results on a page cover, and what they lack while the database is unavailable; empty for a single replica. */
export function resultsOfReplicas(report: ReplicasReport): Html | '' {
  const { engine, replicas } = report
  const lacksOthers = engine.kind !== 'sqlite' && engine.state === 'degraded'
  if (!lacksOthers && !isOneOfSeveral(report)) return ''
  const several = isOneOfSeveral(report)
    ? html`Results of <a href="/fleet">${count(replicas.length)} replicas</a>. `
    : ''
  const lacking = html`<strong>The database is unavailable:</strong> these results lack what other replicas have found since ${time(engine.since)}.`
  return html`<p class="note">${several}${lacksOthers ? lacking : ''}</p>`
}

/** Says that a page shows this replica alone; empty if there is no other. */
export function callsOfThisReplica(report: ReplicasReport): Html | '' {
  if (!isOneOfSeveral(report)) return ''
  const { self, replicas } = report
  return html`<p class="note">Calls of this replica (<code>${self}</code>), one of <a href="/fleet">${count(replicas.length)} replicas</a>.</p>`
}
