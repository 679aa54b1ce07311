import type { Call } from '../service.ts'

/** An answer of the legacy interface: the record or list itself, without an envelope. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** None with 204. */
  readonly body?: object
}

/** One operation (docs/contract.md 6). */
export interface LegacyOperation {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Throws a LegacyError or a BusinessError for what is answered with an error. */
  answer(call: Call): Answer | Promise<Answer>
}

/** A success with a body; legacy answers every record and list with 200. */
export function ok(body: object): Answer {
  return { status: 200, body }
}
