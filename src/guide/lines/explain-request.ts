import type { Operation } from '../../mapping/operation.ts'
import type { Paging, Parameter, Parameters, RequestMapping, Stitching, Widened } from '../../mapping/request.ts'
import { explainShape, placeOf } from './explain-shape.ts'
import { assumed, type Because, because, documented, type ExplainedLine, explainedLine } from './explained-line.ts'

/** Explains how a legacy body or query is translated, and what is added to the v1 call. */
export function explainRequest(operation: Operation): readonly ExplainedLine[] {
  const { response } = operation
  return [...explainSent(operation), ...(response.kind === 'whole-list' ? explainWholeList(response.paging) : [])]
}

function explainSent({ request, v1 }: Operation): readonly ExplainedLine[] {
  switch (request.kind) {
    case 'body':
      return [...explainShape(request.shape, 'request', placeOf('', '')), ...explainNulls(request)]
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

/** Texts of lines about values that v1 refuses: they are left out. */
export const EMPTY_NOT_SENT = 'null and empty values are not sent'
export const NULLS_NOT_SENT = 'members that are null are not sent, at any depth'

function explainParameters(parameters: Parameters): readonly ExplainedLine[] {
  const lines = Object.entries(parameters)
  return [
    ...lines.flatMap(([legacy, parameter]) => explainParameter(legacy, parameter)),
    leftOut(
      'only what is listed here is sent; the header X-Gateway-Dropped names the rest',
      'the contract does not show what v1 does with the rest',
    ),
    ...(lines.some(([, parameter]) => parameter.in === 'query')
      ? [leftOut(EMPTY_NOT_SENT, 'v1 answers 422 to an empty value; legacy did not')]
      : []),
  ]
}

function explainParameter(legacy: string, parameter: Parameter): readonly ExplainedLine[] {
  const { in: place, v1 = legacy, reader, retired, widened, basis } = parameter
  const says = widened === undefined ? reader.says : `${reader.says}; ${wideningInWords(widened)}`
  const target = place === 'path' ? `{${v1}}` : `?${v1}`
  const line = explainedLine('request', [legacy, target], v1 === legacy ? 'same' : 'renamed', says, because(basis))
  if (retired === undefined) return [line]
  const removed = `${retired.values.join(', ')}: ${retired.reason}`
  const lost: Because = { basis: 'lost', reason: 'v1 no longer has this value' }
  return [line, explainedLine('request', [legacy, null], 'removed value', removed, lost)]
}

/** Says what v1 finds beyond legacy, and which further rows comparing takes for that. */
function wideningInWords({ reason, member, language }: Widened): string {
  const answers = language === undefined ? 'an answer' : `an answer in ${LANGUAGE_NAMES[language]}`
  return `in v1, ${reason}: ${answers} may have further rows, whose ${member} contains it`
}

const LANGUAGE_NAMES = { tr: 'Turkish', en: 'English' } as const

function explainNulls({ nulls }: RequestMapping & { readonly kind: 'body' }): readonly ExplainedLine[] {
  if (nulls === 'sent') return []
  return [leftOut(NULLS_NOT_SENT, 'v1 reads null as “not sent” for a few members only, and answers 422 for the others')]
}

function explainEmptyBody({
  emptyBody,
}: RequestMapping & { readonly kind: 'body-parameters' }): readonly ExplainedLine[] {
  if (emptyBody === 'refused') return []
  const reason =
    'legacy accepts an empty object; the contract does not show whether it requires one, and PHP writes [] for {}'
  return [explainedLine('request', ['', null], 'converted', 'a missing body, or [], counts as {}', assumed(reason))]
}

const EMPTY_V1_BODY = explainedLine(
  'request',
  [null, ''],
  'filled in',
  'the body is {}',
  assumed('the contract shows no body for this call, and all bodies are JSON'),
)

function explainStitching(parameters: Parameters, { paging, defaultPerPage, basis }: Stitching): ExplainedLine {
  const perPage = Object.entries(parameters).find(([legacy, { v1 = legacy }]) => v1 === paging.perPage)
  const always = `?${paging.page} and ?${paging.perPage} are always sent, by default 1 and ${defaultPerPage}`
  const says = `${always}; more than ${paging.mostPerPage} rows are stitched from pages of at most ${paging.mostPerPage}`
  return explainedLine('request', [perPage?.[0] ?? null, `?${paging.perPage}`], 'paging', says, because(basis))
}

/** Explains the paging of a whole list (docs/contract.md 11.2). */
function explainWholeList({ page, perPage, mostPerPage }: Paging): readonly ExplainedLine[] {
  const why = documented('v1 paginates the list, which legacy answers whole')
  const line = (v1: string, says: string) => explainedLine('request', [null, `?${v1}`], 'paging', says, why)
  return [line(page, 'every page is read, from 1 to meta.pageCount'), line(perPage, `${mostPerPage}, v1’s maximum`)]
}

const leftOut = (says: string, reason: string): ExplainedLine =>
  explainedLine('request', ['', null], 'left out', says, assumed(reason))
