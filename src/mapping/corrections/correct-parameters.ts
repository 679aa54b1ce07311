import type { Operation } from '../operation.ts'
import { convertedBy, positiveId, text } from '../reader.ts'
import type { Parameter, RequestMapping, Stitching } from '../request.ts'
import { type CorrectedBasis, documented } from '../shape.ts'
import { converterOf, whyNotEnum } from './corrected-rule.ts'
import type { Context } from './place-lines.ts'
import type { WrittenLine } from './written-line.ts'

type WithParameters = RequestMapping & { readonly kind: 'body-parameters' | 'query-parameters' }
type Table = ReadonlyMap<string, Parameter>

/** Returns a request whose values become parameters of v1, with lines in it. */
export function correctParameters(
  { v1 }: Operation,
  request: WithParameters,
  lines: readonly WrittenLine[],
  context: Context,
): WithParameters {
  const route = v1?.path ?? ''
  const shipped: Table = new Map(Object.entries(request.parameters))
  const fitting = lines.filter((written) => {
    const problem = whyNotParameter(written, request, route)
    if (problem !== undefined) context.refuse(written.path, problem)
    return problem === undefined
  })
  const table = new Map(shipped)
  for (const { path, line, v1: to } of fitting) {
    context.place(path, parameterInWords(path, shipped.get(path)))
    if (to === undefined) table.delete(path)
    else table.set(path, parameterOf(path, line, to.join('.'), shipped, route, context))
  }
  refuseTwice(table, fitting, context)
  refuseUnfilled(table, fitting, shipped, route, context)
  const parameters = Object.fromEntries(table)
  if (request.kind === 'query-parameters') return { ...request, parameters }
  return { ...request, parameters, stitching: stitchedBy(request.stitching, shipped, table, fitting, context) }
}

const nameOf = (table: Table, legacy: string): string | undefined => {
  const parameter = table.get(legacy)
  return parameter && (parameter.v1 ?? legacy)
}

const fillerOf = (table: Table, name: string): string | undefined =>
  [...table.keys()].find((legacy) => nameOf(table, legacy) === name)

const isSegment = (name: string, route: string): boolean => route.includes(`{${name}}`)

/** Makes the parameter of a line out of the one that it replaces, or that filled the same name of v1 before. */
function parameterOf(
  path: string,
  line: WrittenLine['line'],
  name: string,
  shipped: Table,
  route: string,
  { why, by }: Context,
): Parameter {
  const place = isSegment(name, route) ? 'path' : 'query'
  const replaced = shipped.get(path)
  const before = [replaced, shipped.get(fillerOf(shipped, name) ?? '')].find((parameter) => parameter?.in === place)
  const reader = place === 'path' ? positiveId : text
  const { v1: _, ...parameter } = before ?? { in: place, reader, retired: undefined, basis: documented }
  const converter = converterOf(line)
  const basis: CorrectedBasis = { kind: 'corrected', why, by, replaces: parameterInWords(path, replaced) }
  return {
    ...{ ...parameter, v1: name === path ? undefined : name, basis },
    ...(converter !== undefined && { reader: convertedBy(converter) }),
  }
}

const parameterInWords = (path: string, parameter: Parameter | undefined): string | undefined =>
  parameter && `${parameter.v1 ?? path}: ${parameter.reader.says}`

function whyNotParameter(
  { path, legacy, line, v1: to }: WrittenLine,
  request: WithParameters,
  route: string,
): string | undefined {
  if (legacy.includes(null)) return 'leads into a list; only single values become parameters of v1'
  if (request.kind === 'query-parameters' && legacy.length > 1)
    return 'the legacy call has a query, whose parameters are not nested; write the name of a parameter'
  const beneath = Object.keys(request.parameters).find(
    (other) => other.startsWith(`${path}.`) || path.startsWith(`${other}.`),
  )
  if (beneath !== undefined) return `overlaps ${beneath}, which the mapping reads; correct ${beneath}`
  if (to === undefined)
    return Object.hasOwn(request.parameters, path)
      ? undefined
      : 'v1 does not get this parameter anyway; remove the line'
  const name = to.join('.')
  if (to.length > 1 || to.includes(null)) return `to: ${name} is no name of a parameter of v1; write a name alone`
  if (isSegment(name, route) && converterOf(line) !== undefined)
    return `to: {${name}} is a part of v1's path, which takes only the digits of an id; remove as, scale and enum`
  return whyNotEnum(line, 'request')
}

/** Refuses lines whose v1 name another line or parameter has too. */
function refuseTwice(table: Table, lines: readonly WrittenLine[], { refuse }: Context): void {
  for (const { path, v1: to } of lines) {
    const name = to?.join('.')
    const other = [...table.keys()].find((legacy) => legacy !== path && nameOf(table, legacy) === name)
    if (name !== undefined && other !== undefined) refuse(path, `to: ${other} fills v1's ${name} too; drop one of them`)
  }
}

/** Refuses lines that leave v1's path without a part. */
function refuseUnfilled(
  table: Table,
  lines: readonly WrittenLine[],
  shipped: Table,
  route: string,
  { refuse }: Context,
): void {
  for (const { path } of lines) {
    const name = nameOf(shipped, path) ?? ''
    if (isSegment(name, route) && fillerOf(table, name) === undefined)
      refuse(
        path,
        `v1's path needs {${name}}; name the member that fills it, as in "name": { "to": ${JSON.stringify(name)} }`,
      )
  }
}

/** Returns how pages are stitched when lines rename their parameters in v1. */
function stitchedBy(
  stitching: Stitching | undefined,
  shipped: Table,
  table: Table,
  lines: readonly WrittenLine[],
  { refuse }: Context,
): Stitching | undefined {
  if (stitching === undefined) return undefined
  const renamed = (name: string): string => {
    if (fillerOf(table, name) !== undefined) return name
    const filler = fillerOf(shipped, name) ?? ''
    const now = nameOf(table, filler)
    const line = lines.find(({ path }) => path === filler)
    if (now === undefined && line !== undefined)
      refuse(line.path, 'the gateway asks v1 for pages by it; rename it instead')
    return now ?? name
  }
  const { paging } = stitching
  return { ...stitching, paging: { ...paging, page: renamed(paging.page), perPage: renamed(paging.perPage) } }
}
