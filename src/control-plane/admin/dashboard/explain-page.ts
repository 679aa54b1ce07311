import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import type { ExplainedCall } from '../../../guide/explain/explain-call.ts'
import { codes, select } from './fragments.ts'
import type { Page } from './layout.ts'
import { linesTables } from './mapping-pages.ts'
import type { DashboardSources } from './sources.ts'

/** The contents of the form. */
interface ExplainForm {
  readonly method: string
  readonly path: string
  /** `en` or `tr`; empty: not sent. */
  readonly language: string
  readonly body: string
}

const LANGUAGES = [
  ['', 'none (Turkish)'],
  ['tr', 'tr'],
  ['en', 'en'],
] as const

const EMPTY: ExplainForm = { method: 'POST', path: '', language: '', body: '' }

/** Renders the form alone, filled in with the call that the query describes, or with a call of the operation that it names. */
export function explainPage({ reference, basePath }: DashboardSources, query: URLSearchParams): Page {
  if (query.has('path')) return page(readExplainForm(query))
  const choose = examplesToChoose(reference)
  const operation = query.get('operation')
  const mapped = reference.find(({ id }) => id === operation)
  if (mapped === undefined) return page(EMPTY, '', choose)
  const example = mapped.examples.request?.legacy
  const asked = example?.line.split('?')[1]
  const path = `${basePath}${mapped.legacy.path}${asked === undefined ? '' : `?${asked}`}`
  return page({ method: mapped.legacy.method, path, language: '', body: example?.body ?? '' }, '', choose)
}

/** Links to an example call of each operation, which fills in the form. */
const examplesToChoose = (reference: DashboardSources['reference']): Html =>
  html`<h2>Example calls</h2>
<p class="lead">Choose an operation: its example call is filled in above.</p>
<ul class="names">${reference.map(({ id }) => html`<li><a href="/explain?operation=${encodeURIComponent(id)}">${id}</a></li>\n`)}</ul>
`

/** Reads a form that was sent; missing fields are empty. */
function readExplainForm(form: URLSearchParams): ExplainForm {
  const field = (name: string): string => form.get(name) ?? ''
  return {
    method: field('method').trim().toUpperCase(),
    path: field('path').trim(),
    language: field('language'),
    body: field('body'),
  }
}

/** Renders a form as it was sent, and what becomes of the call, or what is wrong with the form. */
export function explainedPage({ explain }: Pick<DashboardSources, 'explain'>, sent: URLSearchParams): Page {
  const form = readExplainForm(sent)
  const problem = problemOf(form)
  if (problem !== undefined) return { ...page(form, html`<p class="alert" role="alert">${problem}</p>`), status: 400 }
  const headers = form.language === '' ? {} : { 'accept-language': form.language }
  const call = { method: form.method, path: form.path, headers, body: Buffer.from(form.body.trim()) }
  return page(form, explainedCall(explain(call)))
}

function problemOf({ method, path }: ExplainForm): string | undefined {
  if (!/^[A-Z]+$/.test(method)) return 'Method: enter one, for example POST.'
  if (!/^(https?:\/\/[^\s/?#]+)?\/[^\s\p{Cc}]*$/iu.test(path)) {
    return 'Path: enter a path that starts with a slash, or a full URL, without spaces.'
  }
  return undefined
}

function page(form: ExplainForm, result: Html | '' = '', choose: Html | '' = ''): Page {
  const methods = [...new Set(['GET', 'POST', form.method])]
  const content = html`<h1>Explain</h1>
<p class="lead">Enter any legacy call to see the v1 call to make instead. Nothing is sent to either service, and nothing is kept.</p>
<form class="explain" method="post" action="/explain#result">
<div class="row">
${select(
  'method',
  'Method',
  methods.map((method) => [method, method]),
  form.method,
)}
<p class="grow"><label for="path">Path, with its query</label>
<input id="path" name="path" value="${form.path}" required spellcheck="false" autocomplete="off" autocapitalize="off"></p>
${select('language', 'Accept-Language', LANGUAGES, form.language)}
</div>
<p><label for="body">Body, as JSON</label>
<textarea id="body" name="body" rows="8" spellcheck="false" autocomplete="off" autocapitalize="off">
${form.body}</textarea></p>
<p class="buttons"><button type="submit">Explain</button></p>
</form>
${choose}${result === '' ? '' : html`<div id="result" tabindex="-1">${result}</div>`}`
  return { title: 'Explain', section: '/explain', content }
}

type Refusal = NonNullable<ExplainedCall['refusal']>
type Request = ExplainedCall['requests'][number]

/** Renders what a legacy call becomes, and what differs. */
function explainedCall({ operation, says, requests, then, dropped, refusal, lines }: ExplainedCall): Html {
  // For a refused call, only what may be sent matters.
  const shown = refusal === undefined ? lines : lines.filter(({ part }) => part === 'request')
  return html`<h2>${operation === null ? 'No such operation' : html`<a href="/mappings/${encodeURIComponent(operation)}">${operation}</a>`}</h2>
${says === null ? '' : html`<p class="lead">${says}</p>`}
${refusal === undefined ? '' : refused(refusal)}
${requests.map((call, index) => request(call, requests.length === 1 ? 'The call to make to v1' : `Call ${index + 1} to v1`))}
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

const notSent = (dropped: readonly string[]): Html => html`<p>Not sent to v1: ${codes(dropped)}.</p>`
