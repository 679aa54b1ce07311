import { z } from 'zod'
import type { Lines } from './answer-lines.ts'
import type { ContractNames } from './contract-names.ts'
import type { Refuse } from './deviation-file.ts'
import { type Conversion, contradictionOf, conversionMembers } from './line-conversion.ts'
import { isBeneath, type LinePath, listsOf, mistakeInWords, splitPath, writePath } from './line-path.ts'

/** How a parameter or a member of a request deviates. */
export interface RequestDeviation {
  readonly legacy: LinePath
  /** Where v1 takes it by the contract. */
  readonly contract: LinePath
  /** Where v1 takes it. Undefined: v1 does not take it. */
  readonly v1: LinePath | undefined
  readonly by: Conversion
}

const oneWay: readonly unknown[] = ['date', 'upper', 'lower']

const kinds = {
  to: z.strictObject({ to: z.string(), ...conversionMembers }).refine(({ as }) => !oneWay.includes(as), {
    path: ['as'],
    message: `must not be one of ${oneWay.join(', ')}: it cannot be read the other way`,
  }),
  drop: z.strictObject({ drop: z.literal(true) }),
}

/** Reads the lines of a request. Refuses what is wrong with them. */
export function requestDeviations(
  lines: Lines,
  { renamedRequest = {} }: ContractNames,
  refuse: Refuse,
): readonly RequestDeviation[] {
  const deviations: RequestDeviation[] = []
  for (const [path, line] of Object.entries(lines)) {
    const legacy = splitPath(path)
    if (legacy === undefined) {
      refuse(path, ': must be a parameter or the path of a member, as name or products[].name')
      continue
    }
    const above = Object.keys(lines).find((other) => isBeneath(path, other))
    if (above !== undefined) refuse(path, `: is beneath ${above}, which has a line too; keep one of them`)
    const contract = splitPath(renamedRequest[path] ?? path) ?? legacy
    const read = readLine(line, path, refuse)
    if (read === undefined) continue
    const { v1 } = read
    if (v1 !== undefined && listsOf(v1).join('[].') !== listsOf(contract).join('[].'))
      refuse(path, `.to: ${writePath(v1)} is in another list than ${writePath(contract)}`)
    const twin = deviations.find(
      (other) => v1 !== undefined && other.v1 !== undefined && writePath(other.v1) === writePath(v1),
    )
    if (v1 !== undefined && twin !== undefined)
      refuse(path, `.to: ${writePath(twin.legacy)} becomes v1's ${writePath(v1)} too; keep one of them`)
    deviations.push({ legacy, contract, ...read })
  }
  return deviations
}

function readLine(line: object, path: string, refuse: Refuse): Pick<RequestDeviation, 'v1' | 'by'> | undefined {
  const [kind, other] = (['to', 'drop'] as const).filter((member) => Object.hasOwn(line, member))
  if (kind === undefined || other !== undefined) {
    refuse(path, ': must have exactly one of to, drop')
    return undefined
  }
  const { data, error } = kinds[kind].safeParse(line, { error: mistakeInWords })
  for (const issue of error?.issues ?? []) {
    refuse(path, `${issue.path.map((name) => `.${String(name)}`).join('')}: ${issue.message}`)
  }
  const contradiction = contradictionOf(line)
  if (contradiction !== undefined) refuse(path, `: ${contradiction}`)
  if (data === undefined || contradiction !== undefined) return undefined
  if (!('to' in data)) return { v1: undefined, by: {} }
  const v1 = splitPath(data.to)
  if (v1 === undefined) refuse(path, `.to: must be a name of v1, as nameExact; ${data.to} is none`)
  return v1 === undefined ? undefined : { v1, by: { as: data.as, scale: data.scale, names: data.enum } }
}
