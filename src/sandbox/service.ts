import type { DatabaseSync } from 'node:sqlite'
import type { HonoRequest } from 'hono'
import type { Language } from './language.ts'

/** The service behind both faces. */
export interface Service {
  readonly db: DatabaseSync
  /** The clock, in ms since 1970. */
  readonly now: () => number
}

/** One request to one face. */
export interface Call {
  readonly service: Service
  readonly request: HonoRequest
  /** The language of names and validation messages; in legacy, of all messages. Other messages of v1 are Turkish. */
  readonly language: Language
}
