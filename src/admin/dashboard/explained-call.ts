import { html } from 'hono/html'
import type { ExplainedCall } from '../../guide/explain/explain-call.ts'
import type { Html } from './layout.ts'
import { linesTables } from './lines-table.ts'

type Refusal = NonNullable<ExplainedCall['refusal']>
type Request = ExplainedCall['requests'][number]

/** Renders what a legacy call becomes, and what differs. */
export function explainedCall({ operation, says, requests, then, dropped, refusal, lines }: ExplainedCall): Html {
  // For a refused call, only what may be sent matters.
  const shown = refusal === undefined ? lines : lines.filter(({ part }) => part === 'request')
  return html`<h2>${operation === null ? 'No such operation' : html`<a href="/mappings/${encodeURIComponent(operation)}">${operation}</a>`}</h2>
${says === null ? '' : html`<p class="lead">${says}</p>`}
${refusal === undefined ? '' : refused(refusal)}
${requests.map((one, index) => request(one, requests.length === 1 ? 'The call to make to v1' : `Call ${index + 1} to v1`))}
${then === undefined ? '' : html`<p>${then}</p>`}
${dropped.length === 0 ? '' : notSent(dropped)}
${shown.length === 0 ? '' : html`<h2>What changes, field by field</h2>\n${linesTables(shown)}`}`
}

function refused({ status, body, why }: Refusal): Html {
  return html`<div class="alert" role="alert">
<p><strong>Refused with ${status}: v1 is not called.</strong></p>
<ul>${why.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p>The client gets:</p>
<pre>${JSON.stringify(body, null, 2)}</pre>
</div>`
}

function request({ method, url, headers, body, curl }: Request, title: string): Html {
  const fields = Object.entries(headers).map(([name, value]) => `\n${name}: ${value}`)
  return html`<section>
<h3>${title}</h3>
<pre>${method} ${url}${fields}${body === null ? '' : `\n\n${body}`}</pre>
<h4>As curl</h4>
<pre>${curl}</pre>
</section>`
}

const notSent = (dropped: readonly string[]): Html =>
  html`<p>Not sent to v1: ${dropped.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`)}.</p>`
