import { Counter, Gauge, type Registry } from 'prom-client'

/** The budget of memory, read when it is asked for; bytes. */
export interface MemoryRow {
  readonly limit: number
  readonly used: number
  readonly waiting: number
  /** How often what did not fit. */
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
  gauge('legacy_gateway_memory_limit_bytes', 'What bodies and answers may hold together.', () => memory.limit)
  gauge('legacy_gateway_memory_used_bytes', 'What bodies and answers hold of it.', () => memory.used)
  gauge('legacy_gateway_memory_waiting', 'Bodies and answers that wait for room.', () => memory.waiting)
  new Counter({
    ...{
      name: 'legacy_gateway_memory_refused_total',
      help: 'What found no room in memory, by what it was.',
      registers,
    },
    labelNames: ['what'],
    collect() {
      this.reset()
      for (const [what, count] of Object.entries(memory.refused)) this.inc({ what }, count)
    },
  })
}
