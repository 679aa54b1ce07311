import { foldText } from './fold-text.ts'
import { type Condition, condition, isAnyOf, when } from './select-page.ts'

/** The filters that both cities and counties have (docs/contract.md 4.10 and 4.11). */
export interface PlaceFilter {
  /** Any of these. */
  ids?: readonly number[] | undefined
  /** The whole name, case-insensitive. */
  nameExact?: string | undefined
  /** The start of the name, case-insensitive. */
  namePrefix?: string | undefined
}

/** The last Unicode character, which no name contains. */
const last = '\u{10FFFF}'

/** Builds the conditions. `%` and `_` in the prefix are plain text. */
export function matchesPlace({ ids, nameExact, namePrefix }: PlaceFilter): (Condition | undefined)[] {
  return [
    when(ids, (each) => isAnyOf('id', each)),
    when(nameExact, (name) => condition('nameFolded = ?', foldText(name))),
    when(namePrefix, (prefix) => startsWith(foldText(prefix))),
  ]
}

/** Matches a prefix by a range, which can use an index. */
function startsWith(folded: string): Condition {
  return condition('nameFolded >= ? AND nameFolded < ?', folded, folded + last)
}
