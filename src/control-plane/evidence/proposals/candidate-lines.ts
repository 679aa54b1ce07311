import type { AnswerLine, EnumNames, Scalar } from '../../../mapping/corrections/corrections.ts'
import type { Part } from './learned.ts'
import { nearness } from './name-nearness.ts'
import type { EnumTable, PathEvidence } from './path-evidence.ts'
import { SourceSum } from './source-sum.ts'

/** A line that agrees in all places of a legacy path. */
export interface CandidateLine {
  readonly line: AnswerLine
  /** The v1 paths that it reads. */
  readonly reads: readonly string[]
  /** The simplest lines first. */
  readonly rank: number
  /** Whether what it shows where v1 has no value was seen often enough. */
  readonly isThin: boolean
  /** The number of names of an enum; 0: it is none. */
  readonly names: number
}

const RANK = { asIs: 0, converted: 1, joined: 2, named: 3, constant: 4 } as const

/** What `absent` says must have been seen this often. */
const LEAST_ABSENT = 5

/** Returns the lines that agree in all places of a legacy path, the simplest first; of equally simple ones, the nearest name first. */
export function candidateLines(path: PathEvidence): readonly CandidateLine[] {
  if (path.places === 0) return []
  const found = [...fromSources(path), ...joins(path), ...enums(path), ...constants(path)]
  const near = new Map(found.map((each) => [each, Math.max(0, ...each.reads.map((v1) => nearness(path.legacy, v1)))]))
  return found.sort(
    (one, other) =>
      one.rank - other.rank || (near.get(other) as number) - (near.get(one) as number) || bySource(one, other),
  )
}

const bySource = ({ reads: [one = ''] }: CandidateLine, { reads: [other = ''] }: CandidateLine): number =>
  one < other ? -1 : 1

function fromSources(path: PathEvidence): readonly CandidateLine[] {
  return [...path.sources.values()].flatMap((sum) =>
    sum.conversions().flatMap(({ agreed, as, scale }): readonly CandidateLine[] => {
      const shown = agreed === path.places ? absentOf(path, sum) : undefined
      if (shown === undefined) return []
      const line = {
        ...{ from: sum.v1, ...(as !== undefined && { as }), ...(scale !== undefined && { scale }) },
        ...shown.absent,
      }
      const rank = as === undefined && scale === undefined ? RANK.asIs : RANK.converted
      return [{ line, reads: [sum.v1], rank, isThin: shown.isThin, names: 0 }]
    }),
  )
}

interface Absent {
  readonly absent: { readonly absent?: 'null' | 'missing' }
  readonly isThin: boolean
}

/** Returns what a line must say about values that v1 does not have; undefined: nothing fits. */
function absentOf({ nulls, missings }: PathEvidence, sum: SourceSum): Absent | undefined {
  if (sum.conflicts(nulls, missings, undefined) === 0) return { absent: {}, isThin: false }
  const absent = (['null', 'missing'] as const).find((each) => sum.conflicts(nulls, missings, each) === 0)
  return absent && { absent: { absent }, isThin: sum.absentTimes(nulls, absent) < LEAST_ABSENT }
}

function joins(path: PathEvidence): readonly CandidateLine[] {
  if (path.missings > 0) return []
  return [...(path.joins?.values() ?? [])].map((parts) => ({
    line: { join: parts.map(written) },
    reads: parts.filter((part) => typeof part === 'string'),
    ...{ rank: RANK.joined, isThin: false, names: 0 },
  }))
}

/** A text that could be taken for a path of v1 says that it is none. */
const PATH = /^(?:items\[\]|data|meta)/

const written = (part: Part): Part => (typeof part === 'string' || PATH.test(part.text) ? part : part.text)

function enums(path: PathEvidence): readonly CandidateLine[] {
  return [...(path.enums ?? [])].flatMap(([v1, table]): readonly CandidateLine[] => {
    const shown = absentOf(path, path.sources.get(v1) ?? new SourceSum(v1))
    const names = namesOf(table)
    if (shown === undefined || names === undefined) return []
    const line = { from: v1, enum: names, ...shown.absent }
    return [{ line, reads: [v1], rank: RANK.named, isThin: shown.isThin, names: table.size }]
  })
}

/** Returns the names that differ; undefined: none does. */
function namesOf(table: EnumTable): EnumNames | undefined {
  const pairs = [...table].filter(([legacy, v1]) => legacy !== v1).sort(([one], [other]) => (one < other ? -1 : 1))
  if (pairs.length === 0) return undefined
  const parsed = pairs.map(([legacy, v1]) => [JSON.parse(legacy) as Scalar, JSON.parse(v1) as Scalar] as const)
  const areTexts = parsed.every((pair) => pair.every((name) => typeof name === 'string'))
  return areTexts ? (Object.fromEntries(parsed) as Readonly<Record<string, string>>) : parsed
}

function constants({ constant, nulls, missings }: PathEvidence): readonly CandidateLine[] {
  if (typeof constant !== 'string' || nulls + missings > 0) return []
  return [{ line: { always: JSON.parse(constant) }, reads: [], ...{ rank: RANK.constant, isThin: false, names: 0 } }]
}
