import type { Operation } from '../operation.ts'
import { convertedBy, positiveId, text } from '../reader.ts'
import type { Parameter, RequestMapping } from '../request.ts'
import type { CorrectedBasis } from '../shape.ts'
import { converterOf } from './corrected-rule.ts'
import type { Context } from './place-lines.ts'
import type { WrittenLine } from './written-line.ts'

type WithParameters = RequestMapping & { readonly kind: 'body-parameters' | 'query-parameters' }

/** Returns a request whose values become parameters of v1, with lines in it. */
export function correctParameters<Request extends WithParameters>(
  { v1 }: Operation,
  request: Request,
  lines: readonly WrittenLine[],
  context: Context,
): Request {
  const parameters = new Map(Object.entries(request.parameters))
  for (const written of lines) {
    const { path, line, v1: to } = written
    const problem = whyNotParameter(written, request, v1?.path ?? '')
    if (problem !== undefined) {
      context.refuse(path, problem)
      continue
    }
    const shipped = parameters.get(path)
    if (to === undefined) {
      if (shipped === undefined) context.refuse(path, 'v1 does not get this parameter anyway; remove the line')
      parameters.delete(path)
      continue
    }
    const name = to.join('.')
    const { why, by } = context
    const replaces = shipped === undefined ? undefined : `${shipped.v1 ?? path}, ${shipped.reader.says}`
    const basis: CorrectedBasis = { kind: 'corrected', why, by, replaces }
    parameters.set(path, {
      ...placed(name, shipped, v1?.path ?? ''),
      ...readerOf(line),
      v1: name === path ? undefined : name,
      basis,
    })
  }
  const table = Object.fromEntries(parameters)
  refuseTwice(table, lines, context)
  return { ...request, parameters: table }
}

const isSegment = (name: string, route: string): boolean => route.includes(`{${name}}`)

/** The parameter before the line, or a new one, in the place that v1 has for this name. */
function placed(name: string, shipped: Parameter | undefined, route: string): Parameter {
  const place = isSegment(name, route) ? 'path' : 'query'
  if (shipped?.in === place) return shipped
  return {
    in: place,
    v1: name,
    reader: place === 'path' ? positiveId : text,
    retired: undefined,
    basis: { kind: 'documented' },
  }
}

function readerOf(line: WrittenLine['line']): Partial<Parameter> {
  const by = converterOf(line)
  return by === undefined ? {} : { reader: convertedBy(by) }
}

function whyNotParameter(
  { path, legacy, line, v1: to }: WrittenLine,
  request: WithParameters,
  route: string,
): string | undefined {
  if (legacy.includes(null)) return 'leads into a list; only single values become parameters of v1'
  if (request.kind === 'query-parameters' && legacy.length > 1)
    return 'the legacy call has a query, whose parameters are not nested; write the name of a parameter'
  const beneath = Object.keys(request.parameters).find(
    (other) => other !== path && (other.startsWith(`${path}.`) || path.startsWith(`${other}.`)),
  )
  if (beneath !== undefined) return `overlaps ${beneath}, which the mapping reads; correct ${beneath}`
  if (to === undefined) return undefined
  const name = to.join('.')
  if (to.length > 1 || to.includes(null)) return `to: ${name} is no name of a parameter of v1; write a name alone`
  if (isSegment(name, route) && converterOf(line) !== undefined)
    return `to: {${name}} is a part of v1's path, which takes only the digits of an id; remove as, scale and enum`
  return undefined
}

/** Refuses lines whose v1 name another line or parameter has too. */
function refuseTwice(
  parameters: Readonly<Record<string, Parameter>>,
  lines: readonly WrittenLine[],
  { refuse }: Context,
): void {
  for (const { path, v1: to } of lines) {
    const other = Object.entries(parameters).find(
      ([legacy, { v1 = legacy }]) => legacy !== path && v1 === to?.join('.'),
    )
    if (other !== undefined && to !== undefined)
      refuse(path, `to: ${other[0]} fills v1's ${to.join('.')} too; drop one of them`)
  }
}
