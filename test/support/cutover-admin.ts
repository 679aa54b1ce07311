import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { serveAdmin } from '../../src/control-plane/admin/serve-admin.ts'
import { type CutoverSource, serveCutover } from '../../src/control-plane/admin/serve-cutover.ts'
import type { AuditEntry } from '../../src/control-plane/cutover/audit.ts'
import type { CutoverReport } from '../../src/control-plane/cutover/cutover.ts'
import type { AuditQuery } from '../../src/control-plane/cutover/cutover-store.ts'
import type { Order, Ordered } from '../../src/control-plane/cutover/decide/order.ts'
import type { Position } from '../../src/control-plane/cutover/position.ts'
import { closeIfUnread } from '../../src/data-plane/http/close-connection.ts'
import { listen } from '../../src/data-plane/http/listen.ts'
import { closeAtEnd } from './clean-up.ts'

/** A report of a plan at its second step. */
export const REPORT: CutoverReport = {
  ...{ operation: 'invoice-list', state: 'running', percent: 5, step: 2, steps: [1, 5, 25, 50, 100], version: 7 },
  ...{ since: '2027-05-03T09:00:00.000Z', calls: 188, next: 25, why: 'waits for 312 more calls and 14 minutes' },
  ...{ run: null, seed: null },
  brake: { failures: 1, calls: 188, limit: 7 },
}

/** Its position after an order. */
export const MOVED: Position = {
  ...{ operation: 'invoice-list', state: 'running', percent: 25, step: 3, version: 8, stage: 8 },
  ...{ since: '2027-05-03T10:00:00.000Z', approved: null, by: 'Ada', why: 'the numbers are good' },
}

/** An entry of the audit, the later the larger its number. */
export const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: `id-${number}`, at: `2027-05-03T09:00:00.${String(number).padStart(3, '0')}Z`, event: 'advanced' },
  ...{ operation: 'invoice-list', by: 'auto', from: 'running at 1 %', to: 'running at 5 %', why: 'ready' },
  ...{ lineage: '{"mapping":"0123456789ab"}', counts: '{"calls":512,"failures":0}', ...more },
})

export interface CutoverAdmin {
  readonly url: string
  /** What was ordered, and asked of the audit. */
  readonly orders: readonly Order[]
  readonly queries: readonly AuditQuery[]
}

/** Starts an admin port on loopback, whose cut-over is made up, until the file's tests have run. */
export async function startCutoverAdmin(
  answers: {
    readonly token?: string
    readonly reports?: readonly CutoverReport[]
    readonly ordered?: Ordered
    readonly audit?: CutoverSource['audit']
    readonly guides?: Hono
  } = {},
): Promise<CutoverAdmin> {
  const orders: Order[] = []
  const queries: AuditQuery[] = []
  const cutover = serveCutover(['invoice-list', 'price', 'country-list'], {
    reports: () => answers.reports ?? [REPORT, { ...REPORT, operation: 'price', version: 0 }],
    async order(order) {
      orders.push(order)
      return answers.ordered ?? { done: { ...MOVED, operation: order.operation } }
    },
    async audit(query) {
      queries.push(query)
      return (await answers.audit?.(query)) ?? []
    },
  })
  const admin = serveAdmin({
    ...{
      token: answers.token,
      routes: [cutover, ...(answers.guides === undefined ? [] : [answers.guides])],
    },
    state: async () => ({}) as never,
    metrics: async () => ({ contentType: 'text/plain', text: '' }),
    experiments: async () => ({ operations: [] }),
    replicas: () => ({}) as never,
    openapi: () => undefined,
    documents: {},
    middleware: closeIfUnread,
    flush: async () => undefined,
    decide: async () => undefined,
    onError: (error) => console.error(error),
  })
  const handler = getRequestListener(admin.fetch, { hostname: 'localhost' })
  const { url, close } = await listen(handler, '127.0.0.1', 0, 'ADMIN_PORT', { keepAliveMs: 75_000 })
  closeAtEnd(() => close(100))
  return { url, orders, queries }
}
