import type { Basis } from '../mapping/basis.ts'
import type { Operation } from '../mapping/operation.ts'
import { parametersOf } from '../mapping/operation.ts'
import type { ContextSource, Rule, Shape } from '../mapping/shape.ts'

/** One line of a mapping, for people: where a field is on both sides, what happens to it, and why. */
export interface ExplainedLine {
  readonly part: 'request' | 'answer' | 'error'
  /** From the root of the legacy body (`data[].priceTry`), a name in the legacy query, or a status; null: legacy does not have it. */
  readonly legacy: string | null
  /** From the root of the v1 body (`items[].priceTry`), a parameter (`?isPaid`, `{id}`), a status or an error code; null: v1 does not have it. */
  readonly v1: string | null
  readonly change: 'same' | 'renamed' | 'converted' | 'lost' | 'filled in' | 'added in v1' | 'status'
  /** What happens to the value, where it is not copied. */
  readonly says: string | null
  readonly basis: 'documented' | 'assumed' | 'lost'
  readonly reason: string | null
}

/** Explains every line of a mapping, in the order in which it states them. */
export function explain(operation: Operation): readonly ExplainedLine[] {
  return [
    ...explainRequest(operation),
    ...explainStatus(operation),
    ...explainAnswer(operation),
    ...explainErrors(operation),
  ]
}

function explainRequest({ request }: Operation): readonly ExplainedLine[] {
  if (request.kind === 'body') return explainShape(request.shape, 'request', '', '')
  return Object.entries(parametersOf(request)).map(([legacy, { in: place, v1 = legacy, reader, retired, basis }]) => ({
    part: 'request',
    legacy,
    v1: place === 'path' ? `{${v1}}` : `?${v1}`,
    change: v1 === legacy ? 'same' : 'renamed',
    says: retired === undefined ? reader.says : `${reader.says}; ${retired.values.join(', ')}: ${retired.reason}`,
    ...because(basis),
  }))
}

/** Where the contract says what v1 answers a success with, and legacy answers another status. */
function explainStatus({ response }: Operation): readonly ExplainedLine[] {
  if (!('v1Status' in response) || response.v1Status === undefined || response.v1Status === response.status) return []
  const [legacy, v1] = [String(response.status), String(response.v1Status)]
  return [{ part: 'answer', legacy, v1, change: 'status', says: null, basis: 'documented', reason: null }]
}

function explainAnswer({ response }: Operation): readonly ExplainedLine[] {
  switch (response.kind) {
    case 'record':
      return explainShape(response.shape, 'answer', '', 'data.')
    case 'list':
    case 'whole-list':
      return explainShape(response.shape, 'answer', '[].', 'items[].')
    case 'page':
      return [
        ...explainShape(response.rows.shape, 'answer', `${response.rows.at}[].`, 'items[].'),
        ...explainShape(response.meta.shape, 'answer', `${response.meta.at}.`, 'meta.'),
      ]
    case 'no-content':
    case 'pass-through':
      return []
  }
}

function explainErrors({ errors = {} }: Operation): readonly ExplainedLine[] {
  return Object.entries(errors).map(([code, { status, ownMessage, reason }]) => ({
    part: 'error',
    legacy: status === undefined ? null : String(status),
    v1: code,
    change: 'status',
    says: ownMessage === true ? 'with a message of its own' : null,
    basis: 'documented',
    reason,
  }))
}

function explainShape(shape: Shape, part: 'request' | 'answer', legacy: string, v1: string): readonly ExplainedLine[] {
  return [
    ...Object.entries(shape.rules).flatMap(([path, rule]) => explainRule(path, rule, part, legacy, v1)),
    ...Object.entries(shape.v1Only).map(
      ([path, reason]): ExplainedLine => ({
        part,
        legacy: null,
        v1: `${v1}${path}`,
        change: 'added in v1',
        says: null,
        basis: 'documented',
        reason,
      }),
    ),
  ]
}

function explainRule(
  path: string,
  rule: Rule,
  part: 'request' | 'answer',
  legacyPrefix: string,
  v1Prefix: string,
): readonly ExplainedLine[] {
  const legacy = `${legacyPrefix}${path}`
  if (rule.kind === 'lost') {
    return [{ part, legacy, v1: null, change: 'lost', says: null, basis: 'lost', reason: rule.reason }]
  }
  if (rule.kind === 'context') {
    const converter = rule.value.kind === 'converted' ? `; ${rule.value.by.says}` : ''
    const says = `${sourceInWords(rule.source)}${converter}`
    return [{ part, legacy, v1: null, change: 'filled in', says, ...because(rule.basis) }]
  }
  const v1 = `${v1Prefix}${rule.v1 ?? path}`
  const { value } = rule
  const converted = value.kind === 'converted'
  const renamed = rule.v1 !== undefined && rule.v1 !== path
  const line: ExplainedLine = {
    part,
    legacy,
    v1,
    change: converted ? 'converted' : renamed ? 'renamed' : 'same',
    says: converted ? value.by.says : null,
    ...because(rule.basis),
  }
  if (value.kind === 'object') return [line, ...explainShape(value.shape, part, `${legacy}.`, `${v1}.`)]
  if (value.kind === 'list') return [line, ...explainShape(value.shape, part, `${legacy}[].`, `${v1}[].`)]
  return [line]
}

function sourceInWords(source: ContextSource): string {
  return source.from === 'reference'
    ? `${source.take} of the ${source.list} record whose ${source.match} is ${source.sibling}`
    : `${source.take} of the request's row at the same place in ${source.list}`
}

function because(basis: Basis): Pick<ExplainedLine, 'basis' | 'reason'> {
  return { basis: basis.kind, reason: basis.kind === 'assumed' ? basis.reason : null }
}
