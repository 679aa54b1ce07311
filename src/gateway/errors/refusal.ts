import type { Violation } from '../../engine/translate-parameters.ts'
import { StacklessError } from './stackless-error.ts'

/** A refusal of the gateway itself, which does not ask v1. `message` names a text in `mappings/messages`. */
export class Refusal extends StacklessError {
  override readonly name = 'Refusal'
  readonly status: number
  readonly values: Readonly<Record<string, string>>
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    details: {
      readonly values?: Readonly<Record<string, string>>
      readonly violations?: readonly Violation[]
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.values = details.values ?? {}
    this.violations = details.violations
    this.headers = details.headers ?? {}
  }
}
