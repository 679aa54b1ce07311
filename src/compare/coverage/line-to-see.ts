import type { JsonValue } from '../diff/json-value.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'

/** Names a line of an operation's mapping that a call can show. Both members together identify the line. */
export interface LineName {
  readonly part: 'request' | 'answer' | 'error' | 'language' | 'paging'
  /** The legacy path of a member, v1's code of an error, `tr` or `en`, `more than one page` or `more than 200 rows`. */
  readonly legacy: string
}

/** The parts of an exchange that can show lines. */
export interface Showing {
  /** Whether the request has a value for this line's member that v1 gets or the gateway refuses. */
  readonly isSent: (legacy: string) => boolean
  /** The language that the request asks for. */
  readonly language: string
  /** The body of the control's success; undefined: it is not a success, or not JSON. */
  readonly success: JsonValue | undefined
  /** v1's error code; undefined: none. */
  readonly code: string | undefined
}

/** A line that must be seen before the mapping counts as exercised. */
export interface LineToSee extends LineName {
  /** The mapping's line about a member of the answer; null: the line is about the exchange as a whole. */
  readonly member: MappingLine | null
  isShownIn(showing: Showing): boolean
}

/** Writes the name of a line as rollout files and reports do: `request statusId`. */
export const lineText = ({ part, legacy }: { readonly part: string; readonly legacy: string }): string =>
  `${part} ${legacy}`
