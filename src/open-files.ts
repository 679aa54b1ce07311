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

/** How the files that a process may have open are shared out. */
export interface OpenFiles {
  /** Connections of clients that are served, and those beyond it that wait, with as many that are turned away. */
  readonly clients: { readonly limit: number; readonly maxWaiting: number }
  readonly admin: { readonly limit: number; readonly maxWaiting: number }
  /** Connections of each pool to a service. */
  readonly perPool: number
}

/** What the process itself has open: its event loops, libraries, the log, the state, a recording, the files of certificates. */
const OWN = 48
const ADMIN = { limit: 24, maxWaiting: 4 }
/** Reads and other calls of v1 and of the legacy service, and what is passed on to that. */
const POOLS = 6
/** As many as a lane of a service has calls under way. */
const MAX_PER_POOL = 128
/** A connection takes some 10 KB of memory. */
const MAX_CLIENTS = 16_384
/** One tenth of the clients' share may wait, and one may be on its way out. */
const SERVED = 0.8
const WAITING = 0.1

/**
 * Shares them out: to services at most half of what the process and its admin port leave, the rest to clients.
 * @param maxClients what the operator wants; undefined: what there is room for.
 */
export function shareOpenFiles(limit: number, maxClients?: number): OpenFiles {
  const free = Math.max(limit - OWN - ADMIN.limit - 2 * ADMIN.maxWaiting, 2 * POOLS)
  const perPool = Math.max(1, Math.min(MAX_PER_POOL, Math.floor(free / 2 / POOLS)))
  const clients = Math.max(free - perPool * POOLS, 1)
  const served = maxClients ?? Math.min(MAX_CLIENTS, Math.ceil(clients * SERVED))
  return {
    clients: { limit: served, maxWaiting: Math.ceil(Math.min(served / SERVED, clients) * WAITING) },
    admin: ADMIN,
    perPool,
  }
}
