import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import { DAY_MS } from '../../../common/time.ts'
import type { KnownCallers } from './callers.ts'
import { joined } from './fragments.ts'
import type { OperationStage } from './operation-stages.ts'
import { idOf } from './plan-table.ts'

type Task = 'correct' | 'decide' | 'move' | 'agree' | 'ask'

/** What a task is called, in the order in which to do them. */
const CALLED: readonly (readonly [task: Task, called: string])[] = [
  ['correct', 'Correct what differs'],
  ['agree', 'Agree with the clients on what to do instead'],
  ['decide', 'Decide'],
  ['move', 'Move to v1'],
  ['ask', 'Ask whether anybody needs it'],
]

/**
 * Renders what someone can do now, the most urgent first. Operations that wait for the same are named together. What the boxes above it
 * say, of plans that are stopped or await approval, is not repeated.
 * @param now ms since the epoch.
 */
export function taskList(stages: readonly OperationStage[], callers: KnownCallers, now: number): Html {
  const byTask = Map.groupBy(stages, (stage) => taskOf(stage, callers))
  const tasks = CALLED.flatMap(([task, called]) => {
    const of = byTask.get(task) ?? []
    return of.length === 0 ? [] : [html`<li><strong>${called}</strong>${linesOf(task, of, callers, now)}</li>`]
  })
  const waiting = byTask.get('wait') ?? []
  return html`${tasks.length === 0 ? html`<p class="empty">Nothing needs you now.</p>` : html`<ol class="tasks">${tasks}</ol>`}
${waiting.length === 0 ? '' : html`<p class="note">Nothing to do yet: ${namesOf(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} for calls or time.</p>`}`
}

/** `wait`: only traffic or time is missing. */
function taskOf(stage: OperationStage, callers: KnownCallers): Task | 'wait' | 'told above' | 'done' {
  const { standing, need, plan } = stage
  if (standing === 'stopped' || plan?.state === 'awaiting approval') return 'told above'
  if (standing === 'done') return 'done'
  const isCalled = callers.byOperation.has(stage.operation)
  if (need === 'none') return isCalled ? 'agree' : 'ask'
  if (need === 'differs') return 'correct'
  if (!isCalled && plan === undefined && need !== 'proven') return 'ask'
  if (need === 'decision' || plan?.state === 'paused') return 'decide'
  if (need === 'proven' && plan === undefined) return 'move'
  return 'wait'
}

function linesOf(task: Task, stages: readonly OperationStage[], { when }: KnownCallers, now: number): Html {
  const lines = Map.groupBy(stages, ({ waitsFor }) => (task === 'ask' ? '' : waitsFor.join('; ')))
  return html`<ul>${[...lines].map(([says, same]) => {
    const mark = same.some((stage) => isNew(stage, now)) ? html` <strong class="new">new</strong>` : ''
    return html`<li>${namesOf(same, task === 'correct' ? evidenceOf : rowOf)}${mark}: ${task === 'ask' ? html`not called ${when}` : says}.</li>`
  })}</ul>`
}

/** Whether a difference that counts was first seen within a day. */
const isNew = ({ differsSince }: OperationStage, now: number): boolean =>
  differsSince !== undefined && Date.parse(differsSince) >= now - DAY_MS

const rowOf = (operation: string): string => `#${idOf(operation)}`
const evidenceOf = (operation: string): string => `/side-by-side/${encodeURIComponent(operation)}`

const namesOf = (stages: readonly OperationStage[], addressOf = rowOf): Html =>
  joined(
    stages.map(({ operation }) => html`<a href="${addressOf(operation)}">${operation}</a>`),
    ', ',
  )
