import { Counter, type Registry } from 'prom-client'

/** Registers a counter whose total is read from elsewhere on each scrape. */
export function registerReadCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    ...{ name, help, registers: [registry] },
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
