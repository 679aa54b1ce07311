import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { lineInWords } from '../../../mapping/corrections/line-in-words.ts'
import { certainOf, supportInWords, trialResults } from '../../evidence/proposals/proposal-words.ts'
import type { OperationProposals } from '../../evidence/proposals/proposals.ts'
import type { Proposal } from '../../evidence/proposals/proposed-lines.ts'
import type { RequestReport } from '../../evidence/proposals/request-sums.ts'
import { folded, numberColumn, place, table, time } from './fragments.ts'
import { word } from './words-page.ts'

/** Renders the lines that would correct an operation's mapping, with their evidence, and the file to copy; empty: there are none. */
export function proposalsSection(found: OperationProposals | undefined): Html | '' {
  if (found === undefined) return ''
  const { proposals, unexplained, requests, limits } = found
  if (proposals.length + unexplained.length + requests.length === 0) return ''
  return html`<h2 id="proposals">${word('proposal', 'Proposals')}</h2>
${proposals.length === 0 ? '' : proposalsList(proposals)}
${takingOver(found)}
${
  unexplained.length === 0
    ? ''
    : html`<p>No line explains these differences in all places:</p>
<ul id="unexplained" class="sentences">${unexplained.map(({ kind, path, says }) => html`<li>${place(path)} <small>${kind}</small>: ${says}</li>`)}</ul>`
}
${requests.length === 0 ? '' : requestsTable(requests)}
${limits.length === 0 ? '' : html`<ul class="quiet">${limits.map((text) => html`<li>${text}</li>`)}</ul>`}`
}

/** Renders each line in a sentence, with its evidence, and what else could be. */
const proposalsList = (proposals: readonly Proposal[]): Html =>
  html`<p>From compared answers, these lines of the mapping would explain the differences. None is taken over by itself. <em>Certain</em>: the only line left, with enough ${word('support')}.</p>
<ul id="proposed" class="sentences">${proposals.map(
    (proposal) =>
      html`<li><strong>${proposal.certainty}</strong>: ${place(proposal.legacy)}${'from' in proposal.line || 'join' in proposal.line ? ' ← ' : ': '}${lineInWords(proposal.line, 'response')}. <small>${sentence(supportInWords(proposal))}. Settles ${proposal.settles.map(({ kind, path }, index) => html`${index === 0 ? '' : ', '}${kind} ${place(path)}`)}.${proposal.alternatives.map(({ line, tells }) => html` <br>Or ${lineInWords(line, 'response')}; what would tell: ${tells}.`)}</small></li>`,
  )}</ul>`

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Renders how to take the certain lines over, and how they fared in trial. */
function takingOver(found: OperationProposals): Html | '' {
  const certain = certainOf(found)
  if (certain.length === 0) return ''
  return html`${found.trial === null ? '' : html`<p>In trial since ${time(found.trial.since)}: ${trialResults(found.trial)}.</p>`}
<p>To take over the ${certain.length === 1 ? 'certain line' : `${counted(certain.length, 'certain line')}`}, put this into the file that <code>MAPPING_FILE</code> names. It takes effect within two seconds, and the evidence of this operation starts over.</p>
${folded('The file', html`<pre id="mapping-file">${JSON.stringify(found.file, null, 2)}</pre>`)}`
}

const requestsTable = (requests: readonly RequestReport[]): Html =>
  table({
    id: 'requests',
    caption: html`What requests have and v1 does not get. No line is guessed: if v1 takes the value under another name, write one with <code>to</code>`,
    columns: [
      { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
      numberColumn<RequestReport>('Calls', ({ calls }) => calls),
      { head: 'Clients', kind: 'number', cell: ({ clients }) => count(clients) },
      { head: 'What is known', kind: 'text', cell: ({ says }) => says },
      { head: 'v1 refused', cell: ({ v1Path }) => place(v1Path) },
    ],
    rows: requests,
  })
