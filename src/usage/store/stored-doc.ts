import type { Marks, Seen } from '../usage.ts'

/** As which no agents, and nothing that calls showed, are stored. */
export const NO_AGENTS = '[]'
export const NO_DOC = '{}'

const KINDS = ['members', 'empty', 'removed', 'answered', 'statuses', 'violations', 'languages'] as const

type StoredDoc = Readonly<Record<keyof Seen, never>>

/** Returns what calls showed as it is stored: JSON, without what is empty. */
export function docText(seen: Seen): string {
  const doc: Record<string, number | Marks> = {}
  if (seen.calls > 0) doc.calls = seen.calls
  if (seen.other > 0) doc.other = seen.other
  for (const kind of KINDS) if (Object.keys(seen[kind]).length > 0) doc[kind] = seen[kind]
  return JSON.stringify(doc)
}

/** Returns undefined for a text that is no such document. Checked by hand: a report reads hundreds of thousands. */
export function docIn(text: string): Seen | undefined {
  try {
    const doc: StoredDoc = JSON.parse(text)
    const { calls = 0, other = 0 } = doc
    if (!(isCount(calls) && isCount(other))) return undefined
    return {
      calls,
      members: marksIn(doc.members),
      empty: marksIn(doc.empty),
      removed: marksIn(doc.removed),
      other,
      answered: marksIn(doc.answered),
      statuses: marksIn(doc.statuses),
      violations: marksIn(doc.violations),
      languages: marksIn(doc.languages),
    }
  } catch {
    return undefined
  }
}

/** Returns undefined for a text that is no list of texts in JSON. */
export function agentsIn(text: string): readonly string[] | undefined {
  try {
    const agents: unknown = JSON.parse(text)
    return Array.isArray(agents) && agents.every((one) => typeof one === 'string') ? agents : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const NO_MARKS: Marks = {}

function marksIn(value: unknown = NO_MARKS): Marks {
  if (typeof value !== 'object' || value === null) throw new Error('these are no counts by name')
  const marks = value as Marks
  for (const name in marks) if (!isCount(marks[name])) throw new Error('these are no counts by name')
  return marks
}
