import { randomBytes } from 'node:crypto'
import { fleetWatch } from '../../../../src/state/postgres/fleet-watch.ts'
import { openDatabase } from '../../../../src/state/postgres/open-database.ts'
import { postgresEngine } from '../../../../src/state/postgres/postgres-engine.ts'
import { sqliteEngine } from '../../../../src/state/sqlite-engine.ts'
import {
  type FileStoreOptions,
  type PostgresStoreOptions,
  type Stores,
  storesOf,
} from '../../../../src/workers/open-stores.ts'
import { IMPORTS, type StoreFunctions, storeFunctions } from '../../../../src/workers/store-functions.ts'

/** Runs one call after the other, as the thread of a store does. */
function inTurn<Parts extends object>(parts: Parts): Parts {
  let last: Promise<unknown> = Promise.resolve()
  const turn =
    (call: (...args: readonly unknown[]) => unknown) =>
    (...args: readonly unknown[]) => {
      const result = last.then(() => call(...args))
      last = result.catch(() => undefined)
      return result
    }
  const inTurns = (part: object) =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [name, typeof call === 'function' ? turn(call) : call]),
    )
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, inTurns(part)])) as Parts
}

const newStart = (): string => randomBytes(6).toString('hex')

/** What `openFileStore` opens, without its thread. */
export function fileStores(path: string, { replica, status, log }: FileStoreOptions, now?: () => Date): Stores {
  const process = `${replica} ${newStart()}`
  const engine = sqliteEngine({ path, holder: process, imports: IMPORTS, ...(now && { now }) })
  const { distrust: _, ...parts } = storeFunctions({ engine, process, tell: () => undefined, beat: engine.open })
  const store = { name: path, isShared: false, close: async () => engine.close() }
  return storesOf(inTurn(parts), { process, status, log, store })
}

/** What `openPostgresStore` opens, without its thread. */
export function databaseStores({ settings, replicaId, status, log }: PostgresStoreOptions): Stores {
  const start = newStart()
  const process = `${replicaId} ${start}`
  const listeners: (() => void)[] = []
  const database = openDatabase(settings)
  const { schema } = settings
  const tell = (news: object): void => {
    if ('warning' in news) log.warn(news.warning as string)
    else if ('decided' in news) for (const listener of listeners) listener()
  }
  const engine = postgresEngine({
    ...{ database, schema, holder: process, imports: IMPORTS },
    onFailed: () => functions.distrust(),
  })
  const fleet = fleetWatch({
    ...{ engine, listen: database.listen, schema, process: { id: replicaId, incarnation: start }, tell },
  })
  const functions: StoreFunctions = storeFunctions({
    ...{ engine, process, tell },
    async beat(said) {
      await fleet.beat(said)
      fleet.start()
    },
  })
  const { distrust: _, ...parts } = functions
  const store = {
    ...{ name: database.name, isShared: true },
    onDecided: (listener: () => void) => void listeners.push(listener),
    async close() {
      fleet.close()
      await engine.close(fleet.leave)
    },
  }
  return storesOf(inTurn(parts), { process, status, log, store })
}
