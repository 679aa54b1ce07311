import { pathOf, type Segment, segmentsOf } from '../../common/json-path.ts'
import type { AnswerLine, RequestLine } from './corrections.ts'
import type { Context } from './place-lines.ts'

export type Part = 'response' | 'request'

/** A line of MAPPING_FILE with its paths in segments. */
export interface WrittenLine {
  /** As written. */
  readonly path: string
  readonly legacy: readonly Segment[]
  readonly line: AnswerLine | RequestLine
  /** The path that it reads in v1's answer, or writes in v1's request. Undefined: none. */
  readonly v1: readonly Segment[] | undefined
}

/** Names that a line of a mapping can have. */
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u

/** Reads the paths of all lines of a part, and refuses those that are none. */
export function readLines(
  lines: Readonly<Record<string, AnswerLine | RequestLine>>,
  { refuse }: Context,
): readonly WrittenLine[] {
  return Object.entries(lines).flatMap(([path, line]): readonly WrittenLine[] => {
    const v1 = v1PathOf(line)
    const wrong =
      problemOf(path) ?? problemOfItems(path) ?? (v1 === undefined ? undefined : problemOfV1(v1, 'to' in line))
    if (wrong !== undefined) refuse(path, wrong)
    return wrong === undefined
      ? [{ path, legacy: segmentsOf(path), line, v1: v1 === undefined ? undefined : segmentsOf(v1) }]
      : []
  })
}

function v1PathOf(line: AnswerLine | RequestLine): string | undefined {
  if ('from' in line) return line.from
  return 'to' in line ? line.to : undefined
}

const problemOfItems = (path: string): string | undefined =>
  path.length > 2 && path.endsWith('[]')
    ? 'names each item of a list; name the list, or a member of its items'
    : undefined

/** Reports mark parameters of v1, as in `?isPaid` and `{id}`. */
const MARKED = /^(?:\?(.+)|\{(.+)\})$/

function problemOfV1(v1: string, isRequest: boolean): string | undefined {
  const [, query, segment] = MARKED.exec(v1) ?? []
  const name = query ?? segment
  if (isRequest && name !== undefined) return `to: write the name alone, as in ${name}`
  const wrong = problemOf(v1)
  return wrong === undefined ? undefined : `${isRequest ? 'to' : 'from'}: ${wrong}`
}

/** Says why a text is no path that a mapping can have; undefined: it is one. */
export function problemOf(path: string): string | undefined {
  if (path === '') return 'names no member; a path begins with a name or with []'
  const segments = partsOf(path)
  if (segments === undefined)
    return `${JSON.stringify(path)} is no path; write it as reports do, names with dots between them and [] for the items of a list`
  if (segments.some((name, at) => name === null && segments[at - 1] === null))
    return `${JSON.stringify(path)} leads into a list directly within a list, which no mapping can name`
  const odd = segments.find((name) => name !== null && !NAME.test(name))
  return odd === undefined ? undefined : `no mapping can name the member ${JSON.stringify(odd)}`
}

function partsOf(path: string): readonly Segment[] | undefined {
  try {
    const segments = segmentsOf(path)
    return pathOf(segments) === path ? segments : undefined
  } catch {
    return undefined
  }
}
