import type { Type } from './converter.ts'
import type { Shape } from './shape.ts'

/**
 * What the contract shows of a parameter or a member of v1. The contract does not show what is left out. For descriptions of
 * v1 only; translation does not use it.
 */
export interface V1Value {
  readonly type?: Type | 'date'
  /** The range of a number, inclusive. */
  readonly low?: number
  readonly high?: number
  /** The length of a text, or of each value of a list in a text. */
  readonly shortest?: number
  readonly longest?: number
  readonly values?: readonly (string | number)[]
  /** Upper and lower case are the same. */
  readonly anyCase?: true
  /** The text is a list: values separated by commas. */
  readonly isList?: true
  /** For a boolean: it may also be sent as 1 or 0. */
  readonly oneAndZero?: true
  /** For an array: it must have an item. */
  readonly notEmpty?: true
  /** Null is valid, or is not. */
  readonly null?: 'not sent' | 'refused'
  readonly default?: string | number
  readonly says?: string
  /** How it differs from legacy's parameter, in a sentence, if the mapping does not say so. */
  readonly change?: string
  /** Undefined: the contract shows it. */
  readonly assumed?: string
}

/** What the contract shows of a v1 operation, beside the mapping. */
export interface V1Facts {
  /** What the operation does. */
  readonly says: string
  readonly query?: Readonly<Record<string, V1Value>>
  /** Members of the request's body, by path. */
  readonly body?: Readonly<Record<string, V1Value>>
  /** Members of the answered record or row, by path: those that the mapping lacks, and more about those that it has. */
  readonly answer?: Readonly<Record<string, V1Value>>
  /** The shape of the record, where the mapping's own leaves out what legacy does not have. */
  readonly record?: Shape
  /** Error codes and causes, by status. */
  readonly errors?: Readonly<Record<number, readonly string[]>>
}
