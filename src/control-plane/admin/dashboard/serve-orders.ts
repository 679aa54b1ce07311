import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import type { Action, Ordered } from '../../cutover/decide/order.ts'
import { isFromHere } from '../admin-access.ts'
import { FORM_ORDER, MAX_ORDER_BYTES, problemsOf } from '../requests.ts'
import { answerNotFound, answerPage, isForm, readForm, type Status, wantsPage } from './layout.ts'
import { isAction, NEW_FORM, type OrderForm, orderPage, sentence } from './order-page.ts'
import { idOf } from './plan-table.ts'
import type { DashboardSources } from './sources.ts'

const PATH = '/cutover/:operation/:action'

/**
 * Serves the buttons of the page Switch-off: a page that says what an order will do, and its form. Passes on all requests but
 * those of browsers.
 */
export function serveOrders(sources: DashboardSources): Hono {
  const app = new Hono()
  app.get(PATH, (c, next) => {
    const { operation, action } = c.req.param()
    if (!wantsPage(c) || !isAction(action)) return next()
    return answer(c, operation, action, NEW_FORM, 200)
  })
  app.post(PATH, (c, next) => (isForm(c) ? limitForm(c, next) : next()))
  app.post(PATH, async (c, next) => {
    const { operation, action } = c.req.param()
    const sent = isAction(action) ? await readForm(c) : undefined
    if (sent === undefined || !isAction(action)) return next()
    if (!isFromHere(c)) return answerPage(c, FROM_ELSEWHERE, 403)
    const form = readOrderForm(sent)
    const problem = problemOf(form)
    if (problem !== undefined) return answer(c, operation, action, form, 400, problem)
    const { by, why, version } = form
    const ordered = await sources.cutover.order({ operation, action, by, why, version })
    if ('done' in ordered) return c.redirect(`/#${idOf(operation)}`, 303)
    // The page now shows the newest state, and the next attempt applies to that.
    return answer(c, operation, action, { by, why, version: undefined }, STATUS[ordered.refused], words(ordered))
  })
  return app

  async function answer(
    c: Context,
    operation: string,
    action: Action,
    form: OrderForm,
    status: Status,
    problem?: string,
  ) {
    const plan = sources.cutover.reports().find((report) => report.operation === operation)
    if (plan === undefined) return answerNotFound(c)
    return answerPage(c, await orderPage(sources, plan, action, form, problem), status)
  }
}

type Refusal = Extract<Ordered, { readonly refused: string }>

const STATUS: Readonly<Record<Refusal['refused'], Status>> = {
  ...{ refused: 409, stale: 409, unavailable: 503, unknown: 404 },
}

const words = ({ refused, message }: Refusal): string =>
  refused === 'stale' ? `${message} Look at where it stands now, and decide again.` : message

function readOrderForm(form: URLSearchParams): OrderForm {
  const version = form.get('version') ?? ''
  return {
    // A browser ends lines of a text area with CR LF.
    by: (form.get('by') ?? '').trim(),
    why: (form.get('why') ?? '').trim().replaceAll(/\s*\r?\n\s*/g, ' '),
    version: /^\d{1,15}$/.test(version) ? Number(version) : undefined,
  }
}

function problemOf(form: OrderForm): string | undefined {
  const { error } = FORM_ORDER.safeParse(form)
  return error && sentence(problemsOf(error))
}

const FROM_ELSEWHERE = {
  title: 'Refused',
  section: '/',
  content: html`<h1>Refused</h1>
<p class="lead">A page from another origin cannot do this. Give the order on the page <a href="/">Switch-off</a>.</p>`,
}

const limitForm = bodyLimit({
  maxSize: MAX_ORDER_BYTES,
  onError: (c) => {
    const content = html`<h1>Too large</h1>
<p class="lead">The form is larger than ${MAX_ORDER_BYTES} bytes. Give the order on the page <a href="/">Switch-off</a>.</p>`
    return answerPage(c, { title: 'Too large', section: '/', content }, 413)
  },
})
