import { Counter, Gauge, type Registry } from 'prom-client'

/** The connections of clients. */
export interface ConnectionRow {
  readonly open: number
  readonly limit: number
  readonly waiting: number
  readonly closedIdle: number
  readonly turnedAway: number
  readonly unreadable: number
}

/** Registers the metrics of connections, which are read from the counts on each scrape. */
export function registerConnectionMetrics(registry: Registry, row: () => ConnectionRow | undefined): void {
  const registers = [registry]
  const gauge = (name: string, help: string, of: (row: ConnectionRow) => number): void => {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        const counts = row()
        if (counts !== undefined) this.set(of(counts))
      },
    })
  }
  gauge('legacy_gateway_connections', 'Client connections being served.', ({ open }) => open)
  gauge('legacy_gateway_connections_limit', 'Maximum number of connections served at a time.', ({ limit }) => limit)
  gauge('legacy_gateway_connections_waiting', 'New connections waiting for room.', ({ waiting }) => waiting)
  const counter = (name: string, help: string, of: (row: ConnectionRow) => number): void => {
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset()
        const counts = row()
        if (counts !== undefined) this.inc(of(counts))
      },
    })
  }
  counter(
    'legacy_gateway_connections_closed_idle_total',
    'Idle connections closed to make room for new ones.',
    ({ closedIdle }) => closedIdle,
  )
  counter(
    'legacy_gateway_connections_turned_away_total',
    'New connections turned away for lack of room.',
    ({ turnedAway }) => turnedAway,
  )
  counter(
    'legacy_gateway_unreadable_requests_total',
    'Connections closed because what arrived could not be read as a request.',
    ({ unreadable }) => unreadable,
  )
}
