import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import type { AuditEntry, Event } from '../../cutover/audit.ts'
import { countsInWords } from '../../cutover/audit.ts'
import type { AuditQuery } from '../../cutover/cutover-store.ts'
import { unlessAway } from '../answers.ts'
import { cursorOf, readCursor } from '../requests.ts'
import { selectOperation, time, withQuery } from './fragments.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'
import { word } from './words-page.ts'

const PER_PAGE = 50
/** Stands for entries that do not concern a single operation. */
const ALL = '*'

/** Which decisions to show. */
type AuditFilter = Pick<AuditQuery, 'operation' | 'before'>

/** Reads the filter from the query. Ignores invalid values. */
export function readAuditFilter(query: (name: string) => string | undefined): AuditFilter {
  return { operation: query('operation')?.trim() || undefined, before: readCursor(query('before') ?? '') }
}

/** Renders what was decided and what happened, newest first; or says that the audit cannot be read. */
export async function auditPage({ cutover, reference }: DashboardSources, filter: AuditFilter): Promise<Page> {
  const page = (content: Html): Page => ({
    title: 'Audit',
    section: '/audit',
    content: html`<h1>Audit</h1>
<p class="lead">Every decision about the cut-over, newest first: who made it, what it changed, and why. Entries never change, and are kept for 400 days.</p>
${filterForm(
  filter,
  reference.map(({ id }) => id),
)}
${content}`,
  })
  // Reads one more than is shown, to find out whether there is another page.
  const newest = await unlessAway(cutover.audit({ ...filter, limit: PER_PAGE + 1 }))
  if (newest === undefined) return { ...page(NOT_READ), status: 503 }
  const entries = newest.slice(0, PER_PAGE)
  if (entries.length === 0) {
    return page(
      html`<p class="empty">${filter.before === undefined ? 'Nothing has been decided yet.' : 'There are no older entries.'}</p>`,
    )
  }
  const last = newest.length > PER_PAGE ? entries.at(-1) : undefined
  return page(html`${story(entries)}
<p class="buttons">${filter.before === undefined ? '' : html`<a href="${auditPath(filter.operation)}">Newest</a>`}
${last === undefined ? '' : html`<a rel="next" href="${auditPath(filter.operation, last)}">Older</a>`}</p>`)
}

const NOT_READ = html`<div class="alert"><p><strong>The audit cannot be read now,</strong> because the state is not available. Nothing is lost: try again soon.</p></div>`

/** Returns the path of a part of the audit. */
const auditPath = (operation: string | undefined, before?: AuditEntry): string =>
  withQuery('/audit', { operation, before: before && cursorOf(before) })

const filterForm = ({ operation }: AuditFilter, operations: readonly string[]): Html =>
  html`<form class="filter" method="get" action="/audit">
${selectOperation([...operations, ALL], operation)}
<p class="buttons"><button type="submit">Show</button> <a href="/audit">Reset</a></p>
</form>`

/** Renders entries by day. */
const story = (entries: readonly AuditEntry[]): readonly Html[] =>
  [...Map.groupBy(entries, ({ at }) => at.slice(0, 10))].map(
    ([day, ofDay]) => html`<h2>${day} <small>UTC</small></h2>
<ol class="story">${ofDay.map((entry) => html`<li>${told(entry)}</li>\n`)}</ol>`,
  )

/** The words for each event, to follow the operation's name, and whether it is bad news. */
const TOLD: Readonly<Record<Event, readonly [says: string, isBad?: 'bad']>> = {
  advanced: ['advanced'],
  'approval-wanted': ['asks for approval'],
  approved: ['was approved'],
  paused: ['was paused'],
  resumed: ['was resumed'],
  stopped: ['was stopped', 'bad'],
  braked: ['was stopped by the brake', 'bad'],
  done: ['is done'],
  'gate-waits': ['is held by its gate'],
  'gate-goes-on': ['is no longer held by its gate'],
  'rollout-changed': ['The rollout file was changed'],
  'rollout-refused': ['The rollout file was refused', 'bad'],
  'mapping-changed': ['The mapping file was changed'],
  'mapping-refused': ['The mapping file was refused', 'bad'],
  'brownouts-ended': ['All brownouts were ended'],
  'evidence-reset': ['’s evidence was reset'],
  'verdict-changed': ['has another verdict'],
  'difference-new': ['differs in a new way', 'bad'],
  'new-difference': ['shows a new difference', 'bad'],
  'legacy-used-again': ['is called again', 'bad'],
}

const BRAKED = html`was stopped by the ${word('brake')}`

/** Returns the words for an event, to follow the operation's name: `was stopped by the brake`. */
export const eventInWords = (event: Event): string => TOLD[event]?.[0] ?? event

const ABOUT_A_FILE: readonly Event[] = ['rollout-changed', 'rollout-refused', 'mapping-changed', 'mapping-refused']

function told(entry: AuditEntry): Html {
  const { at, event, operation, by, from, to, why } = entry
  const [says, isBad] = TOLD[event] ?? [event]
  const isAboutAll = operation === ALL
  const subject = isAboutAll
    ? ''
    : html`<a href="${auditPath(operation)}">${operation}</a>${says.startsWith('’') ? '' : ' '}`
  const moved = from === to ? (to === '' ? '' : html`: ${to}`) : html`: from ${from || 'nothing'} to ${to || 'nothing'}`
  const isFile = ABOUT_A_FILE.includes(event)
  return html`<p>${time(at)} <strong class="${isBad ?? ''}">${subject}${event === 'braked' ? BRAKED : says}</strong>${isFile ? '' : moved}${by === 'auto' ? (isFile ? '' : ', by the gateway itself') : html`, by ${by}`}.</p>
${why === '' ? '' : isFile ? diff(why) : html`<blockquote>${why}</blockquote>`}
${facts(entry)}`
}

/** Renders the lines that differ: `price: target 0.9 -> 0.99`, `ignore: added {…}`. The words say what changed, not only the colours. */
const diff = (lines: string): Html =>
  html`<pre class="diff">${lines.split('\n').map((line) => {
    const [, list = '', sign, what = ''] = /^(\w+: )(added|removed) (.*)$/s.exec(line) ?? []
    if (sign === 'added') return html`${list}<ins>added ${what}</ins>\n`
    if (sign === 'removed') return html`${list}<del>removed ${what}</del>\n`
    const [before = '', after] = line.split(/ -> (.*)/s)
    return after === undefined ? html`${line}\n` : html`${before} → <ins>${after}</ins>\n`
  })}</pre>`

/** Renders the counts and versions that a decision was based on. */
function facts({ counts, lineage }: AuditEntry): Html | '' {
  const versions = Object.entries(objectOf<unknown>(lineage)).filter(([, value]) => typeof value === 'string')
  const all = [
    ...countsInWords(objectOf<number>(counts)),
    ...(versions.length === 0 ? [] : [versions.map(([name, value]) => `${name} ${value}`).join(', ')]),
  ]
  return all.length === 0 ? '' : html`<p class="note">${all.join('; ')}</p>`
}

function objectOf<T>(json: string): Readonly<Record<string, T>> {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
