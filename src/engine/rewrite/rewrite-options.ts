import type { Rule } from '../../mapping/shape.ts'

/** Thrown if v1's answer lacks something that the contract promises. */
export class PromiseError extends Error {
  override readonly name = 'PromiseError'

  /** `where` names the place in v1's answer, `what` the thing promised there. */
  constructor(where: string, what: string) {
    super(`${where}: no ${what}, which the contract promises`)
  }
}

/** Looks up values from outside the record, as JSON text. Undefined if a value is not available. */
export interface RewriteContext {
  /** Returns `take` of the record of the reference list `list` whose `match` is `key`. */
  reference?(list: string, match: string, key: string, take: string): Uint8Array | undefined
  /** Returns `take` of row `index` of the request's `list`, if that has `count` rows. */
  requestRow?(list: string, take: string, index: number, count: number): Uint8Array | undefined
}

export interface RewriteOptions {
  readonly context?: RewriteContext
  /** Collects the names of members that a closed shape leaves out. */
  readonly dropped?: Set<string>
  /** Called for every mapping line that takes effect. */
  readonly trace?: (rule: Rule) => void
}
