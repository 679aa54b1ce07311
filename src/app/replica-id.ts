import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** Names a replica to which nobody has given a name: by its host, and at random, since a host may run several. */
export const someReplicaId = (): string =>
  `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 100)}-${randomBytes(4).toString('hex')}`
