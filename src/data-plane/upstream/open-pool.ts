import { type Dispatcher, Pool } from 'undici'
import { type Connecting, connectorTo } from './connector.ts'
import { toUpstreamError, UpstreamError } from './upstream-error.ts'

/** How the connections to one service are opened and kept. */
export interface PoolOptions {
  /** Only the origin is used. Callers add the path. */
  readonly baseUrl: URL
  /** Undefined: directly, with Node's default TLS. */
  readonly connecting?: Connecting | undefined
  /** The maximum number of connections. */
  readonly connections: number
  /** For opening a connection, including its TLS handshake, and as long again for a proxy's tunnel; ms. */
  readonly connectTimeoutMs: number
  /**
   * Whether a call may be repeated when its connection turns out to be dead. A call that may not is never sent over a
   * connection that the service may be closing.
   */
  readonly repeats: boolean
}

/**
 * Opens a pool of kept-alive connections. Only this function decides on the protocol:
 *
 * - HTTP/1.1, even if the service offers HTTP/2 over TLS. So a connection carries one answer at a time: a broken
 *   connection affects no other call, and memory that was read into belongs to that answer alone, which `release`
 *   relies on.
 * - No pipelining, so that a call is not lost with the one before it.
 * - No time-outs of the library. Each call has its own, up to its last byte.
 */
export function openPool({ baseUrl, connecting, connections, connectTimeoutMs, repeats }: PoolOptions): Pool {
  return new Pool(baseUrl.origin, {
    allowH2: false,
    connections,
    pipelining: 1,
    connect: connectorTo(connecting ?? DIRECTLY, connectTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
    clientTtl: LONGEST_USE_MS,
    ...(repeats ? IDLE_IF_REPEATED : IDLE_IF_SENT_ONCE),
  })
}

/**
 * How long a connection is used. A busy one would never end, and go on to the old address of a name that has moved, as long as something
 * answers there.
 */
const LONGEST_USE_MS = 120_000

const DIRECTLY: Connecting = { tls: undefined, proxy: undefined, lookup: undefined }

/**
 * For how long an idle connection may be reused, in ms, for reads, which are repeated if it turns out to be dead: if the service announces no
 * time (`Keep-Alive: timeout=5`), and by how much less than the announced time, up to a maximum.
 */
const IDLE_IF_REPEATED = {
  keepAliveTimeout: 4_000,
  keepAliveTimeoutThreshold: 1_000,
  keepAliveMaxTimeout: 600_000,
}

/**
 * The same for calls that are sent only once. A service may close an idle connection at any time. A call that is under way at
 * that moment is lost, and nobody can tell whether it was carried out (RFC 9112 section 9.3.1). Services that announce
 * no time rarely close within a second, so half a second is safe. Less frequent calls pay for a new connection.
 */
const IDLE_IF_SENT_ONCE = {
  keepAliveTimeout: 500,
  keepAliveTimeoutThreshold: 1_000,
  keepAliveMaxTimeout: 30_000,
}

/** How much of an answer is read, so that its connection can be used again; bytes. */
const READ_BYTES = 16_384

/** An answer to a posted body. */
export interface Posted {
  readonly status: number
  /** What arrived in time, as text. Undefined: not all of it did, or it has more than 16 KiB. */
  readonly text: string | undefined
}

/** Sends bodies to one URL. */
export interface Poster {
  /**
   * Sends a body once. Resolves with the status of the answer as soon as its head has arrived, even if its body never does. Does
   * not follow redirects.
   * @throws UpstreamError if no answer begins in time. Its message names addresses and codes, never the path or the query.
   */
  post(body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<number>
  /** The same, but waits for the body too, as long as there is time. */
  ask(body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<Posted>
  /** Ends the calls under way, and closes all connections. */
  close(): Promise<void>
}

export interface PosterOptions {
  readonly url: URL
  readonly connecting: Connecting
  /** The maximum number of connections. */
  readonly connections: number
  /** For one attempt, connecting included, to the end of the answer. */
  readonly timeoutMs: number
}

/** Opens a pool of connections to one URL. */
export function openPoster({ url, connecting, connections, timeoutMs }: PosterOptions): Poster {
  const pool = openPool({ baseUrl: url, connecting, connections, connectTimeoutMs: timeoutMs, repeats: false })
  const path = url.pathname + url.search
  async function send<Answer>(
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    read: (answer: Dispatcher.ResponseData, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const giveUp = new AbortController()
    const tooLate = new UpstreamError('timeout', `no answer within ${timeoutMs} ms`)
    const timeout = setTimeout(() => giveUp.abort(tooLate), timeoutMs)
    try {
      const answer = await pool.request({ method: 'POST', path, body, headers, signal: giveUp.signal })
      return await read(answer, giveUp.signal)
    } catch (error) {
      throw toUpstreamError(error)
    } finally {
      clearTimeout(timeout)
    }
  }
  return {
    post: (body, headers) =>
      send(body, headers, async ({ statusCode, body: answered }, signal) => {
        await answered.dump({ limit: READ_BYTES, signal }).catch(() => undefined)
        return statusCode
      }),
    ask: (body, headers) =>
      send(body, headers, async ({ statusCode: status, body: answered }) => ({
        status,
        text: await textOf(answered).catch(() => undefined),
      })),
    close: () => pool.destroy(),
  }
}

/** Reads a body to its end; undefined: it is too long. Rejects if it breaks off, or time is up. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.byteLength
    if (bytes > READ_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
