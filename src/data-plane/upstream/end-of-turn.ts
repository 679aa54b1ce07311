let turn: Promise<void> | undefined

/**
 * Resolves for all callers at once, when the event loop has read what arrived on all connections. Work that starts then
 * runs step by step for many calls in a row, and their writes go out together. Without it, calls for 25 invoices over
 * 32 connections took 1.2 times the processor time. A single call does not wait for others.
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
