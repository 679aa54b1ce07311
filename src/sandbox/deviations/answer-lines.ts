import { z } from 'zod'
import type { ContractNames } from './contract-names.ts'
import type { Refuse } from './deviation-file.ts'
import { type Conversion, contradictionOf, conversionMembers } from './line-conversion.ts'
import { isBeneath, type LinePath, listsOf, mistakeInWords, splitBehind, splitPath, writePath } from './line-path.ts'

/** Lines as the file has them, by legacy path. */
export type Lines = Readonly<Record<string, object>>

/** How a member of a row or record deviates. Paths are within the row or record. */
export interface AnswerDeviation {
  readonly legacy: LinePath
  /** Where v1 has the member by the contract. */
  readonly contract: LinePath
  /** Whether another line reads that member of v1, so that it stays. */
  readonly stays: boolean
  /** Whether another line reads the same member of v1. */
  readonly isShared: boolean
  readonly change: Change
}

export type Change =
  | {
      readonly kind: 'from'
      readonly v1: LinePath
      readonly by: Conversion
      readonly absent?: 'null' | 'missing' | undefined
    }
  | { readonly kind: 'join'; readonly parts: readonly (LinePath | string)[] }
  | { readonly kind: 'always'; readonly value: unknown }
  | { readonly kind: 'lost' | 'drop' }

const kinds = {
  from: z.strictObject({ from: z.string(), ...conversionMembers, absent: z.enum(['null', 'missing']).optional() }),
  join: z.strictObject({
    join: z.array(z.union([z.string(), z.strictObject({ text: z.string() })])).min(1),
  }),
  always: z.strictObject({ always: z.unknown() }),
  lost: z.strictObject({ lost: z.string().min(1) }),
  drop: z.strictObject({ drop: z.literal(true) }),
} as const

/** Reads the lines of an answer, in the order in which they take effect. Refuses what is wrong with them. */
export function answerDeviations(lines: Lines, names: ContractNames, refuse: Refuse): readonly AnswerDeviation[] {
  const { root, renamed = {} } = names
  const deviations: AnswerDeviation[] = []
  for (const [path, line] of Object.entries(lines)) {
    if (root === undefined) {
      refuse(path, ': the answer has no members; remove the line')
      continue
    }
    const legacy = splitBehind(root.legacy, path)
    if (legacy === undefined) {
      const example = root.legacy === '' ? 'name' : `${root.legacy}.name`
      refuse(path, `: must be a path of a member in a row or record, as ${example}`)
      continue
    }
    const above = Object.keys(lines).find((other) => isBeneath(path, other))
    if (above !== undefined) refuse(path, `: is beneath ${above}, which has a line too; keep one of them`)
    const within = writePath(legacy)
    const contract = splitPath(renamed[within] ?? within) ?? legacy
    const change = readChange(
      line,
      (v1) => splitBehind(root.v1, v1),
      root.v1,
      (why) => refuse(path, why),
    )
    if (change === undefined) continue
    for (const v1 of v1PathsOf(change)) {
      if (!leadsTo(listsOf(contract), v1))
        refuse(
          path,
          `: v1's ${root.v1}.${writePath(v1)} is in another list; name a member of the same item, or of one around it`,
        )
    }
    deviations.push({ legacy, contract, stays: false, isShared: false, change })
  }
  refuseBeneath(deviations, names, refuse)
  const read = deviations.flatMap(({ change }) => v1PathsOf(change).map(writePath))
  const readers = (path: LinePath): number => read.filter((other) => other === writePath(path)).length
  return deviations
    .map((each) => ({
      ...each,
      stays: readers(each.contract) > 0,
      isShared: v1PathsOf(each.change).some((v1) => readers(v1) > 1),
    }))
    .sort((one, other) => turnOf(one) - turnOf(other))
}

/** Returns the v1 paths that a change names. */
export const v1PathsOf = (change: Change): readonly LinePath[] =>
  change.kind === 'from'
    ? [change.v1]
    : change.kind === 'join'
      ? change.parts.filter((part) => typeof part !== 'string')
      : []

/** What v1 keeps of the contract changes first, so that other lines read it as it is then; what only v1 has comes last. */
function turnOf({ contract, change }: AnswerDeviation): number {
  if (change.kind === 'from' && writePath(change.v1) === writePath(contract)) return 0
  return change.kind === 'from' ? 1 : change.kind === 'drop' ? 3 : 2
}

/** Whether the lists that lead to a member of v1 are the first of these. */
const leadsTo = (lists: LinePath, v1: LinePath): boolean =>
  listsOf(v1).every((names, at) => lists[at] !== undefined && lists[at].join('.') === names.join('.'))

/** Refuses members of v1 that are within others that lines make. */
function refuseBeneath(deviations: readonly AnswerDeviation[], { root }: ContractNames, refuse: Refuse): void {
  const made = deviations.flatMap(({ legacy, change }) =>
    v1PathsOf(change).map((v1) => ({
      legacy: behind(root?.legacy, writePath(legacy)),
      v1: behind(root?.v1, writePath(v1)),
    })),
  )
  for (const { legacy, v1 } of made) {
    const above = made.find((other) => isBeneath(v1, other.v1))
    if (above !== undefined)
      refuse(legacy, `: v1's ${v1} is beneath ${above.v1}, which another line reads; rename one of them`)
  }
}

const behind = (root: string | undefined, path: string): string => (root ? `${root}.${path}` : path)

function readChange(
  line: object,
  split: (path: string) => LinePath | undefined,
  root: string,
  refuse: (why: string) => void,
): Change | undefined {
  const named = Object.keys(kinds).filter((kind) => Object.hasOwn(line, kind)) as (keyof typeof kinds)[]
  const [kind] = named
  if (kind === undefined || named.length > 1) {
    refuse(`: must have exactly one of ${Object.keys(kinds).join(', ')}`)
    return undefined
  }
  const checked = kinds[kind].safeParse(line, { error: mistakeInWords })
  const contradiction = contradictionOf(line)
  if (contradiction !== undefined) refuse(`: ${contradiction}`)
  for (const { path, message } of checked.error?.issues ?? [])
    refuse(`${path.map((name) => `.${String(name)}`).join('')}: ${message}`)
  if (!checked.success || contradiction !== undefined) return undefined
  const data = checked.data
  if ('from' in data) {
    const { from, absent, enum: names, as, scale } = data
    const v1 = split(from)
    if (v1 === undefined) {
      refuse(`.from: must be a path of v1, as ${root}.name; ${from} is none`)
      return undefined
    }
    return { kind: 'from', v1, by: { as, scale, names }, absent }
  }
  if ('join' in data) {
    const parts = data.join.map((part) => (typeof part === 'string' ? (split(part) ?? part) : part.text))
    return { kind: 'join', parts }
  }
  if ('always' in data) return { kind: 'always', value: data.always }
  return { kind: 'lost' in data ? 'lost' : 'drop' }
}
