import { memberPath } from '../../common/json-path.ts'
import { type Operation, parametersOf } from '../operation.ts'
import type { RequestMapping } from '../request.ts'
import type { Rule, Shape } from '../shape.ts'
import { BY_THE_FILE } from './left-out.ts'
import { keyOf, quoted, sourceOfParameter, sourceOfRule } from './source-lines.ts'

/** What changes in one table of a mapping file, as TypeScript. */
export interface SourceSection {
  /** The shipped shape whose table it is; undefined: the parameters of the request. */
  readonly shape: Shape | undefined
  readonly part: 'response' | 'request'
  /** Where the object stands in legacy, from the root of its part; empty: it is the root. */
  readonly at: string
  /** Lines to add, or to put in the place of those with the same key: `plate: from('plateCode'),`. */
  readonly lines: readonly string[]
  /** The same, for `v1Only`. */
  readonly v1Only: readonly string[]
  /** Keys of lines to remove, of the table or of `v1Only`. */
  readonly removed: readonly string[]
  /** What else to change, in words. */
  readonly remarks: readonly string[]
}

/** Compares a shipped operation with the corrected one. */
export function sourceSections(shipped: Operation, corrected: Operation): readonly SourceSection[] {
  return [...inRequest(shipped.request, corrected.request), ...inResponse(shipped, corrected)].filter(
    ({ lines, v1Only, removed, remarks }) => lines.length + v1Only.length + removed.length + remarks.length > 0,
  )
}

function inRequest(shipped: RequestMapping, corrected: RequestMapping): readonly SourceSection[] {
  if (shipped.kind === 'body' && corrected.kind === 'body')
    return inShape(shipped.shape, corrected.shape, 'request', '')
  const lines = changed(parametersOf(shipped), parametersOf(corrected), sourceOfParameter)
  return [{ shape: undefined, part: 'request', at: '', ...lines, v1Only: [], remarks: inStitching(shipped, corrected) }]
}

function inStitching(shipped: RequestMapping, corrected: RequestMapping): readonly string[] {
  if (shipped.kind !== 'body-parameters' || corrected.kind !== 'body-parameters') return []
  const [before, after] = [shipped.stitching?.paging, corrected.stitching?.paging]
  if (after === undefined || (before?.page === after.page && before.perPage === after.perPage)) return []
  return [
    `stitched: paging: { page: ${quoted(after.page)}, perPage: ${quoted(after.perPage)}, mostPerPage: ${after.mostPerPage} }`,
  ]
}

function inResponse({ response: shipped }: Operation, { response: corrected }: Operation): readonly SourceSection[] {
  if (shipped.kind === 'page' && corrected.kind === 'page')
    return [
      ...inShape(shipped.rows.shape, corrected.rows.shape, 'response', `${shipped.rows.at}[]`),
      ...inShape(shipped.meta.shape, corrected.meta.shape, 'response', shipped.meta.at),
    ]
  if (!('shape' in shipped) || !('shape' in corrected)) return []
  return inShape(shipped.shape, corrected.shape, 'response', shipped.kind === 'record' ? '' : '[]')
}

function inShape(shipped: Shape, corrected: Shape, part: SourceSection['part'], at: string): readonly SourceSection[] {
  if (shipped === corrected) return []
  const inner = Object.entries(shipped.rules).flatMap(([member, rule]) => {
    const { [member]: now } = corrected.rules
    const shapes = innerShapes(rule, now)
    if (shapes === undefined || now === undefined) return []
    const path = member.split('.').reduce(memberPath, at)
    return inShape(...shapes, part, now.kind === 'field' && now.value.kind === 'list' ? `${path}[]` : path)
  })
  const rules = changed(
    shipped.rules,
    corrected.rules,
    sourceOfRule,
    (before, after) => innerShapes(before, after) !== undefined,
  )
  const v1Only = changed(shipped.v1Only, corrected.v1Only, (why) => quoted(why.replace(BY_THE_FILE, '')))
  return [
    {
      shape: shipped,
      part,
      at,
      lines: rules.lines,
      v1Only: v1Only.lines,
      removed: [...rules.removed, ...v1Only.removed],
      remarks: [],
    },
    ...inner,
  ]
}

/** The shapes of a rule of which only what is within changed. */
function innerShapes(before: Rule, after: Rule | undefined): readonly [Shape, Shape] | undefined {
  if (before === after || before.kind !== 'field' || after?.kind !== 'field' || before.basis !== after.basis)
    return undefined
  return 'shape' in before.value && 'shape' in after.value ? [before.value.shape, after.value.shape] : undefined
}

/** Compares two tables. `isWithin`: what changed is within the value, and has a section of its own. */
function changed<Line>(
  before: Readonly<Record<string, Line>>,
  after: Readonly<Record<string, Line>>,
  source: (line: Line) => string,
  isWithin: (before: Line, after: Line) => boolean = () => false,
): Pick<SourceSection, 'lines' | 'removed'> {
  const lines = Object.entries(after).flatMap(([key, line]) => {
    const { [key]: shipped } = before
    if (shipped === line || (shipped !== undefined && isWithin(shipped, line))) return []
    return [`${keyOf(key)}: ${source(line)},`]
  })
  return { lines, removed: Object.keys(before).filter((key) => !Object.hasOwn(after, key)) }
}
