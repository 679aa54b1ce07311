import type { Rule } from '../../mapping/shape.ts'

/** v1's answer lacks what the contract promises. */
export class PromiseError extends Error {
  override readonly name = 'PromiseError'

  /** `where` names the place in v1's answer, `what` the thing promised there. */
  constructor(where: string, what: string) {
    super(`${where}: no ${what}, which the contract promises`)
  }
}

/** Values from outside the record, as JSON text; undefined when they cannot be had. */
export interface RewriteContext {
  /** The `take` of the record of the reference list `list` whose `match` is `key`. */
  reference?(list: string, match: string, key: string, take: string): Uint8Array | undefined
  /** The `take` of row `index` of the request's `list`, when that has `count` rows. */
  requestRow?(list: string, take: string, index: number, count: number): Uint8Array | undefined
}

export interface RewriteOptions {
  readonly context?: RewriteContext
  /** Collects the names of members that a closed shape leaves out. */
  readonly dropped?: Set<string>
  /** Told of every line of a mapping that took effect. */
  readonly trace?: (rule: Rule) => void
}
