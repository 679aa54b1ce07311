import type { DatabaseSync } from 'node:sqlite'
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Language } from '../language.ts'

/** What every endpoint works on. */
export interface Service {
  readonly db: DatabaseSync
  /** The clock, in ms since 1970. */
  readonly now: () => number
}

/** One request of one endpoint. */
export interface Call {
  readonly service: Service
  readonly request: HonoRequest
  /** Of names and validation messages; all other messages are Turkish. */
  readonly language: Language
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/**
 * One endpoint of the contract. The schemas are those that its `answer` validates with; with `says` they are what a
 * description of the interface is made from.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One sentence for the reader of a description. */
  readonly says: string
  readonly needsToken: boolean
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Throws a V1Error for what the contract answers with an error. */
  answer(call: Call): Answer | Promise<Answer>
}
