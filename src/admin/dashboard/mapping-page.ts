import { html } from 'hono/html'
import type { Translated } from '../../guide/examples/translated.ts'
import type { Html, Page } from './layout.ts'
import { linesTables } from './lines-table.ts'
import { route } from './mappings-page.ts'
import type { DashboardSources } from './sources.ts'

/** Renders the mapping of one operation. Undefined if there is no such operation. */
export function mappingPage({ reference }: DashboardSources, id: string): Page | undefined {
  const operation = reference.find((one) => one.id === id)
  if (operation === undefined) return undefined
  const { says, legacy, v1, effect, authorization, lines, examples } = operation
  const content = html`<p class="back"><a href="/mappings"><span aria-hidden="true">← </span>Mappings</a></p>
<h1>${id}</h1>
<p class="lead">${says}</p>
<dl class="facts">
<div><dt>Legacy</dt><dd>${route(legacy)}</dd></div>
<div><dt>v1</dt><dd>${v1 === undefined ? 'no equivalent: passed on to the legacy service while it runs' : route(v1)}</dd></div>
<div><dt>Effect</dt><dd>${effect}</dd></div>
<div><dt>Token</dt><dd>${authorization === 'token' ? 'needed' : 'not needed'}</dd></div>
</dl>
<p><a href="/explain?operation=${encodeURIComponent(id)}">Explain a call</a> · <a href="/side-by-side/${encodeURIComponent(id)}">Side by side</a></p>
${lines.length === 0 ? '' : html`<h2>Changes, field by field</h2>\n${linesTables(lines)}`}
${
  examples.request === undefined && examples.answer === undefined
    ? ''
    : html`<h2>Examples</h2>
<p class="note">Generated from the lines above, with every member they list, and translated by the gateway itself. The values are made up.</p>`
}
${example('Request', examples.request)}
${example('Answer', examples.answer)}`
  return { title: `${id}, mapping`, section: '/mappings', content }
}

function example(title: string, translated: Translated | undefined): Html | '' {
  if (translated === undefined) return ''
  const side = (name: string, { line, body }: Translated['legacy']): Html => html`<section>
<h4>${name}</h4>
<pre>${[line, body ?? ''].filter((text) => text !== '').join('\n\n') || 'no body'}</pre>
</section>`
  return html`<details><summary><h3>${title}</h3></summary>
<div class="beside">
${side('Legacy', translated.legacy)}
${side('v1', translated.v1)}
</div>
</details>`
}
