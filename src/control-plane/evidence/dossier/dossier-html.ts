import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { count } from '../../../common/figures.ts'
import { type Html, htmlTable } from '../../../common/tables.ts'
import { badge, facts, standingAlone, time } from '../report/standing-alone.ts'
import type { CutoverStep } from '../tally/stored-results.ts'
import type { Dossier } from './dossier.ts'
import type { Caller } from './dossier-callers.ts'
import { operationSection } from './dossier-html-operation.ts'
import { fleetInWords } from './dossier-words.ts'
import { UNSIGNED } from './sign-dossier.ts'
import { signingPage } from './signing-page.ts'

/** The most clients on the page; all of them are in `dossier.json`. */
const MOST_CALLERS = 200

interface SignedFile {
  /** The name of `dossier.json`. */
  readonly name: string
  readonly text: string
  /** The thumbprint of the key that signed it; undefined: it is not signed. */
  readonly key: string | undefined
}

/** Page one ends with the signature; the evidence begins on the next sheet. */
const PAGE_ONE_STYLE = `
.blank { display: inline-block; min-width: 6rem; height: 1.1em; border-bottom: 1px solid var(--quiet) }
.signature dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1.5rem; max-width: 56rem }
.signature dt { color: var(--quiet); font-size: .8125rem }
.signature dd { margin: 0; height: 2rem; border-bottom: 1px solid var(--ink) }
@media print {
  .annex { break-before: page }
  .signature { break-inside: avoid }
  .alert { margin-bottom: 5pt }
  h2 { margin: 8pt 0 2pt }
  .signature dd { height: 1.5rem }
  .risks table { font-size: 8pt; line-height: 1.3 }
  .risks td { padding-block: 1.5pt }
  .risks th:first-child { width: 49% }
  .risks th:nth-child(2) { width: 39% }
  .blank { min-width: 4rem }
}
`

/** Renders the dossier as one page that can be printed. It identifies the signed file by its hash. */
export function dossierHtml(dossier: Dossier, file: SignedFile): string {
  const { overall, operations, callers } = dossier
  return standingAlone(
    `Dossier: ${overall.verdict}`,
    html`<h1>Dossier</h1>
${file.key === undefined ? html`<p class="alert"><strong>Not signed.</strong> ${UNSIGNED}</p>` : ''}
${dossier.services?.sandbox === true ? html`<p class="alert"><strong>Made with the sandbox.</strong> Its data is made up, so this proves nothing about a real service.</p>` : ''}
${overall.kept ? '' : html`<p class="alert"><strong>Not kept.</strong> The gateway has these results in memory only, because <code>STATE_DB</code> is not set. After a restart, nobody can check them.</p>`}
${dossier.asOf === null ? '' : html`<p class="alert"><strong>Not current.</strong> The results of the other gateways could not be read. What they found since ${time(dossier.asOf)} is missing.</p>`}
${signingPage(dossier, { name: file.name, hash: hashOf(file) })}
<h2 class="annex">The evidence</h2>
<p class="lead">What was proven, for which versions and by how much, and what was never seen.</p>
${overall.missing.length === 0 ? '' : html`<h3>What is missing</h3>\n<ul>${overall.missing.map((text) => html`<li>${text}</li>`)}</ul>`}
${about(dossier, file)}
<h2>Operations</h2>
${htmlTable(
  [
    { head: 'Operation', cell: ({ operation }) => html`<a href="#${operation}">${operation}</a>` },
    { head: 'Verdict', cell: ({ report }) => (report === null ? '–' : badge(report.verdict, report.says)) },
    { head: 'In words', kind: 'text', cell: ({ verdict }) => verdict },
  ],
  operations,
  'The verdict on each operation',
)}
${operations.map(operationSection)}
<h2>Who still calls</h2>
${callersTable(callers.clients, callers.since)}
<h2>The cut-over</h2>
${historyOfCutover(dossier.cutover)}
<h2>How to check this</h2>
${howToCheck(file)}`,
    PAGE_ONE_STYLE,
  )
}

const hashOf = ({ text }: SignedFile): string => createHash('sha256').update(text).digest('hex')

function about({ madeAt, gateway, source, services, since, fleet, overall }: Dossier, { key }: SignedFile): Html {
  return facts({
    Made: html`${time(madeAt)} by gateway ${gateway}${source === 'gateway' ? '' : ', from its state file'}`,
    v1: services && html`<code>${services.v1}</code>`,
    'The legacy service': services && (services.legacy === null ? 'none' : html`<code>${services.legacy}</code>`),
    'The copy of v1, for writes': services?.copy === undefined ? null : html`<code>${services.copy}</code>`,
    'Results since': time(since),
    Results: fleetInWords(fleet, overall.kept),
    'Signed with the key': key === undefined ? null : html`<code>${key}</code> (ES256, RFC 7638 thumbprint)`,
  })
}

function callersTable(clients: readonly Caller[], since: string): Html {
  if (clients.length === 0) return html`<p class="empty">Nobody has called since ${time(since)}.</p>`
  const shown = clients.slice(0, MOST_CALLERS)
  const others = clients.length - shown.length
  return html`<p>Counted since ${time(since)}.${others === 0 ? '' : ` The JSON file has ${count(others)} more.`}</p>
${htmlTable(
  [
    { head: 'Client', cell: ({ client }) => html`<code>${client}</code>` },
    { head: 'By v1', kind: 'number', cell: ({ byV1 }) => count(byV1) },
    { head: 'By legacy', kind: 'number', cell: ({ byLegacy }) => count(byLegacy) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
    { head: 'Operations', kind: 'text', cell: ({ operations }) => operations.join(', ') },
  ],
  shown,
  'Clients, the latest first',
)}`
}

const howToCheck = ({ name, key }: SignedFile): Html =>
  key === undefined
    ? html`<p>This dossier is not signed. With a key in <code>DOSSIER_KEY</code>, <code>legacy-gateway dossier</code> signs <code>${name}</code>.</p>`
    : html`<p><code>legacy-gateway dossier verify ${name} --key PUBLIC.pem</code> checks that the file has not changed since it was signed. If its
SHA-256 is the one on page one, this page shows the same results.</p>`

/** The most decisions on the page; all of them are in `dossier.json`. */
const MOST_STEPS = 200

/** Renders who decided what about the cut-over, and why. @param steps newest first; null: they could not be read. */
export function historyOfCutover(steps: readonly CutoverStep[] | null): Html {
  if (steps === null) return html`<p class="empty">The audit could not be read when this was made.</p>`
  if (steps.length === 0) return html`<p class="empty">Nothing has been decided yet.</p>`
  return html`<p>From the audit.${steps.length <= MOST_STEPS ? '' : ` The JSON file lists all ${count(steps.length)}.`}</p>
${htmlTable(
  [
    { head: 'When', cell: ({ at }) => time(at) },
    { head: 'Operation', cell: ({ operation }) => (operation === '*' ? 'all' : operation) },
    { head: 'Event', cell: ({ event }) => event.replaceAll('-', ' ') },
    {
      head: 'Change',
      kind: 'lines',
      cell: ({ from, to }) => (from === to ? to : `${from || 'nothing'} → ${to || 'nothing'}`),
    },
    { head: 'By', cell: ({ by }) => (by === 'auto' ? 'the gateway' : by) },
    {
      head: 'Why',
      kind: 'text',
      cell: ({ why }) => html`${why.split('\n').map((line, at) => html`${at === 0 ? '' : html`<br>`}${line}`)}`,
    },
  ],
  steps.slice(0, MOST_STEPS),
  'Decisions about the cut-over, the latest first',
)}`
}
