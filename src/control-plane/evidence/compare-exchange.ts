import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { type Asked, observation } from './compare-answers.ts'
import { type RedactJson, type ShownValues, showValues } from './examples.ts'
import type { Expectations } from './expected/expectations.ts'
import type { Observation } from './observation.ts'
import { type AnsweredWrite, checkWrite, type WriteTranslation } from './writes/check-write.ts'

/** An exchange with the answers of both sides. Plain data: it can be sent to another thread. */
export interface AnsweredExchange extends Omit<Asked, 'expectations' | 'input' | 'line' | 'matched'> {
  readonly request: ExchangeRequest
}

/** A write with legacy's answer. Plain data. */
export type AnsweredOnce = Omit<AnsweredWrite, 'expectations' | 'input'>

/** What a comparison found, and what it shows. Plain data; `examples` is empty. */
export interface Compared extends Observation {
  readonly shown: ShownValues
}

/** Compares answers, and checks writes, in this thread. */
export interface Comparer {
  compare(exchange: AnsweredExchange): Compared
  checkWrite(write: AnsweredOnce): Compared
}

/** Compares answers and checks writes without delaying calls. Never rejects: an exchange that cannot be compared is not judged. */
export interface Comparing {
  compare(exchange: AnsweredExchange): Promise<Compared>
  checkWrite(write: AnsweredOnce): Promise<Compared>
  /** Stops comparing. Exchanges that are still waiting are not judged. */
  close(): Promise<void>
}

/**
 * Returns a comparer. The values that it shows of an exchange are redacted.
 * @param translation returns how the gateway would translate an operation's writes.
 */
export function comparer(
  expectations: (operation: string) => Expectations,
  translation: (operation: string) => WriteTranslation,
  redact: RedactJson,
): Comparer {
  const shown = (found: Observation, expected: Expectations): Compared => ({
    ...found,
    examples: [],
    shown: showValues(found, expected, redact),
  })
  return {
    compare(exchange) {
      const expected = expectations(exchange.operation)
      return shown(
        observation({ ...exchange, expectations: expected, input: expected.inputOf(exchange.request) }),
        expected,
      )
    },
    checkWrite(write) {
      const expected = expectations(write.operation)
      const asked = { ...write, expectations: expected, input: expected.inputOf(write.request) }
      return shown(checkWrite(asked, translation(write.operation)), expected)
    },
  }
}
