import { Counter, Gauge, type Registry } from 'prom-client'

/** Where a plan stands at this replica. */
export interface CutoverRow {
  readonly operation: string
  readonly state: string
  readonly percent: number
  /** How often this replica put the brake on since its start. */
  readonly brakes: number
}

const STATES = ['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done'] as const

/**
 * Registers metrics of the plans in the rollout file.
 * @param operations all of them: what alerts ask for starts at 0, before there is a plan.
 */
export function registerCutoverMetrics(
  registry: Registry,
  operations: readonly string[],
  rows: () => readonly CutoverRow[],
): void {
  const registers = [registry]
  new Gauge({
    ...{
      name: 'legacy_gateway_cutover_percent',
      help: 'The percentage of clients that v1 answers by a plan.',
      registers,
    },
    labelNames: ['operation'],
    collect() {
      this.reset()
      for (const { operation, percent } of rows()) this.set({ operation }, percent)
    },
  })
  new Gauge({
    ...{ name: 'legacy_gateway_cutover_state', help: '1 for the state that a plan is in, else 0.', registers },
    labelNames: ['operation', 'state'],
    collect() {
      this.reset()
      for (const operation of operations) this.set({ operation, state: 'stopped' }, 0)
      for (const row of rows()) {
        for (const state of STATES) this.set({ operation: row.operation, state }, row.state === state ? 1 : 0)
      }
    },
  })
  new Counter({
    ...{ name: 'legacy_gateway_cutover_brakes_total', help: 'Plans that this replica stopped by itself.', registers },
    labelNames: ['operation'],
    collect() {
      this.reset()
      for (const operation of operations) this.inc({ operation }, 0)
      for (const { operation, brakes } of rows()) this.inc({ operation }, brakes)
    },
  })
}
