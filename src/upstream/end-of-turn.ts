let turn: Promise<void> | undefined

/**
 * Resolves, for all who wait, when the event loop has read what came on all connections. What is begun then is done step by
 * step for many calls in a row, and what they write goes out together. Without it, calls of 25 invoices over 32 connections took
 * 1.2 times the processor time. Where there is only one call it waits for nobody.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
