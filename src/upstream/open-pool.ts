import { Pool } from 'undici'
import { type Connecting, connectorTo } from './connector.ts'

/** How the connections to one service are opened and kept. */
export interface PoolOptions {
  /** Whose origin is connected to; its path is the caller's business. */
  readonly baseUrl: URL
  /** Undefined: directly, with TLS as Node does it by itself. */
  readonly connecting?: Connecting | undefined
  /** Connections at most. */
  readonly connections: number
  /** For opening a connection, its TLS handshake included, and as long again for a proxy's tunnel; ms. */
  readonly connectTimeoutMs: number
  /**
   * Whether a call may be repeated when its connection turns out to be dead. A call that may not is never sent over a
   * connection that the service may just be closing.
   */
  readonly repeats: boolean
}

/**
 * Opens a pool of kept-alive connections. The only place where it is decided how a service is spoken to:
 *
 * - HTTP/1.1, also over TLS where the service offers HTTP/2. A connection then carries one answer at a time: its fate is no
 *   other call's, and the memory that was read into belongs to that answer alone, which `release` relies on.
 * - No pipelining, so that a call is not lost with the one before it.
 * - No time-outs of the library's own: each call has one, to its last byte.
 */
export function openPool({ baseUrl, connecting, connections, connectTimeoutMs, repeats }: PoolOptions): Pool {
  return new Pool(baseUrl.origin, {
    allowH2: false,
    connections,
    pipelining: 1,
    connect: connectorTo(connecting ?? DIRECTLY, connectTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(repeats ? IDLE_IF_REPEATED : IDLE_IF_SENT_ONCE),
  })
}

const DIRECTLY: Connecting = { tls: undefined, proxy: undefined, lookup: undefined }

/**
 * How long an idle connection is used again, in ms: unless the service says so (`Keep-Alive: timeout=5`); so much less than it
 * says; and no longer than this, whatever it says.
 */
interface IdleTimes {
  readonly keepAliveTimeout: number
  readonly keepAliveTimeoutThreshold: number
  readonly keepAliveMaxTimeout: number
}

/** A read that meets a dead connection is sent again. */
const IDLE_IF_REPEATED: IdleTimes = {
  keepAliveTimeout: 4_000,
  keepAliveTimeoutThreshold: 1_000,
  keepAliveMaxTimeout: 600_000,
}

/**
 * A service closes an idle connection when it likes; a call that is under way to it meanwhile is lost, and nobody can tell
 * whether it was carried out (RFC 9112 section 9.3.1). Services that do not say when they close rarely do so within a second,
 * so half of one is safe. Whoever calls less often pays for a new connection.
 */
const IDLE_IF_SENT_ONCE: IdleTimes = {
  keepAliveTimeout: 500,
  keepAliveTimeoutThreshold: 1_000,
  keepAliveMaxTimeout: 30_000,
}
