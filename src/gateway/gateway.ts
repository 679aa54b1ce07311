import type { CompiledOperation } from '../engine/compile-operations.ts'
import type { ReferenceLists } from '../reference/reference-lists.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { FindOperation } from './find-operation.ts'
import type { LegacyRequest } from './legacy-request.ts'
import type { Messages } from './messages.ts'

/** What the way of a request needs. */
export interface Gateway {
  readonly find: FindOperation
  /** The operation of an id, for what one answer takes from another's. */
  byId(id: string): CompiledOperation | undefined
  readonly v1: Upstream
  readonly lists: ReferenceLists
  readonly messages: Messages
  readonly maxBodyBytes: number
}

/** One call on its way, and what is noted of it for the log. */
export interface Call {
  readonly request: LegacyRequest
  operation: CompiledOperation | undefined
  /** v1's status; of several answers the last one's. */
  v1Status: number | undefined
  /** How often v1 was asked, and how long it took in all. */
  v1Calls: number
  v1Milliseconds: number
  /** Legacy members that were not sent. */
  dropped: ReadonlySet<string>
}

export function newCall(request: LegacyRequest): Call {
  return { request, operation: undefined, v1Status: undefined, v1Calls: 0, v1Milliseconds: 0, dropped: new Set() }
}
