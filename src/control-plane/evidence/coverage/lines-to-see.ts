import { isLoss } from '../../../common/line-basis.ts'
import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import type { Operation } from '../../../mapping/operation.ts'
import type { Paging } from '../../../mapping/request.ts'
import { type Difference, partOf } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { isAt, segmentsOf } from '../diff/path.ts'
import type { Expectations } from '../expected/expectations.ts'
import { bodyLinesOf, type MappingLine, subjectOf } from '../expected/mapping-lines.ts'
import { languageOf, type ReadAnswer } from '../reply.ts'

/** Names a line of an operation's mapping that a call can show. Both members together identify the line. */
export interface LineName {
  readonly part: 'request' | 'answer' | 'error' | 'language' | 'paging'
  /** The legacy path of a member, v1's code of an error, `tr` or `en`, `more than one page` or `more than 200 rows`. */
  readonly legacy: string
}

/** The parts of an exchange that can show lines. */
export interface Showing {
  /** Whether the request has a value for this line's member that v1 gets or the gateway refuses. */
  readonly isSent: (legacy: string) => boolean
  /** The language that the request asks for. */
  readonly language: string
  /** The body of the control's success; undefined: it is not a success, or not JSON. */
  readonly success: JsonValue | undefined
  /** v1's error code; undefined: none. */
  readonly code: string | undefined
}

/** A line that must be seen before the mapping counts as exercised. */
export interface LineToSee extends LineName {
  /** The mapping's line about a member of the answer; null: the line is about the exchange as a whole. */
  readonly member: MappingLine | null
  isShownIn(showing: Showing): boolean
}

/** Writes the name of a line as rollout files and reports do: `request statusId`. */
export const lineText = ({ part, legacy }: { readonly part: string; readonly legacy: string }): string =>
  `${part} ${legacy}`

/** The parts of a mapping that decide which of its lines a call can show. */
export type CoveredOperation = Pick<Operation, 'response'> & Partial<Pick<Operation, 'request' | 'errors'>>

/**
 * Returns the lines to be seen of a mapping, in its order: each member of the request, each language, each member of a success,
 * each error code with a line of its own, and pages. Lost and unlisted members are left out.
 * @param lines the lines that explain the operation.
 */
export function linesToSee(operation: CoveredOperation, lines: readonly MappingLine[]): readonly LineToSee[] {
  return [
    ...requestLines(lines),
    ...languageLines(lines),
    ...answerLines(lines),
    ...pagingLines(operation, lines),
    ...errorLines(operation, lines),
  ]
}

/** A line about the exchange as a whole. */
const ofAll = (part: LineName['part'], legacy: string, isShownIn: LineToSee['isShownIn']): LineToSee => ({
  ...{ part, legacy, isShownIn, member: null },
})

function requestLines(lines: readonly MappingLine[]): readonly LineToSee[] {
  return bodyLinesOf(lines, 'request')
    .filter((line) => line.legacy !== '' && isMember(line) && line.change !== 'paging')
    .map(({ legacy }) => ofAll('request', legacy, ({ isSent }) => isSent(legacy)))
}

/** The languages that a request can select; docs/contract.md 2.3. */
const LANGUAGES = ['tr', 'en']

function languageLines(lines: readonly MappingLine[]): readonly LineToSee[] {
  const isSelected = lines.some(({ part, legacy }) => part === 'header' && legacy === 'Accept-Language')
  return isSelected ? LANGUAGES.map((one) => ofAll('language', one, ({ language }) => language === one)) : []
}

function answerLines(lines: readonly MappingLine[]): readonly LineToSee[] {
  return bodyLinesOf(lines, 'answer')
    .filter(isMember)
    .map((line) => {
      const segments = segmentsOf(line.legacy)
      return {
        part: 'answer',
        legacy: line.legacy,
        member: line,
        isShownIn: ({ success }) => success !== undefined && isAt(success, segments, (value) => value !== null),
      }
    })
}

const isMember = (line: MappingLine): boolean => subjectOf(line) === 'field' && !isLoss(line)

/** A list that legacy answers whole has no pages, but v1 divides it into pages if it has more rows than v1's largest page. */
function pagingLines({ request, response }: CoveredOperation, lines: readonly MappingLine[]): readonly LineToSee[] {
  const rowsLine = ({ mostPerPage }: Paging): LineToSee =>
    ofAll('paging', `more than ${mostPerPage} rows`, ({ success }) => rowsIn(success, response) > mostPerPage)
  if (response.kind === 'whole-list') return [rowsLine(response.paging)]
  if (response.kind !== 'page') return []
  const stitching = request !== undefined && 'stitching' in request ? request.stitching : undefined
  const pageCount = lines.find(({ part, v1 }) => part === 'answer' && v1 === V1_PAGE_COUNT)?.legacy
  return [
    ...(pageCount === undefined || pageCount === null ? [] : [pagesLine(pageCount)]),
    ...(stitching === undefined ? [] : [rowsLine(stitching.paging)]),
  ]
}

/** docs/contract.md 2.4. */
const V1_PAGE_COUNT = 'meta.pageCount'

function pagesLine(pageCount: string): LineToSee {
  const segments = segmentsOf(pageCount)
  const isMany = (value: JsonValue): boolean => typeof value === 'number' && value > 1
  return ofAll(
    'paging',
    'more than one page',
    ({ success }) => success !== undefined && isAt(success, segments, isMany),
  )
}

function rowsIn(success: JsonValue | undefined, response: Operation['response']): number {
  const rows = response.kind === 'page' && isObject(success) ? success[response.rows.at] : success
  return Array.isArray(rows) ? rows.length : 0
}

/** Legacy clients get v1's code in a header, because several codes share a status. */
function errorLines({ errors = {} }: CoveredOperation, lines: readonly MappingLine[]): readonly LineToSee[] {
  return lines.flatMap(({ part, change, v1 }) =>
    part === 'error' && change === 'status' && v1 !== null && Object.hasOwn(errors, v1)
      ? [ofAll('error', v1, ({ code }: Showing) => code === v1)]
      : [],
  )
}

/** A line that one exchange shows, and whether its answers differ there. */
export interface ShownLine extends LineName {
  readonly differs: boolean
}

/** The parts of a request that lines are about. */
export type AskedRequest = Pick<ExchangeRequest, 'query' | 'headers' | 'body'>

/**
 * Returns the mapping lines that a compared exchange shows. The line of an answer's member is shown by the control's answer, and
 * differs if a difference falls under it. All other lines differ if anything differs. Drift, losses and wording do not count as
 * differences here; differences that a rule of the rollout file ignores do.
 * @param code v1's error code; undefined: none.
 * @param reasons why each difference that has not drifted is ignored; null: it counts.
 */
export function shownLines(
  expectations: Pick<Expectations, 'toSee' | 'linesAt'>,
  { headers, sent }: Pick<AskedRequest, 'headers'> & { readonly sent: readonly string[] },
  control: ReadAnswer,
  code: string | undefined,
  reasons: ReadonlyMap<Difference, string | null>,
): readonly ShownLine[] {
  const showing = {
    isSent: (legacy: string) => sent.includes(legacy),
    language: languageOf(headers),
    success: partOf(control.status) === 'answer' ? control.read.json : undefined,
    code,
  }
  // What v1 does not get of a write is no difference of the answers.
  const differing = [...reasons.keys()].filter(
    (difference) => difference.part !== 'request' && !isExcused(reasons.get(difference) ?? null),
  )
  const isWhole = differing.some(({ part }) => part === 'status')
  const members = new Set(differing.flatMap((where) => expectations.linesAt(where)))
  return expectations.toSee
    .filter((line) => line.isShownIn(showing))
    .map(({ part, legacy, member }) => ({
      ...{ part, legacy },
      differs: member === null ? differing.length > 0 : isWhole || members.has(member),
    }))
}

/** Whether the mapping itself excuses a difference. Rules do not matter here: they change later, but these counts stay. */
const isExcused = (why: string | null): boolean => why !== null && !why.startsWith('rule: ')
