import type { Operation } from '../../mapping/operation.ts'
import type { Paging } from '../../mapping/request.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { segmentsOf } from '../diff/path.ts'
import { isAt } from '../expected/is-at.ts'
import { bodyLinesOf, type MappingLine, subjectOf } from '../expected/mapping-lines.ts'
import type { LineName, LineToSee, Showing } from './line-to-see.ts'

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

const isMember = (line: MappingLine): boolean => subjectOf(line) === 'field' && line.basis !== 'lost'

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
