import { Counter, Gauge, type Registry } from 'prom-client'

/** Where a plan stands at this replica. */
export interface CutoverRow {
  readonly operation: string
  readonly state: string
  readonly percent: number
  /** How often the brake has tripped at this replica since it started. */
  readonly brakes: number
}

const STATES = ['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done'] as const

/**
 * Registers metrics of the plans in the rollout file.
 * @param operations all operations: metrics that alerts query start at 0, before there is a plan.
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
      help: 'Percentage of clients that v1 answers by the plan.',
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
    ...{
      name: 'legacy_gateway_cutover_brakes_total',
      help: 'How often the brake has tripped at this replica.',
      registers,
    },
    labelNames: ['operation'],
    collect() {
      this.reset()
      for (const operation of operations) this.inc({ operation }, 0)
      for (const { operation, brakes } of rows()) this.inc({ operation }, brakes)
    },
  })
}
