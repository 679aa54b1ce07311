import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import { MINUTE_MS } from '../../../common/time.ts'
import type { State } from '../../../observe/readiness.ts'
import { comparedOf } from '../../evidence/report/report-words.ts'
import { time } from './fragments.ts'
import type { DashboardSources, Experiment, RolloutView } from './sources.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Renders the warnings at the top of every page; not set outside the dashboard. */
    warnings?: () => Promise<Html | ''>
    /** Renders the addresses and releases of the services, for the end of every page; not set outside the dashboard. */
    services?: () => Promise<Html>
  }
}

type Health = ReturnType<DashboardSources['results']>

/** Starts every page with the current warnings, if any. */
export function withWarnings(
  sources: Pick<DashboardSources, 'state' | 'rollout' | 'mapping' | 'results' | 'experiments' | 'version'>,
): MiddlewareHandler {
  return (c, next) => {
    c.set('warnings', async () => {
      const state = await sources.state()
      const errors = { rollout: sources.rollout().error, mapping: sources.mapping().error }
      const warnings = warningsOf(state, errors, sources.results())
      return html`${warnings}${await nothingCompared(sources, state)}`
    })
    c.set('services', async () => {
      const [state, { operations }] = await Promise.all([sources.state(), sources.experiments({ maxAgeMs: MINUTE_MS })])
      return servicesOf(state, sources.version, operations)
    })
    return next()
  }
}

/** Names the services behind the gateway, with the releases of the answers compared last, so that nobody takes one for another. */
function servicesOf({ services: { v1, legacy } }: State, version: string, experiments: readonly Experiment[]): Html {
  const releaseOf = (side: 'v1' | 'legacy'): Html => {
    const latest = experiments
      .filter(({ lineage }) => lineage[side] !== null)
      .toSorted((a, b) => (b.until ?? '').localeCompare(a.until ?? ''))[0]
    return latest === undefined ? html`(no release seen)` : html`(release <code>${latest.lineage[side]}</code>)`
  }
  return html`<p>legacy-gateway <code>${version}</code>. Services behind this gateway: v1 <code>${v1}</code> ${releaseOf('v1')}, legacy ${legacy === undefined ? 'none' : html`<code>${legacy}</code> ${releaseOf('legacy')}`}.</p>`
}

/** Renders what is wrong with the services, memory, the files and stored results; empty if nothing is. */
function warningsOf(
  state: State,
  errors: Readonly<Record<'rollout' | 'mapping', string | null>>,
  results: Health,
): Html | '' {
  const all = [
    ...(state.sandbox === true ? [SANDBOX] : []),
    ...services(state),
    ...breakers(state),
    ...(state.memory === 'short' ? [SHORT_OF_MEMORY] : []),
    ...(state.controlPlane === undefined ? [] : [startedAgain(state.controlPlane)]),
    ...(errors.rollout === null ? [] : [refused('rollout', errors.rollout)]),
    ...(errors.mapping === null ? [] : [refused('mapping', errors.mapping)]),
    ...stored(results),
  ]
  return all.length === 0 ? '' : html`<div class="alert" role="alert">${all}</div>`
}

function services({ v1, legacy }: State): readonly Html[] {
  const v1Down = html`<p><strong>v1 is down.</strong> Its country list does not answer as it should. Cached lists${legacy === 'well' ? ', and operations that the legacy service answers,' : ''} still work.</p>`
  const legacyDown = html`<p><strong>The legacy service is down.</strong> Operations that it answers fail, and nothing can be compared.</p>`
  return [...(v1 === 'down' ? [v1Down] : []), ...(legacy === 'down' ? [legacyDown] : [])]
}

function breakers({ breakers: all }: State): readonly Html[] {
  const open = Map.groupBy(
    all.filter(({ open }) => open),
    ({ upstream }) => upstream,
  )
  return Array.from(
    open,
    ([upstream, lanes]) => html`<p><strong>Calls to ${upstream} are refused</strong> for now
(${lanes.map(({ lane }) => lane).join(', ')}): the breaker is open, because too many calls in a row failed.</p>`,
  )
}

const SANDBOX = html`<p><strong>The sandbox answers, with made-up data.</strong> <code>V1_BASE_URL</code> is not set, so the gateway has started a stand-in for both services.
Nothing that this page shows is about a real service.</p>`

const SHORT_OF_MEMORY = html`<p><strong>Memory is short.</strong> Bodies and answers wait, because the budget (<code>MEMORY_MB</code>) is used up.
Calls that wait too long are refused. Meanwhile nothing is compared or recorded.</p>`

const startedAgain = ({ restarts, at, why }: NonNullable<State['controlPlane']>): Html =>
  html`<p><strong>The control plane was started again</strong>${restarts === 1 ? '' : ` ${restarts} times`}, last at ${time(at)}: ${why}.
No call was lost. What it had counted or compared and not yet stored is.</p>`

const refused = (
  file: string,
  why: string,
): Html => html`<p><strong>The newest version of the ${file} file was refused;</strong> the previous one stays in effect.</p>
<details><summary>Why</summary><ul>${why.split('\n').map((mistake) => html`<li>${mistake}</li>`)}</ul></details>`

function stored({ failure }: Health): readonly Html[] {
  if (failure === null) return []
  return [
    html`<p><strong>Comparison results have not been stored</strong> since ${time(Date.parse(failure.since))}: ${failure.reason}.
They are kept in memory and stored as soon as possible. They are lost if the gateway stops before that.</p>`,
  ]
}

/**
 * Says that no call is compared, and which line begins to compare without changing who answers; empty if calls are compared, or there
 * is no legacy service to compare with.
 */
async function nothingCompared(
  { rollout, experiments }: Pick<DashboardSources, 'rollout' | 'experiments'>,
  { legacy }: Pick<State, 'legacy'>,
): Promise<Html | ''> {
  const view = rollout()
  if (legacy === undefined || view.operations.some(isCompared)) return ''
  const { operations } = await experiments()
  const isNew = operations.every((experiment) => comparedOf(experiment) === 0)
  const says = isNew ? ['Nothing is compared yet', 'nothing'] : ['Nothing is compared any more', 'nothing more']
  return html`<div class="uncompared" role="note"><p><strong>${says[0]}</strong>, so ${says[1]} is proven. To compare every call,
${toCompare(view)} That does not change who answers.</p></div>`
}

const isCompared = ({ shadow, neverCompared }: RolloutView['operations'][number]): boolean =>
  shadow > 0 && neverCompared === undefined

const toCompare = ({ loadedAt }: RolloutView): Html =>
  loadedAt === null
    ? html`write <code>{ "operations": { "*": { "shadow": 1 } } }</code> to a file, name the file in <code>ROLLOUT_FILE</code>, and restart the gateway.`
    : html`add <code>"shadow": 1</code> to <code>"*"</code> in the rollout file, and to operations that set their own <code>shadow</code>.`
