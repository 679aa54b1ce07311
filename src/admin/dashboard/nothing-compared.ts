import { html } from 'hono/html'
import type { State } from '../../observe/readiness.ts'
import type { Html } from './layout.ts'
import type { DashboardSources, RolloutView } from './sources.ts'

/**
 * Says that no call is compared, and which line begins to compare without changing who answers; empty if calls are compared, or there
 * is no legacy service to compare with.
 */
export async function nothingCompared(
  { rollout, experiments }: Pick<DashboardSources, 'rollout' | 'experiments'>,
  { legacy }: Pick<State, 'legacy'>,
): Promise<Html | ''> {
  const view = rollout()
  if (legacy === undefined || view.operations.some(isCompared)) return ''
  const { operations } = await experiments()
  const isNew = operations.every(({ totals }) => totals.matched + totals.ignored + totals.mismatched === 0)
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
