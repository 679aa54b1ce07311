import type { AnswerLine } from '../../../mapping/corrections/corrections.ts'
import type { Difference } from '../diff/difference.ts'
import { covers, pathOf, segmentsOf } from '../diff/path.ts'
import { type Alternative, type Certainty, hasSupport, judgePath, type Support, type Verdict } from './judge-path.ts'
import type { LearnedDifference } from './learned.ts'
import type { PathEvidence } from './path-evidence.ts'

/** The kind and place of a difference. */
export type Settled = Pick<Difference, 'kind' | 'path'>

/** A line that explains differences, and how sure that is. */
export interface Proposal {
  /** The legacy path that the line is about. */
  readonly legacy: string
  readonly line: AnswerLine
  readonly certainty: Certainty
  /** The differences that count and that the line would settle. */
  readonly settles: readonly Settled[]
  readonly support: Support
  /** Other lines that agree in all places too, the nearest name first. */
  readonly alternatives: readonly Alternative[]
}

/** A difference that no line explains. */
export interface Unexplained extends Settled {
  readonly says: string
}

export interface ProposedLines {
  readonly proposals: readonly Proposal[]
  readonly unexplained: readonly Unexplained[]
  /**
   * Lines that keep members of v1 under their own names beside the proposals that are certain, because legacy has them there too. Without
   * them, a member that a proposal reads would be answered at its new place only.
   */
  readonly keeps: Readonly<Record<string, AnswerLine>>
}

/** A legacy path with its verdict. */
interface Judged {
  readonly path: PathEvidence
  readonly verdict: Verdict
}

/**
 * Proposes lines for the differences of an operation.
 * @param isShared whether several clients are known.
 */
export function proposedLines(
  paths: readonly PathEvidence[],
  differences: readonly LearnedDifference[],
  isShared: boolean,
): ProposedLines {
  const isDiffering = ({ legacy }: PathEvidence): boolean => differences.some((each) => isSettledBy(each, legacy, []))
  const judged = judge(paths, isShared)
  const at = new Map(paths.map((path) => [path.legacy, path]))
  const lines = judged.flatMap(({ path, verdict }): readonly (Proposal & { readonly reads: readonly string[] })[] => {
    if (!('line' in verdict)) return []
    const { mayRead: _, ...proposal } = verdict
    if (!isDiffering(path)) return []
    const settles = differences.filter((each) => isSettledBy(each, path.legacy, verdict.reads))
    // Whether legacy has what it reads under its own name too must be known, or the line would take it away there.
    const isKnown = verdict.reads.every((read) => at.has(path.ownPath(read)))
    const certainty = verdict.certainty === 'certain' && !isKnown ? 'weak' : verdict.certainty
    return [{ legacy: path.legacy, ...proposal, certainty, settles: settles.map(placeOf) }]
  })
  const dropped = differences.flatMap((difference) =>
    drops(
      difference,
      lines,
      judged.filter(({ path }) => isDiffering(path)),
      paths,
      isShared,
    ),
  )
  const proposals = [...lines.map(({ reads: _, ...proposal }) => proposal), ...dropped]
  const settled = new Set(proposals.flatMap(({ settles }) => settles.map(keyOf)))
  const says = new Map(judged.map(({ path, verdict }) => [path.legacy, 'says' in verdict ? verdict.says : undefined]))
  const unexplained = differences
    .filter((each) => !settled.has(keyOf(each)))
    .map((each) => ({ ...placeOf(each), says: says.get(each.path) ?? whyNone(each) }))
  return { proposals, unexplained, keeps: keptLines(lines, at) }
}

/** Returns the lines that keep what proposals read under its own name, where legacy has it too. */
function keptLines(
  lines: readonly (Proposal & { readonly reads: readonly string[] })[],
  at: ReadonlyMap<string, PathEvidence>,
): Readonly<Record<string, AnswerLine>> {
  const certain = lines.filter(({ certainty }) => certainty === 'certain')
  const proposed = new Set(certain.map(({ legacy }) => legacy))
  const kept = certain.flatMap(({ legacy, reads }) =>
    reads.flatMap((from): readonly (readonly [string, AnswerLine])[] => {
      const ownPath = at.get(legacy)?.ownPath(from) ?? legacy
      return !proposed.has(ownPath) && at.get(ownPath)?.isOnBothSides === true ? [[ownPath, { from }]] : []
    }),
  )
  return Object.fromEntries(kept)
}

const placeOf = ({ kind, path }: Settled): Settled => ({ kind, path })
const keyOf = ({ kind, path }: Settled): string => `${kind} ${path}`

function judge(paths: readonly PathEvidence[], isShared: boolean): readonly Judged[] {
  const first = paths.map((path) => ({ path, verdict: judgePath(path, isShared, false) }))
  // A line that is certain shows that the rows of its list belong together.
  const aligned = new Set(first.flatMap(({ path, verdict }) => (isFound(verdict) ? [path.container] : [])))
  const judged = first.map(({ path, verdict }) =>
    aligned.has(path.container) && !isFound(verdict)
      ? { path, verdict: judgePath(path, isShared, true) }
      : { path, verdict },
  )
  const isBeneath = (inner: PathEvidence, outer: PathEvidence): boolean =>
    inner !== outer && inner.container === outer.container && covers(outer.legacy, inner.legacy)
  const left = new Set(judged)
  for (const each of judged) {
    const beneath = judged.filter(({ path }) => isBeneath(path, each.path))
    if (beneath.length === 0) continue
    // Either the whole has a line or its members have.
    const isWhole =
      (isFound(each.verdict) && 'line' in each.verdict && each.path.places > 0) ||
      ('line' in each.verdict && beneath.every(({ verdict }) => !('line' in verdict) || 'lost' in verdict.line))
    for (const one of isWhole ? beneath : [each]) left.delete(one)
  }
  return [...left]
}

/** Whether a verdict is certain about where a value comes from. */
const isFound = (verdict: Verdict): boolean =>
  'line' in verdict && verdict.certainty === 'certain' && verdict.reads.length > 0

/** Whether a line of a legacy path, which reads these v1 paths, settles a difference. */
function isSettledBy({ kind, path, v1Path }: LearnedDifference, legacy: string, reads: readonly string[]): boolean {
  if (kind === 'extra' && path !== legacy) {
    return v1Path !== null && reads.some((read) => covers(read, v1Path) || covers(v1Path, read))
  }
  return path === legacy || (kind === 'missing' && covers(path, legacy)) || covers(legacy, path)
}

/** Proposes to drop what only v1 has, and no line reads. */
function drops(
  difference: LearnedDifference,
  lines: readonly (Proposal & { readonly reads: readonly string[] })[],
  judged: readonly Judged[],
  paths: readonly PathEvidence[],
  isShared: boolean,
): readonly Proposal[] {
  const { kind, path, v1Path, leaves } = difference
  const evidence = paths.find(({ legacy }) => legacy === path)
  if (kind !== 'extra' || evidence === undefined || v1Path === null) return []
  if (evidence.places + evidence.nulls + evidence.earlierNulls > 0) return []
  const reads = lines.flatMap((line) => line.reads)
  const mayRead = judged.flatMap(({ verdict }) => verdict.mayRead)
  if (reads.some((read) => covers(read, v1Path))) return []
  const isReadIn = reads.some((read) => covers(v1Path, read))
  const at = (leaf: string, root: string): string => pathOf([...segmentsOf(root), ...segmentsOf(leaf)])
  const left = isReadIn ? leaves.filter((leaf) => !reads.some((read) => covers(at(leaf, v1Path), read))) : ['']
  const { extras, extraExchanges, extraNulls, inputs } = evidence
  const support = { exchanges: extraExchanges, places: extras, distinct: 0, inputs }
  return left.map((leaf): Proposal => {
    const v1 = at(leaf, v1Path)
    const isInQuestion = mayRead.some((read) => covers(v1, read) || covers(read, v1))
    const certainty = !hasSupport(support, evidence, isShared) ? 'weak' : isInQuestion ? 'ambiguous' : 'certain'
    const isOnlyNull = extras === 0 && extraNulls > 0
    const alternatives = isOnlyNull
      ? [{ line: { from: v1, absent: 'missing' as const }, tells: `an exchange in which ${v1} has a value` }]
      : []
    return {
      legacy: at(leaf, path),
      line: { drop: true },
      certainty,
      settles: [placeOf(difference)],
      support,
      alternatives,
    }
  })
}

function whyNone({ kind, path }: LearnedDifference): string {
  if (kind === 'dropped') return 'the mapping does not send it, and no line is guessed: write one with to or drop'
  if (kind === 'status' || kind === 'failure' || kind === 'header') return 'no line changes it'
  if (kind === 'length' || kind === 'order' || path.endsWith('[]') || path === '')
    return 'no line changes which rows there are'
  return 'no line of one v1 path or two explains it'
}
