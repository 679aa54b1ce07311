import type { z } from 'zod'
import type { Call } from '../service.ts'

export type { Call, Service } from '../service.ts'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/**
 * One endpoint (docs/contract.md 4). The schemas are those that its `answer` validates with; with `says` they are what a
 * description of the interface is made from.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One sentence for the reader of a description. */
  readonly says: string
  readonly needsToken: boolean
  /** Of the path's parts in braces, `{id}`. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** What one item of a list is. Nothing is validated with it; the compiler holds the answer against it. */
  readonly item?: z.ZodObject
  /** Throws a V1Error for what docs/contract.md 9.2 answers with an error. */
  answer(call: Call): Answer | Promise<Answer>
}
