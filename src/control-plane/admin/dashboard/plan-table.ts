import { html } from 'hono/html'
import { chosenPercent, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { OTHERS, UNIDENTIFIED } from '../../../observe/traffic.ts'
import type { KnownCallers } from './callers.ts'
import { clientsOf } from './clients-filter.ts'
import { folded, table, time } from './fragments.ts'
import { isNamed } from './known-clients.ts'
import type { OperationStage } from './operation-stages.ts'
import { ORDER_NAMES, orderPath, sensibleOrders, sentence } from './order-page.ts'

/** Returns the id of an operation's row. */
export const idOf = (operation: string): string => `operation-${encodeURIComponent(operation)}`

const sideBySide = (operation: string): string => `/side-by-side/${encodeURIComponent(operation)}`

/**
 * Renders how far each operation is, who still calls it, what it waits for, and which orders are possible. Operations that no plan moves
 * are folded: what someone must do for them is in the list of tasks.
 */
export function planTables(stages: readonly OperationStage[], callers: KnownCallers): Html {
  const isMoved = ({ plan, standing }: OperationStage): boolean => plan !== undefined && standing !== 'done'
  const [moved, others] = [stages.filter(isMoved), stages.filter((stage) => !isMoved(stage))]
  const summary = counted(others.length, 'operation that no plan moves', 'operations that no plan moves')
  return html`${moved.length === 0 ? '' : planTable('stages', moved, callers)}
${others.length === 0 ? '' : folded(summary, planTable('stages-at-rest', others, callers), moved.length === 0)}`
}

const planTable = (id: string, stages: readonly OperationStage[], callers: KnownCallers): Html =>
  table({
    id,
    caption: html`On the way to v1, what is most urgent first; clients ${callers.when}`,
    columns: [
      {
        head: 'Operation',
        cell: ({ operation }) => html`<a id="${idOf(operation)}" href="${sideBySide(operation)}">${operation}</a>`,
      },
      { head: 'Stage', kind: 'text', cell: stageBar },
      { head: 'Waits for', kind: 'text', cell: waits },
      { head: 'Clients', cell: ({ operation }) => clients(operation, callers) },
      { head: 'Orders', cell: orders },
    ],
    rows: stages,
  })

/** Renders how many clients known by name call an operation, and who else does. */
function clients(operation: string, { byOperation, numbers }: KnownCallers): Html {
  const callers = (byOperation.get(operation) ?? []).map(({ client }) => client)
  const calling = callers.filter(isNamed).length
  const all = [
    ...(calling === 0 ? [] : [counted(calling, 'client')]),
    ...[UNIDENTIFIED, OTHERS].filter((name) => callers.includes(name)),
  ]
  if (all.length === 0) return html`<span class="quiet">none</span>`
  const href = numbers === undefined ? `/traffic?operation=${encodeURIComponent(operation)}` : clientsOf(operation)
  return html`<a href="${href}">${all[0]}${all.slice(1).map((name) => html` <br>and ${name}`)}</a>`
}

function waits(stage: OperationStage): Html {
  const { operation, waitsFor, plan, standing, ground, leftOpen, writes } = stage
  const why =
    waitsFor.length === 0
      ? html`Nothing: v1 answers all clients. ${groundOf(ground)}`
      : html`${sentence(waitsFor.join('; '))}`
  return html`${why}${plan === undefined ? '' : html` <small>Since ${time(plan.since)}.</small>`}${writes === '' ? '' : html` <small>${sentence(writes)}</small>`}${leftOpen === '' ? '' : html` <small>Not shown by the proof: ${leftOpen}.</small>`} <small>${explainedAt(operation, standing, plan !== undefined)}</small>`
}

/** Says why nothing more is needed. */
function groundOf(ground: OperationStage['ground']): Html | string {
  if (ground?.kind !== 'word') return 'It is proven.'
  const { by, at, why = '' } = ground
  const when = at === undefined ? '' : html` at ${time(at)}`
  const whose = by === undefined ? html`its plan said why no verdict is needed` : html`${by} ordered the last step`
  return html`It is not proven, but ${whose}${when}: ${sentence(why)}`
}

/** Renders a link to the page that explains why it stands where it does, beside the evidence, where its name leads. */
function explainedAt(operation: string, standing: OperationStage['standing'], hasPlan: boolean): Html {
  if (standing === 'none') {
    return html`<a href="${clientsOf(operation)}">Who calls it</a>`
  }
  return html`<a href="${hasPlan ? `/audit?operation=${encodeURIComponent(operation)}` : '/rollout'}">${hasPlan ? 'Decisions' : 'Rollout'}</a>`
}

function orders({ operation, plan }: OperationStage): Html | string {
  if (plan === undefined) return ''
  return html`<ul class="orders">${sensibleOrders(plan).map(
    (action) =>
      html`<li><a class="button${action === 'stop' ? ' danger' : ''}" href="${orderPath(operation, action)}" aria-label="${ORDER_NAMES[action]} ${operation}">${ORDER_NAMES[action]}</a></li>`,
  )}</ul>`
}

/** `now`: under way. */
type Mark = 'passed' | 'now' | 'bad' | 'open'

const SIGNS: Readonly<Record<Mark, string>> = { passed: '✓', now: '◐', bad: '✗', open: '○' }

/** Renders how far an operation is: compared or checked, proven, cut over, done. Each stage says in words whether it is reached. */
function stageBar(stage: OperationStage): Html {
  const { isCompared, writes, proof, percent: share, standing, plan, ground } = stage
  const isStopped = standing === 'stopped'
  const notCompared = writes === '' ? step('open', 'not compared') : step('now', 'checked')
  const compared = isCompared ? step('passed', 'compared') : notCompared
  const proven = {
    proven: step('passed', 'proven'),
    refuted: step('bad', 'differs'),
    open: step('open', 'not proven'),
  }[proof]
  const onV1 = `${chosenPercent(share / 100)} on v1`
  const cutOver = isStopped ? step('bad', 'stopped') : step(share === 100 ? 'passed' : share > 0 ? 'now' : 'open', onV1)
  const isDone = standing === 'done'
  const onWord = ground?.kind === 'word' ? ' on a person’s word' : ''
  const done = step(isDone ? 'passed' : 'open', isDone ? `done${onWord}` : 'not done')
  return html`<ol class="stages">${[compared, proven, cutOver, done]}</ol>${plan === undefined ? '' : html`<small>${stateOf(plan)}</small>`}`
}

const step = (mark: Mark, says: string): Html =>
  html`<li class="${mark}"><span aria-hidden="true">${SIGNS[mark]} </span>${says}</li>`

const stateOf = ({ state, step: taken, steps }: NonNullable<OperationStage['plan']>): string =>
  `${state}, step ${taken} of ${steps.length}`
