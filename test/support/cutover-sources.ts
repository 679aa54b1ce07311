import type { CutoverSources } from '../../src/control-plane/admin/dashboard/sources.ts'
import type { AuditEntry, Event } from '../../src/control-plane/cutover/audit.ts'
import type { BrownoutsReport } from '../../src/control-plane/cutover/brownout/current-brownouts.ts'
import type { CutoverReport } from '../../src/control-plane/cutover/cutover.ts'
import { type Order, refusalOf } from '../../src/control-plane/cutover/decide/order.ts'
import { type Position, startOf } from '../../src/control-plane/cutover/position.ts'
import { placeOf } from '../../src/planes/decisions.ts'
import { at, standing } from '../control-plane/cutover/support/standing.ts'

/** A gateway without plans, in which nothing was decided. */
export const noCutover: CutoverSources = {
  sunset: undefined,
  placeOf,
  reports: () => [],
  order: async ({ operation }) => ({ refused: 'unknown', message: `${operation} has no plan.` }),
  refusalOf: () => undefined,
  audit: async () => [],
}

/** A plan at 5 %, except for the given members. */
export const report = (operation: string, said: Partial<CutoverReport> = {}): CutoverReport => ({
  ...{ operation, state: 'running', percent: 5, step: 2, steps: [1, 5, 25, 50, 100] },
  ...{ since: '2025-03-04T09:00:00.000Z', version: 7, calls: 188, next: 25 },
  ...{ run: null, seed: null },
  ...{ why: 'waits for 312 more calls and 14 minutes', brake: { failures: 1, calls: 188, limit: 8 } },
  ...said,
})

export const entry = (event: Event, said: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: `${event}-1`, at: '2025-03-04T09:00:00.000Z', event, operation: 'invoice-list', by: 'auto' },
  ...{ from: 'running at 1 %', to: 'running at 5 %', why: '512 calls, none failed', lineage: '{}', counts: '{}' },
  ...said,
})

/** A cut-over that is told what it is, carries out orders at once, and writes them down. */
export function fakeCutover(
  reports: readonly CutoverReport[],
  entries: readonly AuditEntry[] = [],
): CutoverSources & { readonly orders: readonly Order[] } {
  let plans = reports
  let story = entries
  const orders: Order[] = []
  return {
    ...noCutover,
    orders,
    reports: () => plans,
    refusalOf({ operation, action }) {
      const plan = plans.find((one) => one.operation === operation)
      if (plan === undefined) return undefined
      const { state, percent, steps, next } = plan
      const approve = state === 'awaiting approval' && next !== null ? [next] : []
      return refusalOf(action, standing({ position: at(percent, { state }), plan: { steps, approve } }))
    },
    async order(order) {
      orders.push(order)
      const plan = plans.find(({ operation }) => operation === order.operation)
      if (plan === undefined) return { refused: 'unknown', message: `${order.operation} has no plan.` }
      if (order.version !== undefined && order.version !== plan.version) {
        return { refused: 'stale', message: `Version ${plan.version} is current, not ${order.version}.` }
      }
      const done: Position = {
        ...startOf(order.operation, '2025-03-04T12:35:00.000Z'),
        ...{ version: plan.version + 1, by: order.by, why: order.why },
        ...AFTER[order.action](plan),
      }
      plans = plans.map((one) =>
        one === plan
          ? { ...one, ...AFTER[order.action](plan), version: done.version, why: `ordered by ${order.by}: ${order.why}` }
          : one,
      )
      const told = {
        stop: 'stopped',
        pause: 'paused',
        resume: 'resumed',
        approve: 'approved',
        advance: 'advanced',
      } as const
      story = [
        entry(told[order.action], {
          ...{ id: `entry-${story.length}`, at: '2025-03-04T12:35:00.000Z', operation: order.operation },
          ...{
            by: order.by,
            why: order.why,
            from: `${plan.state} at ${plan.percent} %`,
            to: `${done.state} at ${done.percent} %`,
          },
        }),
        ...story,
      ]
      return { done }
    },
    async audit({ operation, before, limit }) {
      const own = story.filter((one) => operation === undefined || one.operation === operation)
      const from = before === undefined ? 0 : own.findIndex(({ id }) => id === before.id) + 1
      return own.slice(from, from + limit)
    },
  }
}

const AFTER: Readonly<Record<Order['action'], (plan: CutoverReport) => Pick<Position, 'state' | 'percent'>>> = {
  advance: ({ next, percent }) => ({ state: 'running', percent: next ?? percent }),
  approve: ({ next, percent }) => ({ state: 'running', percent: next ?? percent }),
  pause: ({ percent }) => ({ state: 'paused', percent }),
  resume: ({ state, percent }) => ({
    state: state === 'stopped' ? 'waiting' : 'running',
    percent: state === 'stopped' ? 0 : percent,
  }),
  stop: () => ({ state: 'stopped', percent: 0 }),
}

/** A cut-over in the middle: something is stopped, something awaits approval, something is done. */
export function busyCutover(): CutoverSources & { readonly orders: readonly Order[] } {
  const brake = { failures: 9, calls: 412, limit: 8 }
  const rolloutFile = entry('rollout-changed', {
    ...{
      id: 'file-1',
      operation: '*',
      by: 'auto',
      at: '2025-03-03T16:20:00.000Z',
      from: '51bb0c2f4e88',
      to: '7ac1d20f9b34',
    },
    why: 'price: plan.steps 1, 100 -> 1, 5, 25, 50, 100\nignore: removed {"operation":"*","path":"meta","why":"wording"}',
  })
  return {
    ...fakeCutover(
      [
        report('price', {
          state: 'waiting',
          percent: 0,
          step: 0,
          next: 1,
          calls: 0,
          why: 'waits for the verdict ready: units 125 of 299',
        }),
        report('invoice-list', {
          ...{ state: 'stopped', percent: 0, step: 0, next: 1, calls: 412, brake, version: 12 },
          why: 'the brake: 9 of 412 calls failed, where legacy failed 0 of 400; at most 8 may',
        }),
        report('country-list', {
          state: 'awaiting approval',
          percent: 50,
          step: 4,
          next: 100,
          why: 'waits for the approval of 100 %',
        }),
        report('currency-list'),
        report('city-list', { state: 'paused', why: 'paused by ada@example.com: the month ends' }),
        report('district-list', { state: 'done', percent: 100, step: 5, next: null, why: 'its last step is reached' }),
      ],
      [
        entry('braked', {
          ...{ from: 'running at 5 %', to: 'stopped at 0 %', at: '2025-03-04T11:58:07.000Z' },
          ...{
            why: '9 of 412 calls failed, where legacy failed 0 of 400; at most 8 may',
            counts: '{"calls":412,"failures":9}',
            lineage: '{"mapping":"5f0c2ad91b3e","v1":"2026.11.3"}',
          },
        }),
        entry('advanced', { id: 'advanced-2', at: '2025-03-04T09:00:00.000Z', counts: '{"calls":512,"failures":0}' }),
        entry('paused', {
          operation: 'city-list',
          by: 'ada@example.com',
          from: 'running at 5 %',
          to: 'paused at 5 %',
          why: 'the month ends',
          at: '2025-03-03T17:00:00.000Z',
        }),
        rolloutFile,
        entry('approval-wanted', {
          operation: 'country-list',
          at: '2025-03-03T12:00:00.000Z',
          from: 'running at 50 %',
          to: 'awaiting approval at 50 %',
          why: 'the step to 100 % is to be approved',
        }),
      ],
    ),
    sunset: new Date('2025-07-01T00:00:00Z'),
  }
}

/** A brownout that is to come. */
export const busyBrownouts: BrownoutsReport = {
  ...{ since: '2025-03-04T07:34:56.000Z', endedAt: null },
  brownouts: [
    {
      ...{ n: 1, operations: ['*'], from: '2025-05-03T09:00:00+03:00', to: '2025-05-03T10:00:00+03:00', percent: 10 },
      ...{ of: 'calls', status: 503, except: ['demo-client'], why: 'rehearsal of the switch-off' },
      ...{ state: 'to come', until: '2025-05-03T07:00:00.000Z' },
      clients: [{ client: 'warehouse-izmir', before: 1_725, refused: 0, since: 0 }],
      others: { before: 0, refused: 0, since: 0 },
    },
  ],
}
