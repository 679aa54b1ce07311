import type { Marks, Seen } from '../usage.ts'

/** The stored form of no agents, and of nothing shown by calls. */
export const NO_AGENTS = '[]'
export const NO_DOC = '{}'

/** Returns the stored form of what calls showed: JSON, without empty members. */
export const docText = (seen: Seen): string =>
  JSON.stringify({
    calls: seen.calls > 0 ? seen.calls : undefined,
    other: seen.other > 0 ? seen.other : undefined,
    members: unlessEmpty(seen.members),
    empty: unlessEmpty(seen.empty),
    removed: unlessEmpty(seen.removed),
    forms: seen.forms && unlessEmpty(seen.forms),
    answered: unlessEmpty(seen.answered),
    statuses: unlessEmpty(seen.statuses),
    violations: unlessEmpty(seen.violations),
    languages: unlessEmpty(seen.languages),
  } satisfies Record<keyof Seen, unknown>)

function unlessEmpty(marks: Marks): Marks | undefined {
  for (const _ in marks) return marks
  return undefined
}

type StoredDoc = Readonly<Record<keyof Seen, never>>

/** Reads a stored document; undefined if the text is not one. Checked by hand, because a report reads hundreds of thousands. */
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
      ...('forms' in doc && { forms: marksIn(doc.forms) }),
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

/** Reads stored agents; undefined if the text is not a JSON list of strings. */
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
  if (typeof value !== 'object' || value === null) throw new Error('these are not counts by name')
  const marks = value as Marks
  for (const name in marks) if (!isCount(marks[name])) throw new Error('these are not counts by name')
  return marks
}
