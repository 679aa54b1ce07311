/** How many calls showed what, by name. */
export type Marks = Readonly<Record<string, number>>

/**
 * What calls showed: names of the mapping, statuses and codes, never a value. Not every call of a busy client is looked at; `calls`
 * says how many were.
 */
export interface Seen {
  readonly calls: number
  /** Request members with a value, by the legacy path of their mapping line. */
  readonly members: Marks
  /** Request members that were sent as null or empty. */
  readonly empty: Marks
  /** Request members with a value that v1 removed. */
  readonly removed: Marks
  /**
   * Forms of values that the mapping does not read, with what happens to them (`usage/value-forms.ts`):
   * `dateAtBetween.startAt: refused: 99.99.9999`. Unset: none.
   */
  readonly forms?: Marks | undefined
  /** Calls with members that no line of the mapping knows. */
  readonly other: number
  /** Members of successful answers with a value, by the legacy path of their mapping line. */
  readonly answered: Marks
  /** Answers by status, and by status and code where v1 gave one: `200`, `406 CARRIER_IS_NOT_FOUND`. */
  readonly statuses: Marks
  /** Members that a validation error named, by the legacy path of their mapping line; others are `other members`. */
  readonly violations: Marks
  /** The requested languages: `tr`, `en`. */
  readonly languages: Marks
}
