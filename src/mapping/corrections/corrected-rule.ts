import { covers, pathOf, segmentsOf } from '../../common/json-path.ts'
import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../conversions.ts'
import { type Converter, decimalConverter, enumConverter, type Type, timestampConverter } from '../converter.ts'
import { constant, joined } from '../filled-lines.ts'
import { type CorrectedBasis, type FieldRule, ifAbsent, inRow, type JoinPart, type Rule, type Value } from '../shape.ts'
import type { AnswerLine, Form, RequestLine } from './corrections.ts'
import type { Context, Place } from './place-lines.ts'
import type { Resolved } from './resolve-path.ts'
import { type Part, problemOf, type WrittenLine } from './written-line.ts'

/** Whether a type is that of a single value. */
export const isScalar = (type: Type | undefined): boolean =>
  type !== undefined && !['object', 'array', 'array of string'].includes(type)

interface Surroundings {
  /** The legacy path within the shape. */
  readonly key: string
  readonly context: Context
  /** The rule of exactly this path that the line replaces. */
  readonly shipped: Rule | undefined
  /** What it replaces, for people. */
  readonly replaces: string | undefined
  /** Finds a path of v1; a text says why it cannot stand here. */
  readonly resolve: (v1: WrittenLine['legacy']) => Resolved | string
}

/** Makes the rule of a line. Undefined: the line is refused. */
export function ruleOf({ line, v1, path }: WrittenLine, around: Surroundings): Rule | undefined {
  const { shipped, context, key, replaces } = around
  const basis: CorrectedBasis = { kind: 'corrected', why: context.why, by: context.by, replaces }
  if ('drop' in line) return { kind: 'lost', reason: 'v1 does not take it', type: shipped?.type, basis }
  if ('lost' in line) return { kind: 'lost', reason: line.lost, type: shipped?.type, basis }
  if ('always' in line) {
    if (line.always !== null) return { ...constant(line.always), basis }
    context.refuse(path, 'always: null is a loss; write { "lost": "why" }')
    return undefined
  }
  if ('join' in line) {
    if (!line.join.some(isPath)) {
      context.refuse(path, 'join: has no path of v1, as in "items[].name"; for a fixed text write always')
      return undefined
    }
    const parts = line.join.map((part) => partOf(part, path, around))
    return parts.includes(undefined) ? undefined : { ...joined(parts as readonly JoinPart[]), basis }
  }
  const resolved = around.resolve(v1 ?? [])
  const problem =
    typeof resolved === 'string'
      ? `${context.part === 'response' ? 'from' : 'to'}: ${resolved}`
      : whyNotEnum(line, context.part)
  if (problem !== undefined) context.refuse(path, problem)
  if (problem !== undefined || typeof resolved === 'string') return undefined
  const by = converterOf(line)
  const field = shipped?.kind === 'field' ? shipped : undefined
  const kept: Value = field !== undefined && 'shape' in field.value ? field.value : { kind: 'as-is' }
  const absent = 'absent' in line ? line.absent : undefined
  const rule: FieldRule = {
    ...{ kind: 'field', value: by === undefined ? kept : { kind: 'converted', by }, basis },
    v1: resolved.path === key && resolved.anchor === undefined ? undefined : resolved.path,
    ...{
      promised: by === undefined && absent === undefined ? field?.promised : undefined,
      nullable: field?.nullable ?? false,
    },
    type: by === undefined ? shipped?.type : by.legacy?.type,
    ...(field?.givenByService !== undefined && { givenByService: field.givenByService }),
  }
  const anchored = resolved.anchor === undefined ? rule : inRow(rule, resolved.anchor)
  return absent === undefined ? anchored : ifAbsent(absent, anchored)
}

/** Where a path of v1 begins, in a `join`. */
const ROOTS = ['items[]', 'data', 'meta']

/** Whether a part of a `join` is a path of v1, rather than a text. */
export const isPath = (part: string | { readonly text: string }): part is string =>
  typeof part === 'string' && ROOTS.some((root) => covers(root, part))

function partOf(part: string | { readonly text: string }, line: string, around: Surroundings): JoinPart | undefined {
  if (!isPath(part)) return typeof part === 'string' ? { text: part } : part
  const wrong = problemOf(part)
  if (wrong !== undefined) {
    around.context.refuse(line, `join: ${wrong}; if it is a text, write ${JSON.stringify({ text: part })}`)
    return undefined
  }
  const resolved = around.resolve(segmentsOf(part))
  if (typeof resolved === 'string') {
    around.context.refuse(line, `join: ${resolved}`)
    return undefined
  }
  return { path: resolved.path, ...(resolved.anchor !== undefined && { anchor: resolved.anchor }) }
}

/** Says which name of an enum means two things in the one direction that counts; undefined: none does. */
export function whyNotEnum(line: AnswerLine | RequestLine, part: Part): string | undefined {
  if (!('enum' in line) || line.enum === undefined) return undefined
  const pairs: readonly (readonly unknown[])[] = Array.isArray(line.enum) ? line.enum : Object.entries(line.enum)
  const written = pairs.map(([legacy, v1]) => ({ legacy: JSON.stringify(legacy), v1: JSON.stringify(v1) }))
  const side = part === 'response' ? 'v1' : 'legacy'
  const second = written.find((pair, at) => written.findIndex((other) => other[side] === pair[side]) !== at)
  const first = written.find((pair) => pair[side] === second?.[side])
  if (first === undefined || second === undefined) return undefined
  return part === 'response'
    ? `enum: ${first.legacy} and ${second.legacy} are both v1's ${first.v1}, so no answer could tell which; keep one of them`
    : `enum: ${first.legacy} stands for both ${first.v1} and ${second.v1}, so no request could tell which; keep one of them`
}

const FORMS: Readonly<Record<Form, Converter>> = {
  ...{ string: asString, number: asNumber, '0/1': asBit, timestamp: timestampConverter },
  ...{ date: asDate, epoch: asEpoch, upper, lower },
}

/** Returns the converter that a line asks for; undefined: none. */
export function converterOf(line: AnswerLine | RequestLine): Converter | undefined {
  if (!('from' in line || 'to' in line)) return undefined
  if (line.scale !== undefined) return decimalConverter(line.scale)
  if (line.enum !== undefined) return enumConverter(line.enum)
  return line.as === undefined ? undefined : FORMS[line.as]
}

/** Says in words what a rule does, with its v1 path from the root. */
export function replacedInWords(key: string, rule: Rule, { v1, rows }: Place): string {
  if (rule.kind === 'lost') return `null: ${rule.reason}`
  if (rule.kind === 'context') return contextInWords(rule.source)
  const start = rule.anchor === undefined ? v1 : (rows.at(-1 - rule.anchor) ?? v1)
  const path = pathOf([...start, ...(rule.v1 ?? key).split('.')])
  return rule.value.kind === 'converted' ? `${path}: ${rule.value.by.says}` : path
}

function contextInWords(source: (Rule & { readonly kind: 'context' })['source']): string {
  switch (source.from) {
    case 'reference':
      return `filled in from ${source.list}`
    case 'request-row':
      return `filled in from the request’s ${source.list}`
    case 'join':
      return 'a text put together'
    case 'constant':
      return `always ${source.json}`
  }
}
