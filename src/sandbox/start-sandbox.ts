import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { type Deviations, readDeviations } from './deviations/deviation-file.ts'
import { buildFace, errorOfStatus, type Face, operationsOf } from './faces/build-face.ts'
import { legacyFace } from './faces/legacy-face.ts'
import { v1Face } from './faces/v1-face.ts'
import { withFaults } from './faults/with-faults.ts'
import type { Service } from './service.ts'
import { openStore } from './store/sandbox-store.ts'

export interface SandboxOptions {
  /** The address to listen on, for instance `127.0.0.1`. */
  readonly host: string
  /** The port of the v1 face; 0 takes any free port. */
  readonly v1Port: number
  /** The port of the legacy face; 0 takes any free port. Undefined: no legacy face. */
  readonly legacyPort?: number | undefined
  /** An SQLite file, which is seeded once and then kept, or `:memory:`. */
  readonly db: string
  /**
   * The text of a file of deviations: a MAPPING_FILE that corrects them (docs/sandbox.md "Deviations"). Undefined: both faces
   * keep to the contract.
   */
  readonly deviate?: string | undefined
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
 * Rejects with a DeviationsError that lists the mistakes in `deviate`. Rejects, with nothing left open, if it cannot open the database (the error names the file) or cannot listen (the
 * error names the face and the address, and has Node's `code`: `EADDRINUSE` for a port in use).
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, v1Port, legacyPort, db, now = Date.now } = options
  const deviations = readDeviations(options.deviate ?? '{"operations":{}}')
  const service = { db: openStore(db), now }
  const listeners: Listener[] = []
  const closeAll = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    service.db.close()
  }
  try {
    const v1 = await listen('v1', withFaultsOf(v1Face, service, deviations), host, v1Port)
    listeners.push(v1)
    const legacy =
      legacyPort === undefined
        ? undefined
        : await listen('legacy', withFaultsOf(legacyFace, service, deviations), host, legacyPort)
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

function withFaultsOf(face: Face, service: Service, deviations: Deviations) {
  const paths = operationsOf(face.name).map(({ path }) => path)
  const errorOf = (status: number, request: Request) => errorOfStatus(face, status, request)
  return withFaults({ fetch: buildFace(face, service, deviations).fetch, paths, errorOf })
}

/** High enough that the endpoint refuses an overlong query, in its envelope, instead of Node with a 431. */
const maxHeaderBytes = 2 * 1024 * 1024

/** How long closing waits for requests that have arrived only in part. */
const closeGraceMs = 1000

export interface Listener {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves one face of the sandbox. `url` works on this machine even if `host` is a wildcard address. Rejects with an error
 * that names the face and the address, and has Node's `code`.
 */
export async function listen(
  face: string,
  fetch: (request: Request, connection: HttpBindings) => Response | Promise<Response>,
  host: string,
  port: number,
): Promise<Listener> {
  // Keeps the globals, because the sandbox may share its process with a program that relies on them.
  const server = createAdaptorServer({
    // The server created here is a server of node:http, so these are its bindings.
    fetch: (request, connection) => fetch(request, connection as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: maxHeaderBytes },
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describe(error, face, host, port)))
    server.listen(port, host, resolve)
  })
  return { url: urlOf(server), close: () => close(server) }
}

function describe(error: NodeJS.ErrnoException, face: string, host: string, port: number): Error {
  const why = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error.message})`
  return Object.assign(new Error(`Sandbox ${face}: ${host}:${port} ${why}`, { cause: error }), { code: error.code })
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The sandbox listens on no TCP port')
  if (address.address === '0.0.0.0') return `http://127.0.0.1:${address.port}`
  if (address.address === '::') return `http://[::1]:${address.port}`
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), closeGraceMs)
    server.close(() => {
      clearTimeout(timeout)
      resolve()
    })
  })
}
