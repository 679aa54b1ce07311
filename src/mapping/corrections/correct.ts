import { covers } from '../../common/json-path.ts'
import { didYouMean } from '../../common/similar.ts'
import type { Operation, ResponseMapping } from '../operation.ts'
import type { RequestMapping } from '../request.ts'
import type { Shape } from '../shape.ts'
import { correctParameters } from './correct-parameters.ts'
import {
  type AnswerLine,
  type Corrections,
  CorrectionsError,
  type OperationCorrections,
  type RequestLine,
} from './corrections.ts'
import { type Context, type Place, placeLines } from './place-lines.ts'
import { type Part, readLines, type WrittenLine } from './written-line.ts'
import { writtenOnce } from './written-once.ts'

/**
 * Returns the operations with the lines of MAPPING_FILE in the place of the shipped ones. An operation that the file does not name stays the
 * same object; of the others, the parts that no line touches do.
 * @throws CorrectionsError that lists every mistake.
 */
export const correct = (operations: readonly Operation[], corrections: Corrections): readonly Operation[] =>
  correctNoting(operations, corrections, () => {})

/** What a line of MAPPING_FILE changes. */
export interface Change {
  readonly operation: string
  readonly part: Part
  /** The legacy path. */
  readonly path: string
  readonly line: AnswerLine | RequestLine
  /** The shipped line that it replaces, for people; undefined: the mapping has none. */
  readonly replaces: string | undefined
}

/** Returns what each line of MAPPING_FILE changes, in the order of the operations. Throws like `correct`. */
export function changesOf(operations: readonly Operation[], corrections: Corrections): readonly Change[] {
  const changes: Change[] = []
  correctNoting(operations, corrections, (change) => changes.push(change))
  return changes
}

function correctNoting(
  operations: readonly Operation[],
  corrections: Corrections,
  note: (change: Change) => void,
): readonly Operation[] {
  const problems: string[] = []
  const ids = operations.map(({ id }) => id)
  for (const id of Object.keys(corrections.operations)) {
    if (!ids.includes(id))
      problems.push(`operations.${id}: no such operation; expected one of ${ids.join(', ')}${didYouMean(id, ids)}`)
  }
  const corrected = operations.map((operation) => {
    const { [operation.id]: own } = corrections.operations
    return own === undefined || isEmpty(own) ? operation : correctOperation(operation, own, problems, note)
  })
  if (problems.length > 0) throw new CorrectionsError(problems)
  return corrected
}

const isEmpty = ({ response = {}, request = {} }: OperationCorrections): boolean =>
  Object.keys(response).length + Object.keys(request).length === 0

function correctOperation(
  operation: Operation,
  corrections: OperationCorrections,
  problems: string[],
  note: (change: Change) => void,
): Operation {
  const { why, by } = corrections
  const contextOf = (part: Part): Context => ({
    ...{ part, why, by },
    place(path, replaces) {
      const { [path]: line } = corrections[part] ?? {}
      if (line !== undefined) note({ operation: operation.id, part, path, line, replaces })
    },
    refuse: (path, problem) => {
      problems.push(`operations.${operation.id}.${part}.${path}: ${problem}`)
    },
  })
  const response = contextOf('response')
  const request = contextOf('request')
  const answers = notBeneath(readLines(corrections.response ?? {}, response), response)
  const requests = notBeneath(readLines(corrections.request ?? {}, request), request)
  return {
    ...operation,
    ...(answers.length > 0 && { response: correctResponse(operation, answers, response) }),
    ...(requests.length > 0 && { request: correctRequest(operation, requests, request) }),
  }
}

/** Refuses lines beneath others: the upper one says already what is there. */
function notBeneath(lines: readonly WrittenLine[], { refuse }: Context): readonly WrittenLine[] {
  return lines.filter(({ path }) => {
    const above = lines.find((other) => other.path !== path && covers(other.path, path))
    if (above !== undefined) refuse(path, `is beneath ${above.path}, which has a line too; keep one of them`)
    return above === undefined
  })
}

const PASSES = 'v1 has no equivalent of this operation, so the legacy answer passes unchanged; remove the line'

function correctResponse(
  { response, login }: Operation,
  lines: readonly WrittenLine[],
  context: Context,
): ResponseMapping {
  const refuseAll = (problem: string): ResponseMapping => {
    for (const { path } of lines) context.refuse(path, problem)
    return response
  }
  switch (response.kind) {
    case 'pass-through':
      return refuseAll(PASSES)
    case 'no-content':
      return refuseAll(
        `legacy answers ${response.status} without a body, so there is no member to correct; remove the line`,
      )
    case 'record': {
      const allowed = lines.filter(({ path }) => {
        const isToken = login !== undefined && (covers(path, login.token) || covers(login.token, path))
        if (isToken) context.refuse(path, 'the gateway reads the token of a login here; change the mapping itself')
        return !isToken
      })
      return { ...response, shape: inRoot(response.shape, allowed, RECORD, context) }
    }
    case 'list':
    case 'whole-list':
      return { ...response, shape: inRoot(response.shape, lines, LIST, context) }
    case 'page': {
      const { rows, meta } = response
      const rowsAt = { ...LIST, legacy: [rows.at, null] }
      const metaAt = { ...META, legacy: [meta.at] }
      for (const { path, legacy } of lines) {
        if (!startsWith(legacy, rowsAt.legacy) && legacy[0] !== meta.at)
          context.refuse(path, `is neither in a row nor in the counts; a path begins with ${rows.at}[] or ${meta.at}`)
      }
      const within = (place: Place) => lines.filter(({ legacy }) => startsWith(legacy, place.legacy))
      return {
        ...response,
        rows: { ...rows, shape: inRoot(rows.shape, within(rowsAt), rowsAt, context) },
        meta: { ...meta, shape: inRoot(meta.shape, within(metaAt), metaAt, context) },
      }
    }
  }
}

const rootAt = (legacy: Place['legacy'], v1: Place['v1']): Place => ({ legacy, v1, rows: [v1] })
const RECORD = rootAt([], ['data'])
const LIST = rootAt([null], ['items', null])
const META = rootAt([], ['meta'])
const BODY = rootAt([], [])

const startsWith = (path: Place['legacy'], start: Place['legacy']): boolean =>
  start.every((name, at) => path[at] === name)

/** Places lines in the shape of a root, each of which must lead into it. */
function inRoot(shape: Shape, lines: readonly WrittenLine[], place: Place, context: Context): Shape {
  const inside = lines.filter(({ path, legacy }) => {
    if (startsWith(legacy, place.legacy) && legacy.length > place.legacy.length && legacy[place.legacy.length] !== null)
      return true
    context.refuse(path, whyOutside(place, path, legacy.length))
    return false
  })
  return inside.length === 0 ? shape : placeLines(shape, inside, place, context)
}

function whyOutside({ legacy: [first, second] }: Place, path: string, length: number): string {
  if (first === undefined)
    return `the body is an object, so a path begins with the name of a member, and not with ${path.slice(0, 2)}`
  const root = first === null ? '[]' : second === null ? `${first}[]` : first
  return length > 1 || first === null
    ? `names no member of the answer; its paths begin with ${root}, as in ${root}.name`
    : `is answered by the gateway itself; correct its members, as in ${root}.name`
}

function correctRequest(operation: Operation, lines: readonly WrittenLine[], context: Context): RequestMapping {
  const { request } = operation
  switch (request.kind) {
    case 'pass-through':
      for (const { path } of lines) context.refuse(path, PASSES)
      return request
    case 'body':
      return { ...request, shape: writtenOnce(inRoot(request.shape, lines, BODY, context), context) }
    case 'body-parameters':
    case 'query-parameters':
      return correctParameters(operation, request, lines, context)
  }
}
