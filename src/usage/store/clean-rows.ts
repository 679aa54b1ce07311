import { OTHERS } from '../../observe/traffic.ts'
import { cleanText, isClean } from '../../state/clean-text.ts'
import { addUsage } from '../add-usage.ts'
import { addMarksOf } from '../brownouts/brownout-calls.ts'
import { type Marks, MOST_AGENTS, type Seen, type UsageRow } from '../usage.ts'

/** Longer texts are cut. Longer client names count as `OTHERS`, because two of them may begin alike. */
const LONGEST = 200

/** Returns rows that every database takes, with texts of bounded length. */
export const cleanRows = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows.map((row) => ({
    ...row,
    client: row.client.length > LONGEST ? OTHERS : cleanText(row.client),
    agents: row.agents.slice(0, MOST_AGENTS).map(cut),
    seen: cleanSeen(row.seen),
  }))

const isFine = (text: string): boolean => text.length <= LONGEST && isClean(text)
const cut = (text: string): string => (isFine(text) ? text : cleanText(text.slice(0, LONGEST)))

const cleanSeen = (seen: Seen): Seen => ({
  ...{ calls: seen.calls, other: seen.other, members: cleanMarks(seen.members), empty: cleanMarks(seen.empty) },
  ...{ removed: cleanMarks(seen.removed), answered: cleanMarks(seen.answered), statuses: cleanMarks(seen.statuses) },
  ...(seen.forms !== undefined && { forms: cleanMarks(seen.forms) }),
  ...{ violations: cleanMarks(seen.violations), languages: cleanMarks(seen.languages) },
})

/** Nearly all names are clean, because they come from the mapping. */
function cleanMarks(marks: Marks): Marks {
  for (const name in marks) {
    if (!isFine(name)) return Object.fromEntries(Object.entries(marks).map(([name, calls]) => [cut(name), calls]))
  }
  return marks
}

/** Adds two rows of the same key. */
const added = (one: UsageRow, other: UsageRow): UsageRow => ({
  ...{ ...other, ...addUsage(one, other) },
  brownouts: addMarksOf(one.brownouts, other.brownouts),
})

/** Returns one row for each key, sorted by it, so that processes that write the same rows wait for each other in one order. */
export function inOrder(rows: readonly UsageRow[]): readonly UsageRow[] {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = `${row.client}\0${row.day}\0${row.operation}`
    const there = byKey.get(key)
    byKey.set(key, there === undefined ? row : added(there, row))
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
