import type { LineName, LineToSee } from './line-to-see.ts'
import { lineText } from './line-to-see.ts'

/** A line that need not be seen, and who decided so. */
export interface Waiver {
  /** As `lineText` writes it. */
  readonly line: string
  readonly why: string
  readonly by: string
}

/** How many compared exchanges showed a line, and in how many of them the answers differed there. */
export interface LineCounts {
  readonly part: string
  readonly legacy: string
  readonly requests: number
  readonly differed: number
}

/** How many of the lines to be seen were seen. */
export interface Coverage {
  readonly lines: number
  readonly seen: number
  /** 0 to 1, rounded down to three digits; 1 where there is no line to be seen. */
  readonly share: number
  readonly unseen: readonly LineName[]
}

/** One line, and how often it was seen. */
export interface ExercisedLine extends LineName {
  readonly requests: number
  readonly differed: number
  /** Null: the line still has to be seen. */
  readonly waived: Pick<Waiver, 'why' | 'by'> | null
}

/** Returns how often each line of the mapping was seen, in the mapping's order. */
export function exercisedLines(
  linesToSee: readonly LineToSee[],
  counts: ReadonlyMap<string, LineCounts>,
  waivers: readonly Waiver[] = [],
): readonly ExercisedLine[] {
  return linesToSee.map(({ part, legacy }) => {
    const text = lineText({ part, legacy })
    const { requests = 0, differed = 0 } = counts.get(text) ?? {}
    const waiver = waivers.find(({ line }) => line === text)
    return { part, legacy, requests, differed, waived: waiver ? { why: waiver.why, by: waiver.by } : null }
  })
}

/** Adds lines up. A waived line does not have to be seen. */
export function coverageOf(exercised: readonly ExercisedLine[]): Coverage {
  const toSee = exercised.filter(({ waived }) => waived === null)
  const unseen = toSee.filter(({ requests }) => requests === 0).map(({ part, legacy }) => ({ part, legacy }))
  return { ...shareOf(toSee.length - unseen.length, toSee.length), unseen }
}

/** Rounds down, so that only complete coverage is 1. */
function shareOf(seen: number, lines: number): Omit<Coverage, 'unseen'> {
  return { lines, seen, share: lines === 0 ? 1 : Math.floor((seen * 1_000) / lines) / 1_000 }
}

/** Writes a verdict in words. `ready` adds what was never seen: `ready; 7 of 31 lines were never seen`. */
export function verdictInWords(verdict: string, { lines, seen }: Pick<Coverage, 'lines' | 'seen'>): string {
  const unseen = lines - seen
  if (verdict !== 'ready' || unseen === 0) return verdict
  return `${verdict}; ${unseen} of ${lines} lines ${unseen === 1 ? 'was' : 'were'} never seen`
}
