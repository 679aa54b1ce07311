import type { ExchangeRequest, SideAnswer } from '../exchange/exchange.ts'
import type { Reply } from './observe-exchange.ts'

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
