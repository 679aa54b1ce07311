import { html } from 'hono/html'
import { count } from './format.ts'
import type { Page } from './layout.ts'
import type { DashboardSources, Line, ReferenceOperation, Route } from './sources.ts'
import { table } from './table.ts'

/** Every operation, and where it is in v1. */
export function mappingsPage({ reference }: DashboardSources): Page {
  const lines = (head: string, basis: Line['basis']) => ({
    head,
    kind: 'number' as const,
    cell: ({ lines: all, v1 }: ReferenceOperation): string =>
      v1 === undefined ? '–' : count(all.filter((line) => line.basis === basis && isOwn(line)).length),
  })
  const content = html`<h1>Mappings</h1>
<p class="lead">What every call of the legacy interface is in v1, and what to change in a program that makes it.</p>
${table({
  id: 'mappings',
  caption: 'Operations of the legacy interface. Assumed and lost: how many lines of its request and answer are',
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

/** The lines about headers and errors are mostly those of all operations. */
const isOwn = ({ part }: Line): boolean => part === 'request' || part === 'answer'
