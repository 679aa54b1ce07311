import type { ExchangeRequest, SideAnswer } from '../observe/exchange.ts'
import type { Reply } from './observe-exchange.ts'

/** Asks a side a legacy request, under an `Authorization` header of its own. Rejects when it gives no answer. */
export type AskSide = (
  request: ExchangeRequest,
  authorization: string | undefined,
  timeoutMs: number,
) => Promise<SideAnswer>

/** What makes two requests the same one. */
export function inputOf({ method, path, query, headers, body }: ExchangeRequest): string {
  const english = headers['accept-language']?.startsWith('en') === true
  return [method, path, query, english, Buffer.from(body).toString('latin1')].join('\n')
}

/** An answer, or how there was none. Never rejects. */
export function replyOf(answer: Promise<SideAnswer>): Promise<Reply> {
  return answer.then(
    ({ status, body, failure }) => ({ status, body, failure }),
    (error: unknown) => ({ failure: kindOf(error) }),
  )
}

const kindOf = (error: unknown): string =>
  error instanceof Error && 'kind' in error ? String(error.kind) : 'no answer'
