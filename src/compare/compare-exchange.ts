import type { ExchangeRequest } from '../exchange/exchange.ts'
import type { Expectations } from './expected/expectations.ts'
import { type Asked, type Observation, observation } from './observe-exchange.ts'
import { inputOf } from './reply-of.ts'
import { type RedactJson, type ShownValues, showValues } from './show-values.ts'

/** An exchange with the answers of both sides. Plain data: it can be sent to another thread. */
export interface AnsweredExchange extends Omit<Asked, 'expectations' | 'input' | 'line'> {
  readonly request: ExchangeRequest
}

/** What a comparison found, and what it shows. Plain data; `examples` is empty. */
export interface Compared extends Observation {
  readonly shown: ShownValues
}

/** Returns how exchanges are compared. What one shows of their values is redacted. */
export function exchangeComparer(
  expectations: (operation: string) => Expectations,
  redact: RedactJson,
): (exchange: AnsweredExchange) => Compared {
  return (asked) => {
    const expected = expectations(asked.operation)
    const found = observation({ ...asked, expectations: expected, input: inputOf(asked.request) })
    return { ...found, examples: [], shown: showValues(found, expected, redact) }
  }
}
