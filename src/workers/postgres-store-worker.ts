import { workerData } from 'node:worker_threads'
import { fleetWatch, KEPT_REPLICAS } from '../state/postgres/fleet-watch.ts'
import { openDatabase } from '../state/postgres/open-database.ts'
import { postgresEngine } from '../state/postgres/postgres-engine.ts'
import { answerParts, type PostgresStoreData } from './open-stores.ts'
import { answerCalls, tell } from './rpc.ts'
import { IMPORTS, storeFunctions } from './store-functions.ts'

// The thread of `openPostgresStore`. Only this thread waits for the database.
const { settings, id, start, thread } = workerData as PostgresStoreData
const { schema } = settings
const database = openDatabase(settings)
const process = `${id} ${start}`
const engine = postgresEngine({
  ...{ database, schema, holder: process, imports: IMPORTS, canBeNewer: thread > 0 },
  onFailed: () => functions.distrust(),
})
const fleet = fleetWatch({ engine, listen: database.listen, schema, process: { id, incarnation: start }, tell })
const functions = storeFunctions({
  ...{ engine, process, tell, kept: [KEPT_REPLICAS] },
  async beat(status) {
    await fleet.beat(status)
    fleet.start()
  },
})

async function close(): Promise<void> {
  fleet.close()
  await engine.close(fleet.leave)
}

answerCalls(answerParts(functions, close))
