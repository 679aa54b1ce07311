import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Route } from '../../mapping/operation.ts'
import type { Page } from './layout.ts'
import type { DashboardSources, ReferenceOperation } from './sources.ts'
import { table } from './table.ts'

/** Renders the list of operations with their v1 equivalents. */
export function mappingsPage({ reference }: DashboardSources): Page {
  const lines = (head: string, basis: 'assumed' | 'lost') => ({
    head,
    kind: 'number' as const,
    cell: (operation: ReferenceOperation): string => (operation.v1 === undefined ? '–' : count(operation[basis])),
  })
  const content = html`<h1>Mappings</h1>
<p class="lead">The v1 equivalent of every legacy operation, and what to change in a program that calls it.</p>
<p>Downloads: the v1 calls as a <a href="/postman.json">Postman collection</a>, and the
OpenAPI descriptions of <a href="/openapi-v1.json">v1</a> and of the <a href="/openapi.json">legacy interface</a>.</p>
${table({
  id: 'mappings',
  caption:
    'Legacy operations. Assumed, lost: how many of its own lines are assumed or lost. Lines that hold for all operations are not counted',
  columns: [
    { head: 'Operation', cell: ({ id }) => html`<a href="/mappings/${encodeURIComponent(id)}">${id}</a>` },
    { head: 'Legacy', cell: ({ legacy }) => route(legacy) },
    { head: 'v1', cell: ({ v1 }) => (v1 === undefined ? html`<span class="quiet">no equivalent</span>` : route(v1)) },
    { head: 'Effect', cell: ({ effect }) => effect },
    lines('Assumed', 'assumed'),
    lines('Lost', 'lost'),
  ],
  rows: reference,
})}`
  return { title: 'Mappings', section: '/mappings', content }
}

export const route = ({ method, path }: Route) => html`<code>${method} ${path}</code>`
