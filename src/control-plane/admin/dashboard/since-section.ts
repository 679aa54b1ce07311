import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { AuditEntry } from '../../cutover/audit.ts'
import { unlessAway } from '../answers.ts'
import type { KnownCallers } from './callers.ts'
import { type Change, type ChangeKind, changesSince } from './changes-since.ts'
import { clientLink } from './clients-filter.ts'
import { joined, time } from './fragments.ts'
import type { Since, SinceChoice } from './since-choice.ts'
import type { DashboardSources, Experiment } from './sources.ts'

/** Who looks for more than these finds them on the page Audit. */
const MOST_ENTRIES = 1_000
/** The changes of a kind that are shown at once; the others unfold, up to the most. */
const SHOWN = 5
const MOST_SHOWN = 100

/** The kinds in the order in which they need someone. */
const KINDS: readonly (readonly [kind: ChangeKind, singular: string, plural: string])[] = [
  ['brakes', 'stop', 'stops'],
  ['verdicts', 'verdict', 'verdicts'],
  ['differences', 'new difference', 'new differences'],
  ['proposals', 'proposal', 'proposals'],
  ['releases', 'release', 'releases'],
  ['clients', 'change of callers', 'changes of callers'],
  ['decisions', 'decision', 'decisions'],
]

/** Renders what has changed since a time, what needs someone first. */
export async function sinceSection(
  sources: DashboardSources,
  { daily }: Pick<KnownCallers, 'daily'>,
  experiments: readonly Experiment[],
  since: Since,
  now: number,
): Promise<Html> {
  const entries = await unlessAway(sources.cutover.audit({ limit: MOST_ENTRIES }))
  const told = { experiments, entries: entries ?? [], proposals: sources.proposals(), daily }
  const byKind = Map.groupBy(changesSince(told, since.from, now), ({ kind }) => kind)
  const [changed, same] = [KINDS.filter(([kind]) => byKind.has(kind)), KINDS.filter(([kind]) => !byKind.has(kind))]
  const gaps = gapsIn(entries, daily, since)
  return html`<h2 id="since">Since ${NAMES[since.choice]}</h2>
${choices(since)}
${gaps === '' ? '' : html`<p class="note"><strong>Not complete:</strong> ${gaps}.</p>`}
${changed.length === 0 ? '' : html`<dl class="changes">${changed.map(([kind, ...names]) => changesOf(byKind.get(kind) ?? [], ...names))}</dl>`}
${gaps === '' ? unchanged(same) : ''}
<p class="note">Proposals that are not certain are not told: no time is stored for them.</p>`
}

/** Says which changes may be missing; empty: none. */
function gapsIn(
  entries: readonly AuditEntry[] | undefined,
  daily: KnownCallers['daily'],
  { from }: Pick<Since, 'from'>,
): string {
  const away = [...(entries === undefined ? ['the audit'] : []), ...(daily === undefined ? ['usage'] : [])]
  if (away.length > 0) return `${away.join(' and ')} cannot be read now`
  const earliest = entries?.[MOST_ENTRIES - 1]
  const isCut = earliest !== undefined && Date.parse(earliest.at) >= from
  return isCut ? `of the audit, only the latest ${count(MOST_ENTRIES)} entries are told` : ''
}

/** Names the kinds of changes of which there are none. */
function unchanged(same: typeof KINDS): Html | '' {
  if (same.length === KINDS.length) return html`<p class="empty">Nothing has changed.</p>`
  if (same.length === 0) return ''
  const names = same.map(([, singular]) => singular)
  return html`<p class="note">No ${joined(names, ', no ')}.</p>`
}

const NAMES: Readonly<Record<SinceChoice, string>> = {
  yesterday: 'yesterday',
  week: 'seven days ago',
  visit: 'your last visit',
}

const LINKS: Readonly<Record<SinceChoice, string>> = {
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  visit: 'Last visit',
}

const choices = ({ choice, from, lastVisit }: Since): Html =>
  html`<p class="days">From ${time(from)}: ${joined(
    (Object.keys(LINKS) as SinceChoice[]).map((name) => {
      if (name === choice) return html`<strong>${LINKS[name]}</strong>`
      if (name === 'visit' && lastVisit === undefined) return html`<span class="quiet">Last visit: none is known</span>`
      return html`<a href="/?since=${name}#since">${LINKS[name]}</a>`
    }),
    ' · ',
  )}</p>`

function changesOf(changes: readonly Change[], singular: string, plural: string): Html {
  const more = changes.slice(SHOWN, MOST_SHOWN)
  const beyond = changes.length - SHOWN - more.length
  return html`<div><dt>${counted(changes.length, singular, plural)}</dt>
<dd><ul>${changes.slice(0, SHOWN).map(changeItem)}</ul>
${more.length === 0 ? '' : html`<details><summary>${count(changes.length - SHOWN)} more</summary><ul>${more.map(changeItem)}</ul>${beyond === 0 ? '' : html`<p class="note">And ${count(beyond)} earlier ones.</p>`}</details>`}</dd></div>\n`
}

const changeItem = ({ at, kind, operation, client, says }: Change): Html =>
  html`<li>${kind === 'clients' && client !== undefined ? html`<time datetime="${at}">${at}</time>` : time(at)} ${nameOf(kind, operation, client)}${says.startsWith('’') ? '' : ' '}${says}</li>`

function nameOf(kind: ChangeKind, operation: string | undefined, client: string | undefined): Html | '' {
  if (client !== undefined) return clientLink(client)
  if (operation === undefined) return ''
  const name = encodeURIComponent(operation)
  const isDecided = kind === 'decisions' || kind === 'brakes'
  const href = isDecided
    ? `/audit?operation=${name}`
    : kind === 'clients'
      ? `/traffic?operation=${name}`
      : `/side-by-side/${name}`
  return html`<a href="${href}">${operation}</a>`
}
