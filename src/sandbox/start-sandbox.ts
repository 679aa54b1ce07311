import type { DatabaseSync } from 'node:sqlite'
import { withFaults } from './faults/with-faults.ts'
import { buildLegacy, legacyOperations } from './legacy/build-legacy.ts'
import { legacyErrorOf } from './legacy/error-of-status.ts'
import { type Listener, listen } from './listen.ts'
import { openStore } from './store/open-store.ts'
import { buildV1, v1Endpoints } from './v1/build-v1.ts'
import { v1ErrorOf } from './v1/error-of-status.ts'

export interface SandboxOptions {
  /** The address to listen on, for instance `127.0.0.1`. */
  readonly host: string
  /** The port of the v1 face; 0 takes any free port. */
  readonly v1Port: number
  /** The port of the legacy face; 0 takes any free port. Undefined: no legacy face. */
  readonly legacyPort?: number | undefined
  /** An SQLite file, which is seeded once and then kept, or `:memory:`. */
  readonly db: string
  /** The clock in ms since 1970, used for token lifetimes and creation times. Default: the system's clock. */
  readonly now?: () => number
}

export interface Sandbox {
  /** `{base_url}` (docs/contract.md 1.2): scheme, host and port, without a trailing slash. */
  readonly v1Url: string
  /** `{legacy_base_url}`, in the same form. Undefined without a legacy face. */
  readonly legacyUrl: string | undefined
  /** Stops listening, answers running requests and closes the store. Safe to call again. */
  close(): Promise<void>
}

/**
 * Starts the service of docs/contract.md with a store of its own. Both faces share the store, so each shows what the
 * other wrote.
 *
 * Rejects, with nothing left open, if it cannot open the database (the error names the file) or cannot listen (the
 * error names the face and the address, and has Node's `code`: `EADDRINUSE` for a port in use).
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, v1Port, legacyPort, db, now = Date.now } = options
  const store = openStore(db)
  const listeners: Listener[] = []
  const closeAll = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    store.close()
  }
  try {
    const v1 = await listen('v1', v1Face(store, now), host, v1Port)
    listeners.push(v1)
    const legacy =
      legacyPort === undefined ? undefined : await listen('legacy', legacyFace(store, now), host, legacyPort)
    if (legacy !== undefined) listeners.push(legacy)
    let closing: Promise<void> | undefined
    return {
      v1Url: v1.url,
      legacyUrl: legacy?.url,
      close() {
        closing ??= closeAll()
        return closing
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function v1Face(db: DatabaseSync, now: () => number) {
  const paths = v1Endpoints.map(({ path }) => path)
  return withFaults({ fetch: buildV1({ db, now }).fetch, paths, errorOf: v1ErrorOf })
}

function legacyFace(db: DatabaseSync, now: () => number) {
  const paths = legacyOperations.map(({ path }) => path)
  return withFaults({ fetch: buildLegacy({ db, now }).fetch, paths, errorOf: legacyErrorOf })
}
