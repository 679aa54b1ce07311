import { Gauge, type Registry } from 'prom-client'

/** The latest news of the gateways that share the state. */
export interface FleetRow {
  readonly engine: { readonly state: 'ok' | 'degraded' }
  /** The id of this replica. */
  readonly self: string
  readonly replicas: readonly {
    readonly id: string
    readonly build: string
    readonly mapping: string
    readonly rollout: string | null
    readonly clockOffsetMs: number
  }[]
}

const VERSIONS = ['build', 'mapping', 'rollout'] as const

/** Registers metrics of the fleet. Each replica reports its own view, so that an alert can name the one that is cut off. */
export function registerReplicaMetrics(registry: Registry, fleet: () => FleetRow): void {
  const gauge = (name: string, help: string, read: (row: FleetRow) => number): void => {
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read(fleet()))
      },
    })
  }
  gauge(
    'legacy_gateway_state_store_up',
    '1 while comparison results can be stored; 0 while the state is degraded.',
    ({ engine }) => (engine.state === 'ok' ? 1 : 0),
  )
  gauge(
    'legacy_gateway_replicas',
    'Gateways that share the state, this one included.',
    ({ replicas }) => replicas.length,
  )
  gauge(
    'legacy_gateway_replica_clock_offset_seconds',
    "How far the clock of this replica is ahead of the database's.",
    ({ self, replicas }) => (replicas.find(({ id }) => id === self)?.clockOffsetMs ?? 0) / 1_000,
  )
  new Gauge({
    ...{
      name: 'legacy_gateway_replica_versions',
      help: 'How many different versions the replicas run: of the build, the mappings, the rollout file.',
      registers: [registry],
    },
    labelNames: ['of'],
    collect() {
      const { replicas } = fleet()
      for (const of of VERSIONS) this.set({ of }, new Set(replicas.map((replica) => replica[of])).size)
    },
  })
}
