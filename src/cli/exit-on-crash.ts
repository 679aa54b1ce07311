import type { Logger } from 'pino'

/**
 * What nobody caught, a rejection too, is logged with its stack, written at once, and ends the process; exit 1. Nothing is
 * known of a program after that: what was under way is left to whoever starts it again.
 */
export function exitOnCrash(log: Logger): void {
  process.on('uncaughtException', (err: unknown, origin) => {
    // Lines of this level are not kept to be written together.
    log.fatal({ err, origin }, 'crashed')
    process.exit(1)
  })
}
