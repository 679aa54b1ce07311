import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { type Asked, observation, type TryLines } from './compare-answers.ts'
import { NOTHING_SHOWN, type RedactJson, type ShownValues, showValues } from './examples.ts'
import type { Expectations } from './expected/expectations.ts'
import type { Observation } from './observation.ts'
import { sizeOf } from './reply.ts'
import { type AnsweredWrite, checkWrite, type WriteTranslation } from './writes/check-write.ts'
import { withControlsValues } from './writes/given-values.ts'

/** An exchange with the answers of both sides. Plain data: it can be sent to another thread. */
export interface AnsweredExchange extends Omit<Asked, 'expectations' | 'input' | 'line' | 'matched' | 'trial'> {
  readonly request: ExchangeRequest
  /** It is a write, and a copy of v1 gave the candidate's answer; unset: v1 itself did. */
  readonly isCopied?: true
}

/** A write with legacy's answer. Plain data. */
export type AnsweredOnce = Omit<AnsweredWrite, 'expectations' | 'input'>

/** What a comparison found, and what it shows. Plain data; `examples` is empty. */
export interface Compared extends Observation {
  readonly shown: ShownValues
}

/** A larger exchange, or a larger answer of the other side, is not compared: it would take too much memory. Replay has no such limit. */
export const MAX_COMPARED_BYTES = 2 * 1024 * 1024

/** Whether an answer is too large to be compared. */
export const isTooLarge = ({ control, candidate, control2, candidate2 }: AnsweredExchange): boolean =>
  [control, candidate, control2, candidate2].some((reply) => reply !== undefined && sizeOf(reply) > MAX_COMPARED_BYTES)

/** What is shown of an exchange that was not compared: nothing. */
export const notCompared = (observation: Observation): Compared => ({ ...observation, shown: NOTHING_SHOWN })

/** Compares answers, and checks writes, in this thread. */
export interface Comparer {
  compare(exchange: AnsweredExchange): Compared
  checkWrite(write: AnsweredOnce): Compared
}

/** Compares the values that both services gave by presence and type, and names the codes with which a copy refuses. */
const matchedOf =
  ({ candidate: { code } }: AnsweredExchange, { response }: Expectations): NonNullable<Asked['matched']> =>
  (control, candidate) => ({ ...withControlsValues(response, control, candidate), code })

/** Compares answers and checks writes without delaying calls. Never rejects: an exchange that cannot be compared is not judged. */
export interface Comparing {
  compare(exchange: AnsweredExchange): Promise<Compared>
  checkWrite(write: AnsweredOnce): Promise<Compared>
  /** Stops comparing. Exchanges that are still waiting are not judged. */
  close(): Promise<void>
}

interface ComparerOptions {
  readonly expectations: (operation: string) => Expectations
  /** Returns how the gateway would translate an operation's writes. */
  readonly translation: (operation: string) => WriteTranslation
  /** Returns how to compare an operation with the certain lines in force; undefined: there are none. Unset: none are tried. */
  readonly trial?: (operation: string) => TryLines | undefined
  readonly redact: RedactJson
}

/** Returns a comparer. The values that it shows of an exchange are redacted. */
export function comparer({ expectations, translation, trial, redact }: ComparerOptions): Comparer {
  const shown = (found: Observation, expected: Expectations): Compared => ({
    ...found,
    examples: [],
    shown: showValues(found, expected, redact),
  })
  return {
    compare(exchange) {
      const expected = expectations(exchange.operation)
      const found = observation({
        ...exchange,
        expectations: expected,
        input: expected.inputOf(exchange.request),
        trial: trial?.(exchange.operation),
        ...(exchange.isCopied === true && { matched: matchedOf(exchange, expected) }),
      })
      return shown(exchange.isCopied === true ? { ...found, isCopied: true } : found, expected)
    },
    checkWrite(write) {
      const expected = expectations(write.operation)
      const asked = { ...write, expectations: expected, input: expected.inputOf(write.request) }
      return shown(checkWrite(asked, translation(write.operation)), expected)
    },
  }
}
