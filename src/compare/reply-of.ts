import type { ExchangeRequest, SideAnswer } from '../exchange/exchange.ts'
import { malformedBy } from '../exchange/why-malformed.ts'
import type { Reply } from './read-reply.ts'

/** The language that a request asks for; docs/contract.md 2.3. */
export const languageOf = (headers: ExchangeRequest['headers']): 'en' | 'tr' =>
  headers['accept-language']?.startsWith('en') === true ? 'en' : 'tr'

/** Resolves to the answer, or to how it failed. Never rejects. */
export function replyOf(answer: Promise<SideAnswer>): Promise<Reply> {
  return answer.then(
    ({ status, body, headers, failure, malformed, charset, code, release, serviceMs }) => ({
      ...{ status, body, headers, malformed, charset },
      ...{ failure, code, release, serviceMs },
    }),
    (error: unknown) => ({ failure: kindOf(error), malformed: malformedIn(error) }),
  )
}

const malformedIn = (error: unknown): string | undefined =>
  kindOf(error) === 'malformed' && error instanceof Error ? malformedBy(error.message) : undefined

const kindOf = (error: unknown): string =>
  error instanceof Error && 'kind' in error ? String(error.kind) : 'no answer'
