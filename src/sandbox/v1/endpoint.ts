import type { z } from 'zod'
import type { Call } from '../service.ts'

export type { Call, Service } from '../service.ts'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/**
 * One endpoint (docs/contract.md 4). `answer` validates with the schemas. The description of the interface is made from
 * them and from `says`.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One sentence for the reader of a description. */
  readonly says: string
  readonly needsToken: boolean
  /** The schema of the path's variable parts, such as `{id}`. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** The schema of one item of a list. Not used for validation: the compiler checks the answer against it. */
  readonly item?: z.ZodObject
  /** Answers a call. Throws a V1Error for an error answer (docs/contract.md 9.2). */
  answer(call: Call): Answer | Promise<Answer>
}
