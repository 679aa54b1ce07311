import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { lineInWords } from '../../../mapping/corrections/line-in-words.ts'
import { certainOf, supportInWords, trialInWords } from '../../evidence/proposals/proposal-words.ts'
import type { OperationProposals } from '../../evidence/proposals/proposals.ts'
import type { Proposal } from '../../evidence/proposals/proposed-lines.ts'
import type { RequestReport } from '../../evidence/proposals/request-sums.ts'
import { codes, numberColumn, place, table } from './fragments.ts'

/** Renders the lines that would correct an operation's mapping, with their evidence, and the file to copy; empty: there are none. */
export function proposalsSection(found: OperationProposals | undefined): Html | '' {
  if (found === undefined) return ''
  const { proposals, unexplained, requests, limits } = found
  if (proposals.length + unexplained.length + requests.length === 0) return ''
  return html`<h2 id="proposals">Proposals</h2>
${proposals.length === 0 ? '' : proposalsTable(proposals)}
${takingOver(found)}
${
  unexplained.length === 0
    ? ''
    : html`<p>No line explains these differences in all places:</p>
<ul>${unexplained.map(({ kind, path, says }) => html`<li>${place(path)} <small>${kind}</small>: ${says}</li>`)}</ul>`
}
${requests.length === 0 ? '' : requestsTable(requests)}
${limits.length === 0 ? '' : html`<ul class="quiet">${limits.map((text) => html`<li>${text}</li>`)}</ul>`}`
}

const proposalsTable = (proposals: readonly Proposal[]): Html =>
  table({
    id: 'proposed',
    caption:
      'Lines of the mapping that would explain the differences, from compared answers. Nothing is taken over by itself',
    columns: [
      { head: 'Legacy path', cell: ({ legacy }) => place(legacy) },
      { head: 'Proposed line', kind: 'text', cell: ({ line }) => lineInWords(line, 'response') },
      {
        head: 'How sure',
        kind: 'text',
        cell: ({ certainty }) => html`<strong>${certainty}</strong>`,
      },
      { head: 'Evidence', kind: 'text', cell: supportInWords },
      { head: 'Settles', cell: ({ settles }) => codes(settles.map(({ kind, path }) => `${kind} ${path}`)) },
      {
        head: 'Or',
        kind: 'text',
        cell: ({ alternatives }) =>
          html`${alternatives.map(({ line, tells }) => html`<p>${lineInWords(line, 'response')}. <small>What would tell: ${tells}</small></p>`)}`,
      },
    ],
    rows: proposals,
  })

/** Renders how to take the certain lines over, and how they fared in trial. */
function takingOver(found: OperationProposals): Html | '' {
  const certain = certainOf(found)
  if (certain.length === 0) return ''
  return html`${found.trial === null ? '' : html`<p>${trialInWords(found.trial)}.</p>`}
<p>To take over the ${certain.length === 1 ? 'certain line' : `${counted(certain.length, 'certain line')}`}, put this into the file that <code>MAPPING_FILE</code> names. It takes effect within two seconds, and the evidence of this operation begins anew.</p>
<pre id="mapping-file">${JSON.stringify(found.file, null, 2)}</pre>`
}

const requestsTable = (requests: readonly RequestReport[]): Html =>
  table({
    id: 'requests',
    caption:
      'What requests have and v1 does not get. A line is not guessed: if v1 takes the value under another name, write a line with to',
    columns: [
      { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
      numberColumn<RequestReport>('Calls', ({ calls }) => calls),
      { head: 'Clients', kind: 'number', cell: ({ clients }) => count(clients) },
      { head: 'What is known', kind: 'text', cell: ({ says }) => says },
      { head: 'v1 refused', cell: ({ v1Path }) => place(v1Path) },
    ],
    rows: requests,
  })
