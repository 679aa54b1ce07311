import type { ExchangeRequest, SideAnswer } from '../exchange/exchange.ts'
import type { Reply } from './read-reply.ts'

/** Returns a text that is equal for equal requests: method, path, query, language and body. */
export function inputOf({ method, path, query, headers, body }: ExchangeRequest): string {
  const english = headers['accept-language']?.startsWith('en') === true
  return [method, path, query, english, Buffer.from(body).toString('latin1')].join('\n')
}

/** Resolves to the answer, or to how it failed. Never rejects. */
export function replyOf(answer: Promise<SideAnswer>): Promise<Reply> {
  return answer.then(
    ({ status, body, failure, release, serviceMs }) => ({ status, body, failure, release, serviceMs }),
    (error: unknown) => ({ failure: kindOf(error) }),
  )
}

const kindOf = (error: unknown): string =>
  error instanceof Error && 'kind' in error ? String(error.kind) : 'no answer'
