import { Counter, type Registry } from 'prom-client'
import { UNKNOWN } from '../traffic.ts'
import { ANSWERERS, type CallCounts, SIDES } from './call-counts.ts'
import { registerDurations } from './durations.ts'

/** Registers the metrics of calls, which are read from the counts on each scrape. */
export function registerCallMetrics(registry: Registry, rows: () => readonly CallCounts[]): void {
  const registers = [registry]
  new Counter({
    ...{ name: 'legacy_gateway_calls_total', help: 'Answered legacy calls, by status and answering side.', registers },
    labelNames: ['operation', 'status', 'side'],
    collect() {
      this.reset()
      for (const { operation, answered } of rows()) {
        for (const side of ANSWERERS) {
          for (const [status, calls] of answered[side].byStatus) this.inc({ operation, status, side }, calls)
        }
      }
    },
  })
  registerDurations(registry, 'legacy_gateway_call_duration_seconds', 'Time from a call to its answer.', () =>
    rows().flatMap(({ operation, answered }) =>
      ANSWERERS.map((side) => ({ labels: { operation, side }, durations: answered[side].durations })),
    ),
  )
  registerDurations(
    registry,
    'legacy_gateway_upstream_duration_seconds',
    'Part of the call duration spent waiting for a service.',
    () =>
      rows().flatMap(({ operation, waited }) =>
        SIDES.map((upstream) => ({ labels: { upstream, operation }, durations: waited[upstream] })),
      ),
  )
  new Counter({
    ...{ name: 'legacy_gateway_failures_total', help: 'Calls that failed because of a service, by kind.', registers },
    labelNames: ['operation', 'kind'],
    collect() {
      this.reset()
      for (const { operation, byFailure } of rows()) {
        for (const [kind, calls] of byFailure) this.inc({ operation, kind }, calls)
      }
    },
  })
  new Counter({
    ...{
      name: 'legacy_gateway_dropped_members_total',
      help: 'Request members not sent, because v1 does not list them.',
      registers,
    },
    labelNames: ['operation'],
    collect() {
      this.reset()
      for (const { operation, dropped } of rows()) if (dropped > 0) this.inc({ operation }, dropped)
    },
  })
  new Counter({
    ...{
      name: 'legacy_gateway_brownout_refusals_total',
      help: 'Calls that a brownout refused. They are not among the answered calls.',
      registers,
    },
    labelNames: ['operation'],
    collect() {
      this.reset()
      for (const { operation, brownout } of rows()) if (operation !== UNKNOWN) this.inc({ operation }, brownout)
    },
  })
}
