import type { Logger } from 'pino'

/**
 * Logs an uncaught exception or unhandled rejection with its stack, and exits with 1. The state of the process is
 * unknown after that, so work under way is abandoned. A supervisor is expected to restart the process.
 */
export function exitOnCrash(log: Logger): void {
  process.on('uncaughtException', (err: unknown, origin) => {
    // Lines of this level are written at once, not buffered.
    log.fatal({ err, origin }, 'crashed')
    process.exit(1)
  })
}
