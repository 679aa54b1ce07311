import { describe } from 'vitest'
import { databaseState, type State } from '../../control-plane/cutover/store/support/engines.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'

/** A state whose server can be killed. */
export interface MortalState extends State {
  /** Ends the server, whatever it is doing. It can be used again at once. */
  kill(): Promise<void>
}

const mortalDatabase = (server: PostgresServer): MortalState => ({
  ...databaseState(server),
  async kill() {
    await server.kill9()
    await server.restart()
  },
})

/** Runs tests on PostgreSQL, with a server of their own, which waits for the disk. A file of SQLite is written by the gateway itself. */
export async function onMortalEngine(what: string, tests: (newState: () => MortalState) => void): Promise<void> {
  const server = isInstalled ? await startPostgres() : undefined
  describe.skipIf(server === undefined)(`${what} on PostgreSQL`, () =>
    tests(() => mortalDatabase(server as PostgresServer)),
  )
}
