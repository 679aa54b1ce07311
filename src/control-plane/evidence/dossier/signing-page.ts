import { html } from 'hono/html'
import { chosenPercent, percentAtMost, provenInWords } from '../../../common/figures.ts'
import { type Html, htmlTable } from '../../../common/tables.ts'
import { badge } from '../report/standing-alone.ts'
import type { Dossier } from './dossier.ts'
import { type Standing, standingOf } from './signing-risks.ts'

/** The file that the signature on paper is for. */
interface IdentifiedFile {
  readonly name: string
  /** Its SHA-256, in hexadecimal. */
  readonly hash: string
}

/** Renders what whoever signs has to read: what is asked, what is proven, who is hit, what to accept, and where to sign. */
export function signingPage(dossier: Dossier, file: IdentifiedFile): Html {
  const { overall, services } = dossier
  const legacy = services?.legacy ?? null
  return html`<h2>What is asked of you</h2>
<p>Whether the legacy service${legacy === null ? '' : html` at <code>${legacy}</code>`} may be switched off. Once it is off, only v1 answers, and nothing can be compared any more.</p>
<p>${badge(overall.verdict)} ${ADVICE[overall.verdict]}</p>
<h2>What is proven, and how surely</h2>
<p>${provenInWords(overall)} ${surely(dossier)}</p>
${htmlTable(
  [
    { head: 'Operations', kind: 'number', cell: ({ ids }) => String(ids.length) },
    { head: 'Standing', cell: ({ standing }) => standing },
    { head: 'Which', kind: 'text', cell: ({ ids }) => ids.join(', ') },
  ],
  standingsOf(dossier),
)}
<h2>Who is hit, and what you accept</h2>
<div class="risks">${htmlTable(
    [
      { head: 'Risk', kind: 'text', cell: ({ says }) => says },
      { head: 'Clients that it hits', kind: 'text', cell: ({ hits }) => hits },
      { head: 'Accepted by', cell: () => html`<span class="blank"></span>` },
    ],
    dossier.risks,
  )}</div>
<section class="signature"><h2>Signature</h2>
<p>I accept each risk that I have marked above. This is about <code>${file.name}</code> with the SHA-256 <code>${file.hash}</code></p>
<dl>${['Name', 'Date', 'Signature'].map((field) => html`<div><dt>${field}</dt><dd></dd></div>`)}</dl></section>`
}

const ADVICE: Readonly<Record<Dossier['overall']['verdict'], string>> = {
  ready: 'Every operation that can be compared is proven. What no comparison can prove is listed below.',
  'not ready': 'The evidence speaks against it: v1 answers some calls differently.',
  'insufficient data': 'The evidence does not suffice yet.',
}

/** Says how surely the proven operations are proven: by the weakest of them. Empty: none is. */
function surely({ operations }: Dossier): string {
  const reports = operations.flatMap((operation) =>
    standingOf(operation) === 'proven' && operation.report !== null ? [operation.report] : [],
  )
  if (reports.length === 0) return ''
  const confidence = chosenPercent(Math.min(...reports.map((report) => report.confidence)))
  const most = percentAtMost(Math.max(...reports.map(({ lowerBound }) => 1 - lowerBound)))
  return `Of calls like those compared, at most ${most} would be answered differently, with ${confidence} confidence for each proven operation.`
}

/** The standings in the order of a reader's interest: what is proven, then what is worst. */
const ORDER: readonly Standing[] = [
  'proven',
  'differs',
  'no equivalent',
  'unproven write',
  'never compared',
  'too little compared',
]

function standingsOf({ operations }: Dossier) {
  const byStanding = Map.groupBy(operations, standingOf)
  return ORDER.flatMap((standing) => {
    const ids = byStanding.get(standing)?.map(({ operation }) => operation)
    return ids === undefined ? [] : [{ standing, ids }]
  })
}
