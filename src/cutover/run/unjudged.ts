import type { Logger } from 'pino'

/** Operations whose plans cannot be judged. A failure in one must not keep the brakes of the others from tripping, nor break the call that asked. */
export interface Unjudged {
  /** Logs the operation once, until it can be judged again. */
  add(operation: string, error: unknown): void
  remove(operation: string): void
}

export function unjudgedPlans(log: Pick<Logger, 'error'>): Unjudged {
  const told = new Set<string>()
  return {
    add(operation, error) {
      if (!told.has(operation)) log.error({ err: error, operation }, 'a plan cannot be judged: it stays where it is')
      told.add(operation)
    },
    remove: (operation) => void told.delete(operation),
  }
}
