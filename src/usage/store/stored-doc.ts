import type { Marks, Seen } from '../usage.ts'

/** What is stored of a row as JSON, without what is empty. */
export interface UsageDoc {
  readonly agents: readonly string[]
  readonly seen: Seen
}

const KINDS = ['members', 'empty', 'removed', 'answered', 'statuses', 'violations', 'languages'] as const

/** Writes what is stored of a row; `docIn` reads it. */
export function docText({ agents, seen }: UsageDoc): string {
  const { calls, other } = seen
  const marks = KINDS.map((kind) => [kind, seen[kind]] as const).filter(([, of]) => Object.keys(of).length > 0)
  return JSON.stringify({
    ...(agents.length > 0 && { agents }),
    ...(calls > 0 && { calls }),
    ...(other > 0 && { other }),
    ...Object.fromEntries(marks),
  })
}

/** Returns undefined for a text that is no such document. Checked by hand: a report reads hundreds of thousands. */
export function docIn(text: string): UsageDoc | undefined {
  try {
    const { agents = [], calls = 0, other = 0, ...marks } = JSON.parse(text)
    const seen: Seen = {
      ...{ calls, other, members: marksIn(marks.members), empty: marksIn(marks.empty) },
      ...{ removed: marksIn(marks.removed), answered: marksIn(marks.answered), statuses: marksIn(marks.statuses) },
      ...{ violations: marksIn(marks.violations), languages: marksIn(marks.languages) },
    }
    return isCount(calls) && isCount(other) && areTexts(agents) ? { agents, seen } : undefined
  } catch {
    return undefined
  }
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function marksIn(value: unknown = {}): Marks {
  if (typeof value === 'object' && value !== null && Object.values(value).every(isCount)) return value as Marks
  throw new Error('these are no counts by name')
}
