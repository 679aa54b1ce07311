import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** Returns a name for a replica without a configured one: its host, and a random part, since a host may run several. */
export const someReplicaId = (): string =>
  `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 100)}-${randomBytes(4).toString('hex')}`
