import type { Operation } from '../../mapping/operation.ts'
import type { Paging } from '../../mapping/paging.ts'
import type { Parameter, Parameters, RequestMapping, Stitching } from '../../mapping/request.ts'
import { assumed, because, documented, type ExplainedLine } from './explain-line.ts'
import { explainShape } from './explain-shape.ts'

/** Explains what becomes of a legacy body or query, and what v1 is asked besides. */
export function explainRequest(operation: Operation): readonly ExplainedLine[] {
  const { response } = operation
  return [...explainSent(operation), ...(response.kind === 'whole-list' ? explainWholeList(response.paging) : [])]
}

function explainSent({ request, v1 }: Operation): readonly ExplainedLine[] {
  switch (request.kind) {
    case 'body':
      return [...explainShape(request.shape, 'request', { legacy: '', v1: '' }), ...explainNulls(request)]
    case 'body-parameters':
      return [
        ...explainParameters(request.parameters),
        ...explainEmptyBody(request),
        ...(v1?.method === 'POST' ? [EMPTY_V1_BODY] : []),
        ...(request.stitching === undefined ? [] : [explainStitching(request.parameters, request.stitching)]),
      ]
    case 'query-parameters':
      return explainParameters(request.parameters)
    case 'pass-through':
      return []
  }
}

function explainParameters(parameters: Parameters): readonly ExplainedLine[] {
  const lines = Object.entries(parameters)
  return [
    ...lines.flatMap(([legacy, parameter]) => explainParameter(legacy, parameter)),
    leftOut(
      'only what is listed here is sent; the rest is named in the header X-Gateway-Dropped',
      'the contract does not show what v1 does with what it does not know',
    ),
    ...(lines.some(([, parameter]) => parameter.in === 'query')
      ? [leftOut('null and empty values are not sent', 'v1 answers an empty value with 422; legacy did not')]
      : []),
  ]
}

function explainParameter(legacy: string, parameter: Parameter): readonly ExplainedLine[] {
  const { in: place, v1 = legacy, reader, retired, basis } = parameter
  const line: ExplainedLine = {
    part: 'request',
    legacy,
    v1: place === 'path' ? `{${v1}}` : `?${v1}`,
    change: v1 === legacy ? 'same' : 'renamed',
    says: reader.says,
    ...because(basis),
  }
  if (retired === undefined) return [line]
  const says = `${retired.values.join(', ')}: ${retired.reason}`
  const reason = 'v1 no longer has this value'
  return [line, { ...line, v1: null, change: 'removed value', says, basis: 'lost', reason }]
}

function explainNulls({ nulls }: RequestMapping & { readonly kind: 'body' }): readonly ExplainedLine[] {
  if (nulls === 'sent') return []
  return [
    leftOut(
      'members that are null are not sent, at any depth',
      'v1 takes null for “not sent” of a few members only, and answers 422 for the others',
    ),
  ]
}

function explainEmptyBody({
  emptyBody,
}: RequestMapping & { readonly kind: 'body-parameters' }): readonly ExplainedLine[] {
  if (emptyBody === 'refused') return []
  const reason = 'legacy accepts an empty object; whether it wants one is not shown, and [] is how PHP writes it'
  const says = 'a call without a body, or with [], counts as {}'
  return [{ part: 'request', legacy: '', v1: null, change: 'converted', says, ...assumed(reason) }]
}

const EMPTY_V1_BODY: ExplainedLine = {
  part: 'request',
  legacy: null,
  v1: '',
  change: 'filled in',
  says: 'the body is {}',
  ...assumed('the contract shows no body of this call; all bodies are JSON'),
}

function explainStitching(parameters: Parameters, { paging, defaultPerPage, basis }: Stitching): ExplainedLine {
  const perPage = Object.entries(parameters).find(([legacy, { v1 = legacy }]) => v1 === paging.perPage)
  const unlessTold = `?${paging.page} and ?${paging.perPage} are always sent, 1 and ${defaultPerPage} unless told`
  return {
    part: 'request',
    legacy: perPage?.[0] ?? null,
    v1: `?${paging.perPage}`,
    change: 'paging',
    says: `${unlessTold}; more than ${paging.mostPerPage} rows are put together from pages of at most ${paging.mostPerPage}`,
    ...because(basis),
  }
}

/** docs/contract.md 11.2. */
function explainWholeList({ page, perPage, mostPerPage }: Paging): readonly ExplainedLine[] {
  const line = (v1: string, says: string): ExplainedLine => ({
    part: 'request',
    legacy: null,
    v1: `?${v1}`,
    change: 'paging',
    says,
    ...documented('v1 paginates the list, which legacy answers whole'),
  })
  return [
    line(page, 'every page is read, from 1 to meta.pageCount'),
    line(perPage, `${mostPerPage}, the most it gives`),
  ]
}

function leftOut(says: string, reason: string): ExplainedLine {
  return { part: 'request', legacy: '', v1: null, change: 'left out', says, ...assumed(reason) }
}
