import type { DatabaseSync } from 'node:sqlite'
import type { HonoRequest } from 'hono'
import type { Language } from './language.ts'

/** What both faces work on. */
export interface Service {
  readonly db: DatabaseSync
  /** The clock, in ms since 1970. */
  readonly now: () => number
}

/** One request of one face. */
export interface Call {
  readonly service: Service
  readonly request: HonoRequest
  /** Of names and validation messages, and in legacy of all messages; v1's other messages are Turkish. */
  readonly language: Language
}
