/** What MAPPING_FILE says: plain data, which can be sent to another thread. See docs/corrections.md. */
export interface Corrections {
  readonly operations: Readonly<Record<string, OperationCorrections>>
}

/** The corrections of one operation. */
export interface OperationCorrections {
  readonly why?: string | undefined
  readonly by?: string | undefined
  /** Lines of the answer, by legacy path from the root of the legacy answer. */
  readonly response?: Readonly<Record<string, AnswerLine>> | undefined
  /** Lines of the request, by legacy path. */
  readonly request?: Readonly<Record<string, RequestLine>> | undefined
}

export type Form = 'string' | 'number' | '0/1' | 'timestamp' | 'date' | 'epoch' | 'upper' | 'lower'

/** Names of values: legacy name to v1 name, or pairs of JSON values, legacy first. */
export type EnumNames = Readonly<Record<string, string>> | readonly (readonly [legacy: Scalar, v1: Scalar])[]
export type Scalar = string | number | boolean

/** A line of an answer: exactly one of `from`, `join`, `always`, `lost` and `drop`. Only `from` has the other members. */
export type AnswerLine =
  | {
      /** From the root of v1's body. */
      readonly from: string
      readonly as?: Form | undefined
      readonly scale?: number | undefined
      readonly enum?: EnumNames | undefined
      readonly absent?: 'null' | 'missing' | undefined
    }
  /** Paths of v1 (they begin with `items[]`, `data` or `meta`) and texts. */
  | { readonly join: readonly (string | { readonly text: string })[] }
  | { readonly always: unknown }
  | { readonly lost: string }
  | { readonly drop: true }

/** A line of a request: the v1 name, or `drop`. */
export type RequestLine =
  | {
      readonly to: string
      readonly as?: Form | undefined
      readonly scale?: number | undefined
      readonly enum?: EnumNames | undefined
    }
  | { readonly drop: true }

/** MAPPING_FILE cannot be used. The message lists every mistake, one per line, each with its place and what would be right. */
export class CorrectionsError extends Error {
  override readonly name = 'CorrectionsError'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}
