import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import type { State } from '../../observe/readiness.ts'
import type { ResultsHealth } from './experiment-sources.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'
import type { DashboardSources } from './sources.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** What every page says first; not set outside the dashboard. */
    warnings?: () => Promise<Html | ''>
  }
}

/** Has every page that is answered from here on begin with what is wrong now, where anything is. */
export function withWarnings(sources: Pick<DashboardSources, 'state' | 'rollout' | 'results'>): MiddlewareHandler {
  return (c, next) => {
    c.set('warnings', async () => warningsOf(await sources.state(), sources.rollout().error, sources.results()))
    return next()
  }
}

/** What is wrong with the services, memory, the rollout file and the state; empty: nothing. */
function warningsOf(state: State, rolloutError: string | null, results: ResultsHealth): Html | '' {
  const all = [
    ...services(state),
    ...breakers(state),
    ...(state.memory === 'short' ? [SHORT_OF_MEMORY] : []),
    ...(rolloutError === null ? [] : [refused(rolloutError)]),
    ...unkept(results),
  ]
  return all.length === 0 ? '' : html`<div class="alert" role="alert">${all}</div>`
}

function services({ v1, legacy }: State): readonly Html[] {
  const v1Down = html`<p><strong>v1 is down.</strong> It does not answer its country list as v1 does. Kept lists${legacy === 'well' ? ', and operations that the legacy service answers,' : ''} still work.</p>`
  const legacyDown = html`<p><strong>The legacy service is down.</strong> What it alone answers fails, and nothing can be compared.</p>`
  return [...(v1 === 'down' ? [v1Down] : []), ...(legacy === 'down' ? [legacyDown] : [])]
}

function breakers({ breakers: all }: State): readonly Html[] {
  const open = Map.groupBy(
    all.filter(({ open }) => open),
    ({ upstream }) => upstream,
  )
  return Array.from(
    open,
    ([upstream, lanes]) => html`<p><strong>Calls of ${upstream} are turned away</strong> for now
(${lanes.map(({ lane }) => lane).join(', ')}): too many in a row had no answer.</p>`,
  )
}

const SHORT_OF_MEMORY = html`<p><strong>Memory is short.</strong> Bodies and answers wait for room in <code>MEMORY_MB</code>.
Those that wait for too long are refused; nothing is compared or recorded meanwhile.</p>`

const refused = (
  why: string,
): Html => html`<p><strong>The newest rollout file was refused;</strong> the previous version stays in effect.</p>
<details><summary>Why</summary><ul>${why.split('\n').map((mistake) => html`<li>${mistake}</li>`)}</ul></details>`

function unkept({ failure, clock }: ResultsHealth): readonly Html[] {
  const notStored =
    failure &&
    html`<p><strong>Results of comparing cannot be stored</strong> since ${time(Date.parse(failure.since))}: ${failure.reason}.
They are kept in memory and stored as soon as that works; they are lost if the gateway stops before.</p>`
  const leapt =
    clock !== null &&
    html`<p><strong>The clock is ${clock} the stored results.</strong> Set it right if it is wrong; if it is right there is nothing to do.
Results older than 90 days are kept until the gateway has run with it for a day.</p>`
  return [...(notStored ? [notStored] : []), ...(leapt ? [leapt] : [])]
}
