import type { JsonValue } from '../diff/json-value.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'

/** Names a line of an operation's mapping that a call can show. Both together name one line. */
export interface LineName {
  readonly part: 'request' | 'answer' | 'error' | 'language' | 'paging'
  /** The legacy path of a member, v1's code of an error, `tr` or `en`, `more than one page` or `more than 200 rows`. */
  readonly legacy: string
}

/** What one exchange has to show. */
export interface Showing {
  /** Whether the request sends v1 a value for the member of this line, or one that is refused. */
  readonly isSent: (legacy: string) => boolean
  /** The language that the request asks for. */
  readonly language: string
  /** The body of the control's success; undefined: it is none, or not JSON. */
  readonly success: JsonValue | undefined
  /** The error code of v1; undefined: none. */
  readonly code: string | undefined
}

/** A line of the mapping that is to be seen before one can say that the mapping was exercised. */
export interface LineToSee extends LineName {
  /** The mapping's line about a member of the answer; null: the line is about the exchange as a whole. */
  readonly member: MappingLine | null
  isShownIn(showing: Showing): boolean
}

/** Writes the name of a line as people do: `request statusId`. */
export const lineText = ({ part, legacy }: { readonly part: string; readonly legacy: string }): string =>
  `${part} ${legacy}`
