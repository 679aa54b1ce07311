import type { Worker } from 'node:worker_threads'
import { describe, onTestFinished } from 'vitest'
import { databaseState, fileState, type State } from '../../cutover/store/support/engines.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'

/** A state whose writer can be killed. */
export interface MortalState extends State {
  /** Ends what writes it for all that opened it aside, whatever it is doing. It can be used again at once. */
  kill(): Promise<void>
}

function mortalFile(): MortalState {
  const threads: Worker[] = []
  const keep = (thread: Worker): void => void threads.push(thread)
  process.on('worker', keep)
  onTestFinished(() => void process.off('worker', keep))
  return {
    ...fileState(),
    async kill() {
      await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
    },
  }
}

const mortalDatabase = (server: PostgresServer): MortalState => ({
  ...databaseState(server),
  async kill() {
    await server.kill9()
    await server.restart()
  },
})

/** Runs the same tests on each engine, with a PostgreSQL server of their own, which waits for the disk. */
export async function onMortalEngines(what: string, tests: (newState: () => MortalState) => void): Promise<void> {
  describe(`${what} on SQLite`, () => tests(mortalFile))
  const server = isInstalled ? await startPostgres() : undefined
  describe.skipIf(server === undefined)(`${what} on PostgreSQL`, () =>
    tests(() => mortalDatabase(server as PostgresServer)),
  )
}
