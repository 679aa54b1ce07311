import type { Logger } from 'pino'
import { messages } from '../../mappings/index.ts'
import type { ConnectionCounts, ConnectionOptions } from '../http/connection-limits.ts'
import type { ListenOptions } from '../http/listen.ts'
import type { OpenFiles } from './open-files.ts'

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
