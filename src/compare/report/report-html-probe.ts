import { html } from 'hono/html'
import { count, counted } from '../../common/figures.ts'
import type { Html } from '../../common/tables.ts'
import type { ProbeReport } from './report-json.ts'

/** Says what a probe is; empty if the requests come from a recording. */
export const probeNote = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<p class="note">This is a probe: the gateway made up these requests from its mappings. They do not count as units, and make no operation
ready. It made ${counted(probe.control, 'call')} to the legacy service and ${count(probe.candidate)} to v1.${probe.isCut ? ' There was more to ask than the budget allows.' : ''}
Lines are the numbers of <a href="#asked">the requests</a>.</p>`

/** Lists what a probe asked, in order. */
export const askedSection = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<section id="asked">
<h2>What was asked</h2>
<p class="quiet">${'<name>'} stands for a value of the member ${'name'} from an earlier answer of the legacy service.</p>
<details><summary>${counted(probe.asked.length, 'request')}</summary>
<ol>${probe.asked.map((text) => html`<li>${text}</li>`)}</ol>
</details>
</section>`
