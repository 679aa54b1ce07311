import { foldText } from './fold-text.ts'
import { type Condition, condition, when } from './select-page.ts'

/** The filters that cities and counties have in common (docs/contract.md 4.10 and 4.11). */
export interface PlaceFilter {
  /** Any of these. */
  ids?: readonly number[] | undefined
  /** The whole name, whatever its case. */
  nameExact?: string | undefined
  /** What the name starts with, whatever its case. */
  namePrefix?: string | undefined
}

/** The last character that there is; no name has it. */
const last = '\u{10FFFF}'

/** Any number of ids, and a prefix in which `%` and `_` are text. */
export function matchesPlace({ ids, nameExact, namePrefix }: PlaceFilter): (Condition | undefined)[] {
  return [
    when(ids, (each) => condition('id IN (SELECT value FROM json_each(?))', JSON.stringify(each))),
    when(nameExact, (name) => condition('nameFolded = ?', foldText(name))),
    when(namePrefix, (prefix) => startsWith(foldText(prefix))),
  ]
}

/** A range, which an index can find. */
function startsWith(folded: string): Condition {
  return condition('nameFolded >= ? AND nameFolded < ?', folded, folded + last)
}
