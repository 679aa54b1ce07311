import type { Call } from '../service.ts'

/** An answer of the legacy interface: the record or list itself, without an envelope. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Undefined for a 204. */
  readonly body?: object
}

/** One operation (docs/contract.md 6). */
export interface LegacyOperation {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Answers a call. Throws a LegacyError or a BusinessError for an error answer. */
  answer(call: Call): Answer | Promise<Answer>
}

/** Builds a success with a body. Legacy answers every record and list with 200. */
export function ok(body: object): Answer {
  return { status: 200, body }
}
