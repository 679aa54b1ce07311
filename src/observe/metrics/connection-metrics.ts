import { Counter, Gauge, type Registry } from 'prom-client'

/** The connections of clients. */
export interface ConnectionRow {
  readonly open: number
  readonly limit: number
  readonly waiting: number
  readonly closedIdle: number
  readonly turnedAway: number
}

/** The metrics of connections, read from what has been counted when they are asked for. */
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
  gauge('legacy_gateway_connections', 'Connections of clients that are served.', ({ open }) => open)
  gauge('legacy_gateway_connections_limit', 'How many connections are served at most.', ({ limit }) => limit)
  gauge('legacy_gateway_connections_waiting', 'New connections that wait for room.', ({ waiting }) => waiting)
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
    'Idle connections that were closed for new ones.',
    ({ closedIdle }) => closedIdle,
  )
  counter(
    'legacy_gateway_connections_turned_away_total',
    'New connections for which there was no room in time.',
    ({ turnedAway }) => turnedAway,
  )
}
