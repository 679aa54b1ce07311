import type { ExchangeRequest, SideAnswer } from './exchange.ts'

/**
 * Sends a legacy request to one side, with that side's own `Authorization` header, and reads the whole answer. Rejects
 * if there is no answer in time.
 */
export type AskSide = (
  request: ExchangeRequest,
  authorization: string | undefined,
  timeoutMs: number,
) => Promise<SideAnswer>
