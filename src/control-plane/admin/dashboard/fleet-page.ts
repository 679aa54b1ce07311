import { html } from 'hono/html'
import { chosenPercent, count } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { Replica, ReplicasReport } from '../../store/replicas.ts'
import { isClockOff, sizeInWords } from '../../store/watch-offset.ts'
import { figures, table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

/** Renders which gateways share the results, and what each of them runs. */
export function fleetPage({ replicas: read }: Pick<DashboardSources, 'replicas'>): Page {
  const report = read()
  const { engine, replicas } = report
  const content = html`<h1>Fleet</h1>
<p class="lead">The gateways that share their results, and what each one runs.</p>
${figures([
  ['Engine', ENGINES[engine.kind]],
  ['State', engine.state === 'ok' ? 'ok' : badge('degraded')],
  ['Since', time(engine.since)],
  ['Replicas', count(replicas.length)],
])}
${problems(report)}
${table({
  id: 'replicas',
  caption: captionOf(report),
  columns: [
    { head: 'Replica', cell: ({ id }) => html`<code>${id}</code>${id === report.self ? THIS_ONE : ''}` },
    { head: 'Started', cell: ({ startedAt }) => time(startedAt) },
    { head: 'Seen', cell: ({ seenAt }) => time(seenAt) },
    version('Build', 'build', replicas),
    version('Mapping', 'mapping', replicas),
    version('Rollout file', 'rollout', replicas),
    { head: 'Position', kind: 'text', cell: ({ position }) => positions(position) },
    { head: 'Clock', cell: ({ clockOffsetMs }) => clock(clockOffsetMs) },
  ],
  rows: replicas,
})}
<p class="note">Mapping, rollout file: hashes of what a replica uses; equal hashes mean equal contents. Clock: how far a replica’s clock is off from the database’s.</p>`
  return { title: 'Fleet', section: '/fleet', content }
}

const THIS_ONE = html`<br><small>this one</small>`

const badge = (text: string): Html => html`<span class="verdict not-ready">${text}</span>`

function captionOf({ engine }: ReplicasReport): string {
  if (engine.kind === 'sqlite') return 'This gateway; with SQLite, it shares its results with no other'
  return engine.state === 'ok'
    ? 'Gateways seen in the last ten seconds'
    : 'Gateways as last seen before the database became unavailable'
}

/** Renders what is wrong, in words; empty if nothing is. */
function problems({ engine, replicas }: ReplicasReport): Html | '' {
  const differing = disagreements(replicas)
  const off = replicas.filter(({ clockOffsetMs }) => isClockOff(clockOffsetMs)).length
  const all = [
    ...(engine.state === 'degraded' ? [engine.kind === 'sqlite' ? NOT_STORED : AWAY] : []),
    ...(differing.length === 0 ? [] : [disagreeing(differing)]),
    ...(off === 0
      ? []
      : [
          html`<p><strong>The ${off === 1 ? 'clock of 1 replica is' : `clocks of ${count(off)} replicas are`} off by more than 2 s.</strong> Correct this: each replica takes the times of its calls from its clock.</p>`,
        ]),
  ]
  return all.length === 0 ? '' : html`<div class="alert">${all}</div>`
}

const disagreeing = (what: readonly string[]): Html =>
  html`<p><strong>Not all replicas run the same ${AND.format(what)}.</strong> This is expected during a roll-out, and wrong after it.</p>`

const AND = new Intl.ListFormat('en')

const NOT_STORED = html`<p><strong>The state is degraded.</strong> Results stay in memory until they can be stored. Calls are answered as usual.</p>`
const AWAY = html`<p><strong>The state is degraded.</strong> The database is unavailable: results stay in memory until it is back, and results of other replicas are not shown here. Calls are answered as usual.</p>`

/** Returns a column of versions, in which those that differ stand out. */
const version = (head: string, of: VersionOf, replicas: readonly Replica[]) => ({
  head,
  cell(replica: Replica): Html {
    const value = replica[of]
    const shown = value === null ? html`<span class="quiet">none</span>` : html`<code>${value}</code>`
    return standsOut(replica, of, replicas) ? html`<strong>${shown}</strong><br>${badge('differs')}` : shown
  },
})

function positions(position: Replica['position']): Html | string {
  const all = Object.entries(position ?? {})
  if (all.length === 0) return ''
  return html`<ul class="plain">${all.map(([operation, share]) => html`<li><code>${operation}</code> ${chosenPercent(share / 100)}</li>`)}</ul>`
}

/** Renders how far a clock is off: `12 ms ahead`, `3.2 s behind`. */
function clock(offsetMs: number): Html {
  const shown = `${sizeInWords(offsetMs)}${Math.round(offsetMs) === 0 ? '' : offsetMs < 0 ? ' behind' : ' ahead'}`
  return isClockOff(offsetMs) ? html`<strong>${shown}</strong><br>${badge('wrong')}` : html`${shown}`
}

const VERSION_NAMES = { build: 'build', mapping: 'mappings', rollout: 'rollout file' } as const

/** The versions that replicas should agree on. */
type VersionOf = keyof typeof VERSION_NAMES

type Versions = Pick<Replica, VersionOf>

/** Names what the replicas do not agree on. */
const disagreements = (replicas: readonly Versions[]): readonly string[] =>
  (Object.keys(VERSION_NAMES) as VersionOf[])
    .filter((of) => new Set(replicas.map((replica) => replica[of])).size > 1)
    .map((of) => VERSION_NAMES[of])

/** Whether a replica's version differs from the one that more than half of the replicas run. If no version has a majority, all stand out. */
function standsOut(replica: Versions, of: VersionOf, replicas: readonly Versions[]): boolean {
  const alike = replicas.filter((other) => other[of] === replica[of]).length
  return alike * 2 <= replicas.length
}

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
