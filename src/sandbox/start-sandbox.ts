import { listen } from './listen.ts'
import { openStore } from './store/open-store.ts'
import { buildV1 } from './v1/build-v1.ts'

export interface SandboxOptions {
  /** The address to listen on, for instance `127.0.0.1`. */
  readonly host: string
  /** The port of the v1 face; 0 takes any free one. */
  readonly v1Port: number
  /** A sqlite file, seeded once and then kept, or `:memory:`. */
  readonly db: string
  /** The clock in ms since 1970, which only token lifetimes depend on. Default: the system's. */
  readonly now?: () => number
}

export interface Sandbox {
  /** The contract's {base_url}: scheme, host and port, without a trailing slash. */
  readonly v1Url: string
  /** Answers what is under way, stops listening and closes the store. Calling it again is harmless. */
  close(): Promise<void>
}

/**
 * Starts the service of the contract on a store of its own.
 *
 * Rejects, with nothing left open, when the database cannot be opened (the error names the file) or when it cannot
 * listen (the error names the address and has Node's `code`, `EADDRINUSE` for a port in use).
 */
export async function startSandbox({ host, v1Port, db, now = Date.now }: SandboxOptions): Promise<Sandbox> {
  const store = openStore(db)
  try {
    const v1 = await listen('v1', buildV1({ db: store, now }).fetch, host, v1Port)
    let closing: Promise<void> | undefined
    return {
      v1Url: v1.url,
      close() {
        closing ??= v1.close().then(() => store.close())
        return closing
      },
    }
  } catch (error) {
    store.close()
    throw error
  }
}
