import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { CutoverReport } from '../../cutover/cutover.ts'
import { ACTIONS, type Action } from '../../cutover/decide/order.ts'
import type { PlanState } from '../../cutover/position.ts'
import { CALLER_DAYS } from './callers.ts'
import { callsOfThisReplica } from './fleet-page.ts'
import { back, codes, time } from './fragments.ts'
import { isNamed, usageOrTraffic } from './known-clients.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'
import { word } from './words-page.ts'

/** The contents of the form, as they were sent. */
export interface OrderForm {
  readonly by: string
  readonly why: string
  /** The version that the operator saw; undefined on a new page. */
  readonly version: number | undefined
}

export const NEW_FORM: OrderForm = { by: '', why: '', version: undefined }

/** Returns the path of the page that asks to confirm an order. */
export const orderPath = (operation: string, action: Action): string =>
  `/cutover/${encodeURIComponent(operation)}/${action}`

/**
 * Asks who gives an order and why, and says what the order will do and how many clients it moves; or why it would be refused now.
 * @param problem why the order in the form was not carried out.
 */
export async function orderPage(
  sources: DashboardSources,
  plan: CutoverReport,
  action: Action,
  form: OrderForm,
  problem?: string,
): Promise<Page> {
  const { operation } = plan
  const name = ORDER_NAMES[action]
  const refusal = sources.cutover.refusalOf({ operation, action })
  const content = html`${back('/', 'Switch-off')}
<h1>${name} ${operation}?</h1>
${problem === undefined ? '' : html`<div class="alert" role="alert"><p><strong>Not done.</strong> ${problem}</p></div>`}
<p class="lead">Now: ${plan.state} at ${plan.percent} %, step ${plan.step} of ${plan.steps.length}, since ${time(plan.since)}. ${sentence(plan.why)}</p>
${refusal === undefined ? await question(sources, plan, action, form) : refusal === problem ? '' : html`<p class="empty">This order would be refused now: ${refusal}.</p>`}`
  return { title: `${name} ${operation}`, section: '/', content }
}

async function question(
  sources: DashboardSources,
  plan: CutoverReport,
  action: Action,
  form: OrderForm,
): Promise<Html> {
  return html`<h2>What will happen</h2>
${effectOf(action, plan).map((says) => html`<p>${says}</p>\n`)}
${await concerned(sources, plan, percentAfter(action, plan))}
<form class="order" method="post" action="${orderPath(plan.operation, action)}">
<input type="hidden" name="version" value="${form.version ?? plan.version}">
<p><label for="by">By (who decides this)</label>
<input id="by" name="by" value="${form.by}" required maxlength="200" autocomplete="email" spellcheck="false"></p>
<p><label for="why">Why</label>
<textarea id="why" name="why" rows="3" required maxlength="1000">
${form.why}</textarea></p>
<p class="note">Both are kept for 400 days on the page <a href="/audit">Audit</a>.</p>
<p class="buttons"><button type="submit" class="${action === 'stop' ? 'danger' : ''}">${ORDER_NAMES[action]} ${plan.operation}</button> <a href="/">Cancel</a></p>
</form>`
}

/** The most clients that are named; the others are counted. */
const MOST_NAMED = 20

/** Says how many clients an order moves, and which. */
async function concerned(sources: DashboardSources, plan: CutoverReport, to: number): Promise<Html> {
  const { cutover, rollout, replicas } = sources
  const { operation, percent } = plan
  const { rows, countedSince } = await usageOrTraffic(sources, CALLER_DAYS, { operation })
  const when = countedSince === undefined ? html`in the last ${CALLER_DAYS} days` : html`since ${time(countedSince)}`
  const { clients: pinned = {}, plan: planned } = rollout().operations.find((row) => row.operation === operation) ?? {}
  const callers = rows.filter((row) => row.operation === operation && isNamed(row.client)).map(({ client }) => client)
  const isMoved = (client: string): boolean => {
    const place = cutover.placeOf(client, planned?.seed)
    return !Object.hasOwn(pinned, client) && place < percent !== place < to
  }
  const moving = callers.filter(isMoved).sort()
  const side = to > percent ? 'v1' : 'the legacy service'
  if (callers.length === 0) return html`<p>No client is known to have called it ${when}.</p>`
  if (to === percent) return html`<p><strong>No client moves.</strong></p>`
  return html`<p><strong>${count(moving.length)} of ${counted(callers.length, 'client')} will be answered by ${side} instead</strong>${moving.length === 0 ? '' : html`: ${names(moving)}`}.</p>
<p class="note">Known by name to have called it ${when}: ${counted(callers.length, 'client')}. Unidentified clients are not counted.</p>
${countedSince === undefined ? '' : callsOfThisReplica(replicas())}`
}

const names = (clients: readonly string[]): Html =>
  html`${codes(clients.slice(0, MOST_NAMED))}${clients.length > MOST_NAMED ? `, and ${count(clients.length - MOST_NAMED)} more` : ''}`

/** Turns words into a sentence: `waits for 3 calls` becomes `Waits for 3 calls.` The name v1 stays in lower case. */
export function sentence(words: string): string {
  const begun = words.startsWith('v1') ? words : words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(begun) || begun === '' ? begun : `${begun}.`
}

/** The orders that make sense in each state. */
const SENSIBLE: Readonly<Record<PlanState, readonly Action[]>> = {
  waiting: ['advance', 'pause', 'stop'],
  running: ['advance', 'pause', 'stop'],
  'awaiting approval': ['approve', 'pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: ['resume'],
  done: ['stop'],
}

/** The names of the orders on buttons and in headings. */
export const ORDER_NAMES: Readonly<Record<Action, string>> = {
  advance: 'Advance',
  approve: 'Approve',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
}

export const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name)

/** Returns the orders that make sense in a plan's state. */
export const sensibleOrders = ({ state }: Pick<CutoverReport, 'state'>): readonly Action[] => SENSIBLE[state]

/** Returns the percentage of clients that v1 will answer once the order has taken effect. */
function percentAfter(action: Action, { state, percent, next }: CutoverReport): number {
  if (action === 'stop' || (action === 'resume' && state === 'stopped')) return 0
  return action === 'pause' || action === 'resume' ? percent : (next ?? percent)
}

/** Says what an order will do, in sentences. */
function effectOf(action: Action, plan: CutoverReport): readonly (Html | string)[] {
  const { state, percent, operation } = plan
  const to = percentAfter(action, plan)
  switch (action) {
    case 'advance':
      return [
        `Within two seconds, v1 answers ${to} % of the clients of ${operation} instead of ${percent} %. The step does not wait for calls, minutes, the window, the gate or a missing verdict.`,
        html`The ${word('brake')} stays active: if v1 fails, or answers differently from the legacy service, ${operation} goes back to 0 %.`,
      ]
    case 'approve':
      return [
        `The plan may take the step from ${percent} % to ${to} %. It does so as soon as nothing else is missing, which may be at once.`,
      ]
    case 'pause':
      return [
        html`v1 keeps answering ${percent} % of the clients of ${operation}, and the plan takes no step until someone resumes it. The ${word('brake')} stays active.`,
      ]
    case 'resume':
      return [
        state === 'stopped'
          ? `${operation} starts over at 0 %, and takes its first step as soon as nothing is missing. Make sure that what stopped it is fixed.`
          : `${operation} continues at ${percent} %, and takes its next step when nothing is missing.`,
      ]
    case 'stop':
      return [
        `The legacy service takes over all clients of ${operation} at once. v1 answers none until someone resumes the plan, which starts over at 0 %.`,
      ]
  }
}
