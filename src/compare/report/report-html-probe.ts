import { html } from 'hono/html'
import type { ProbeReport } from './report-json.ts'
import { plural } from './report-words.ts'
import type { Html } from './standing-alone.ts'

/** Says what a probe is; nothing where the requests are a recording's. */
export const probeNote = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<p class="note">A probe: the gateway made up these requests from its mappings. They are no units, and make no operation
ready. ${plural(probe.control, 'call')} of the legacy service, ${probe.candidate} of v1.${probe.isCut ? ' There was more to ask than the budget allows.' : ''}
Lines are the numbers of <a href="#asked">the requests</a>.</p>`

/** Lists what a probe asked, in its order. */
export const askedSection = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<section id="asked">
<h2>What was asked</h2>
<p class="quiet">${'<name>'} is a value of the member ${'name'} that the legacy service had answered.</p>
<details><summary>${plural(probe.asked.length, 'request')}</summary>
<ol>${probe.asked.map((text) => html`<li>${text}</li>`)}</ol>
</details>
</section>`
