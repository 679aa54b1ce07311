import type { Logger } from 'pino'
import { type FleetNews, fleetWatch, KEPT_REPLICAS } from '../control-plane/store/postgres/fleet-watch.ts'
import { openDatabase } from '../control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../control-plane/store/postgres/postgres-engine.ts'
import type { PostgresSettings } from '../control-plane/store/postgres/postgres-settings.ts'
import type { Replica, ReplicaStatus } from '../control-plane/store/replicas.ts'
import { IMPORTS, newStart, type Stores, storesOn } from './stores.ts'

export interface PostgresStoreOptions {
  readonly settings: PostgresSettings
  readonly replicaId: string
  /** What this replica reports about itself. */
  readonly status: () => ReplicaStatus
  /** Called at each heartbeat with how far this replica's clock is ahead of the database's; ms. */
  readonly onOffset: (milliseconds: number) => void
  readonly log: Pick<Logger, 'warn'>
}

interface PostgresStores extends Stores {
  /** Returns the replicas that were alive when the database last said so. */
  replicas(): readonly Replica[]
}

/** Of ten replicas, each stores once a second; of 50, each every five seconds. So the database has ten portions a second, however many there are. */
const INTERVAL_OF_EACH_MS = 100

/** Stores results, the cut-over and usage in a PostgreSQL database that replicas share. */
export function openPostgresStore({
  settings,
  replicaId: id,
  status,
  onOffset,
  log,
}: PostgresStoreOptions): PostgresStores {
  const incarnation = newStart()
  const process = `${id} ${incarnation}`
  const listeners: (() => void)[] = []
  let replicas: readonly Replica[] = []
  const tell = (news: FleetNews): void => {
    if ('decided' in news) for (const listener of listeners) listener()
    else {
      replicas = news.replicas
      onOffset(news.clockOffsetMs)
    }
  }
  const { schema } = settings
  const database = openDatabase(settings)
  const engine = postgresEngine({ database, schema, holder: process, imports: IMPORTS })
  const fleet = fleetWatch({ engine, listen: database.listen, schema, process: { id, incarnation }, tell })
  const stores = storesOn({
    ...{ engine, process, log, kept: [KEPT_REPLICAS] },
    async beat() {
      await fleet.beat(status())
      fleet.start()
    },
    store: {
      ...{ name: database.name, isShared: true },
      onDecided: (listener) => void listeners.push(listener),
      intervalMs: () => replicas.length * INTERVAL_OF_EACH_MS,
      async close(withinMs) {
        fleet.close()
        await engine.close(fleet.leave, withinMs)
      },
    },
  })
  return { ...stores, replicas: () => replicas }
}
