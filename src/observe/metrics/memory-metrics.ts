import { Counter, Gauge, type Registry } from 'prom-client'

/** The memory budget, read on each scrape; in bytes. */
export interface MemoryRow {
  readonly limit: number
  readonly used: number
  readonly waiting: number
  /** How often memory was refused, by purpose. */
  readonly refused: Readonly<Record<'request' | 'answer' | 'comparison' | 'recording', number>>
}

export function registerMemoryMetrics(registry: Registry, memory: MemoryRow): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read())
      },
    })
  }
  gauge(
    'legacy_gateway_memory_limit_bytes',
    'Memory budget for bodies, answers, comparisons and recordings.',
    () => memory.limit,
  )
  gauge('legacy_gateway_memory_used_bytes', 'Part of the memory budget in use.', () => memory.used)
  gauge('legacy_gateway_memory_waiting', 'Bodies and answers waiting for memory.', () => memory.waiting)
  new Counter({
    ...{
      name: 'legacy_gateway_memory_refused_total',
      help: 'Refusals for lack of memory, by purpose.',
      registers,
    },
    labelNames: ['what'],
    collect() {
      this.reset()
      for (const [what, count] of Object.entries(memory.refused)) this.inc({ what }, count)
    },
  })
}
