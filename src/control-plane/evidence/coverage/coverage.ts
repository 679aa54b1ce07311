import { counted } from '../../../common/figures.ts'
import { type LineName, type LineToSee, lineText } from './lines-to-see.ts'
import { type NotSentMember, notSentInWords, type ToldMember } from './not-sent.ts'

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
  /** `seen` of `lines`, 0 to 1; 1 where there is no line to be seen. */
  readonly share: number
  readonly unseen: readonly LineName[]
  /** What requests had and v1 did not get, what most requests had first. */
  readonly notSent: readonly NotSentMember[]
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
  counts: Pick<ReadonlyMap<string, LineCounts>, 'get'>,
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
export function coverageOf(exercised: readonly ExercisedLine[], notSent: readonly NotSentMember[] = []): Coverage {
  const toSee = exercised.filter(({ waived }) => waived === null)
  const unseen = toSee.filter(({ requests }) => requests === 0).map(({ part, legacy }) => ({ part, legacy }))
  const [lines, seen] = [toSee.length, toSee.length - unseen.length]
  return { lines, seen, share: lines === 0 ? 1 : seen / lines, unseen, notSent }
}

/**
 * Writes a verdict in words. `ready` adds what was never seen, and what clients send and v1 never gets:
 * `ready; 7 of 31 lines were never seen; 1 member that clients send never reaches v1: companyId (40 calls, 3 clients)`.
 * @param against who answered in v1's place, which each verdict names; null: v1 itself.
 */
export function verdictInWords(
  verdict: string,
  { lines, seen, notSent }: Pick<Coverage, 'lines' | 'seen'> & { readonly notSent: readonly ToldMember[] },
  against: string | null = null,
): string {
  const where = against === null ? [] : [`against ${against}`]
  if (verdict !== 'ready') return [verdict, ...where].join('; ')
  const unseen = lines - seen
  const neverSeen =
    unseen === 0 ? [] : [`${unseen} of ${counted(lines, 'line')} ${unseen === 1 ? 'was' : 'were'} never seen`]
  return [verdict, ...where, ...neverSeen, ...notSentInWords(notSent)].join('; ')
}
