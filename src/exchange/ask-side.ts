import type { ExchangeRequest, SideAnswer } from './exchange.ts'

/**
 * Asks one side a legacy request, under an `Authorization` header of its own, and reads its answer whole. Rejects when it
 * gives none in time.
 */
export type AskSide = (
  request: ExchangeRequest,
  authorization: string | undefined,
  timeoutMs: number,
) => Promise<SideAnswer>
