import type { Logger } from 'pino'
import type { Move } from '../move.ts'
import type { Position } from '../position.ts'

/** Logs a move from a position; a brake as a warning. */
export type LogMove = (move: Move, by: string, from: Position) => void

export const logMoves =
  (log: Pick<Logger, 'info' | 'warn'>): LogMove =>
  ({ event, to, why }, by, { operation, percent }) => {
    const line = { operation, event, by, from: percent, to: to.percent, state: to.state, why }
    log[event === 'braked' ? 'warn' : 'info'](line, 'a plan has moved')
  }
