import { readFileSync } from 'node:fs'

/** How many files, connections among them, this process may have open, as Node found it; where nobody tells: 4,096. */
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

/** Connections of clients: those that are served, and those beyond them that wait, or are being turned away. */
export interface ClientShare {
  readonly limit: number
  readonly maxWaiting: number
  readonly maxLeaving: number
}

/** How the files that a process may have open are shared out. */
export interface OpenFiles {
  readonly clients: ClientShare
  readonly admin: ClientShare
  /** Connections of each pool to a service. */
  readonly perPool: number
  /** How many clients there would be room for at most. */
  readonly room: number
}

/** What the process itself has open: its event loops, libraries, the log, the state, a recording, the files of certificates. */
const OWN = 48
const ADMIN: ClientShare = { limit: 24, maxWaiting: 4, maxLeaving: 4 }
const OF_ADMIN = 32
/** As many as a lane of a service has calls under way. */
const MAX_PER_POOL = 128
/** A connection takes some 10 KB of memory. */
const MAX_CLIENTS = 16_384
/** Shares of the clients' connections. */
const [SERVED, WAITING, LEAVING] = [0.7, 0.2, 0.1]

/**
 * Shares them out: to services at most half of what the process and its admin port leave, the rest to clients.
 * @param pools how many of them connect to services.
 * @param maxClients what the operator wants; undefined: what there is room for.
 */
export function shareOpenFiles(limit: number, pools: number, maxClients?: number): OpenFiles {
  const free = Math.max(limit - OWN - OF_ADMIN, 2 * pools)
  const perPool = Math.min(MAX_PER_POOL, Math.floor(free / 2 / pools))
  const room = free - perPool * pools
  const served = maxClients ?? Math.min(MAX_CLIENTS, Math.ceil(room * SERVED))
  const all = Math.min(served / SERVED, room)
  return {
    clients: { limit: served, maxWaiting: Math.ceil(all * WAITING), maxLeaving: Math.ceil(all * LEAVING) },
    admin: ADMIN,
    ...{ perPool, room },
  }
}
