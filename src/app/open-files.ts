import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { messages } from '../../mappings/index.ts'
import type { ConnectionCounts, ConnectionOptions } from '../data-plane/http/connections.ts'
import type { ListenOptions } from '../data-plane/http/listen.ts'
import { MOST_OF_LANE } from '../data-plane/upstream/guard.ts'

/**
 * Returns how many files, including connections, the process may have open (the soft limit); 4,096 if the system does
 * not say.
 */
export function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? MANY : Number(soft ?? ELSEWHERE)
  } catch {
    return ELSEWHERE
  }
}

const ELSEWHERE = 4_096
const MANY = 1_048_576

/**
 * How many client connections may be served, how many more may wait, and how many more may be in the process of being
 * turned away.
 */
interface ClientShare {
  readonly limit: number
  readonly maxWaiting: number
  readonly maxLeaving: number
}

/** How to divide the files that a process may have open. */
export interface OpenFiles {
  readonly clients: ClientShare
  readonly admin: ClientShare
  /** How many connections each pool to a service gets. */
  readonly perPool: number
  /** How many client connections there is room for. */
  readonly room: number
}

/** How many files the process itself has open: event loops, the sockets of its port, libraries, the log, the results, a recording, certificates. */
const OWN = 64
const ADMIN: ClientShare = { limit: 24, maxWaiting: 4, maxLeaving: 4 }
const OF_ADMIN = 32
/** The most client connections by default. Each takes some 10 KB of memory. */
const MAX_CLIENTS = 16_384
/** How client connections are divided: those served, waiting, and being turned away. */
const [SERVED, WAITING, LEAVING] = [0.7, 0.2, 0.1]

/**
 * Divides the files: services get at most half of what the process and its admin port leave; clients get the rest.
 * @param pools the number of connection pools to services.
 * @param maxClients what the operator configured; undefined: as many as there is room for.
 */
export function shareOpenFiles(limit: number, pools: number, maxClients?: number): OpenFiles {
  const free = Math.max(limit - OWN - OF_ADMIN, 2 * pools)
  const perPool = Math.min(MOST_OF_LANE, Math.floor(free / 2 / pools))
  const room = free - perPool * pools
  const served = maxClients ?? Math.min(MAX_CLIENTS, Math.ceil(room * SERVED))
  const all = Math.min(served / SERVED, room)
  return {
    clients: { limit: served, maxWaiting: Math.ceil(all * WAITING), maxLeaving: Math.ceil(all * LEAVING) },
    admin: ADMIN,
    ...{ perPool, room },
  }
}

/** The answer to a connection for which there is no room. Nothing has been read that would reveal its language. */
export const NO_ROOM = JSON.stringify({ message: messages.tr.unexpected })

/** The number of sockets of the legacy port. Linux divides new connections among them; other systems may refuse a second socket. */
const SOCKETS = process.platform === 'linux' ? 16 : 1

/** How the legacy port treats the connections of clients. */
export const clientPort = (
  { clients }: Pick<OpenFiles, 'clients'>,
  log: Pick<Logger, 'warn' | 'info'>,
): Required<Pick<ListenOptions, 'sockets'>> & { readonly connections: ConnectionOptions } => ({
  connections: { ...clients, refusal: NO_ROOM, onFull: logFull(log) },
  sockets: SOCKETS,
})

const logFull =
  (log: Pick<Logger, 'warn' | 'info'>) =>
  (isFull: boolean, counts: ConnectionCounts): void =>
    isFull
      ? log.warn(counts, 'MAX_CONNECTIONS is reached: idle connections are closed for new ones, others wait')
      : log.info(counts, 'there is room for connections again')
