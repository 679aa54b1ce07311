import type { TestProject } from 'vitest/node'
import { closeAll } from './clean-up.ts'
import { isInstalled, startPostgres } from './postgres.ts'

/** Starts the PostgreSQL server that all files of a run share: in a quarter of a second, once its data is cached. Returns what ends it. */
export default async function startSharedPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = isInstalled ? await startPostgres({ fsync: false, settings: { max_connections: '300' } }) : undefined
  provide('sharedPostgres', server && { port: server.port, folder: server.folder })
  return closeAll
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the shared server is; undefined: PostgreSQL is not installed. */
    sharedPostgres: { readonly port: number; readonly folder: string } | undefined
    /** Whether random runs have their full length. */
    hasFullLength: boolean
  }
}
