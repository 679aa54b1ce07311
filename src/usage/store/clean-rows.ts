import { OTHERS } from '../../observe/traffic.ts'
import { cleanText } from '../../state/clean-text.ts'
import { addUsage } from '../add-usage.ts'
import { type Marks, MOST_AGENTS, type Seen, type UsageRow } from '../usage.ts'

/** Longer texts are cut; longer names of clients count as `OTHERS`, since two may begin alike. */
const LONGEST = 200

/** Returns rows that every database takes, with texts of bounded length. */
export const cleanRows = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows.map((row) => ({
    ...row,
    client: row.client.length > LONGEST ? OTHERS : cleanText(row.client),
    agents: row.agents.slice(0, MOST_AGENTS).map(cut),
    seen: cleanSeen(row.seen),
  }))

const cut = (text: string): string => cleanText(text.slice(0, LONGEST))

function cleanSeen(seen: Seen): Seen {
  const kinds = Object.entries(seen).map(([kind, of]) => [kind, typeof of === 'number' ? of : cleanMarks(of)])
  return Object.fromEntries(kinds) as unknown as Seen
}

const cleanMarks = (marks: Marks): Marks =>
  Object.fromEntries(Object.entries(marks).map(([name, calls]) => [cut(name), calls]))

/** Returns one row for each key, sorted by it, so that processes that write the same rows wait for each other in one order. */
export function inOrder(rows: readonly UsageRow[]): readonly UsageRow[] {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = JSON.stringify([row.client, row.day, row.operation])
    const there = byKey.get(key)
    byKey.set(key, there === undefined ? row : { ...row, ...addUsage(there, row) })
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
