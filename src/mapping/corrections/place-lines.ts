import { pathOf, type Segment } from '../../common/json-path.ts'
import type { FieldRule, Rule, Shape } from '../shape.ts'
import {
  isWithin,
  refuseContradictions,
  refuseHalfDropped,
  refuseListAndObject,
  sourceOf,
  typeInWords,
} from './contradictory-lines.ts'
import { isScalar, replacedInWords, ruleOf } from './corrected-rule.ts'
import { dropReason, leaveOutUnread, withoutRead } from './left-out.ts'
import { resolve } from './resolve-path.ts'
import type { Part, WrittenLine } from './written-line.ts'

/** What the lines of a part of an operation have in common. */
export interface Context {
  readonly part: Part
  readonly why: string | undefined
  readonly by: string | undefined
  /** Notes that a line has its place, and what it replaces, for people. */
  place(path: string, replaces: string | undefined): void
  /** Notes a mistake in the line of a legacy path. */
  refuse(path: string, problem: string): void
}

/** Where an object stands on both sides, from the roots of the bodies. */
export interface Place {
  readonly legacy: readonly Segment[]
  readonly v1: readonly Segment[]
  /** The v1 paths of the rows or records around it, outermost first; the last one may be the object itself. */
  readonly rows: readonly (readonly Segment[])[]
}

/** An object's shape while lines are placed in it. */
export interface Draft {
  readonly shape: Shape
  readonly place: Place
  readonly context: Context
  readonly rules: Map<string, Rule>
  readonly v1Only: Map<string, string>
  /** The paths of the lines that are rules of this object now, by legacy path within it. */
  readonly placed: Map<string, string>
  /** The paths of the lines that drop a member, by its v1 path within the object. */
  readonly dropped: Map<string, string>
}

/** Returns a copy of a shape with lines in it. Each must lead to a member of the object at `place`, or beneath one. */
export function placeLines(shape: Shape, lines: readonly WrittenLine[], place: Place, context: Context): Shape {
  const rules = new Map(Object.entries(shape.rules))
  const draft: Draft = {
    shape,
    place,
    context,
    rules,
    v1Only: new Map(Object.entries(shape.v1Only)),
    placed: new Map(),
    dropped: new Map(),
  }
  const beneath = new Map<string, WrittenLine[]>()
  for (const line of lines) {
    const key = ruleAbove(line, draft) ?? newRuleAbove(line, lines, draft)
    if (key === undefined) placeMember(line, draft)
    else {
      // A rule that has become one of a new object takes its lines along.
      const inner = [...beneath].filter(([other]) => other.startsWith(`${key}.`) && !rules.has(other))
      for (const [other] of inner) beneath.delete(other)
      beneath.set(key, [...(beneath.get(key) ?? []), ...inner.flatMap(([, moved]) => moved), line])
    }
  }
  for (const [key, inner] of beneath) placeBeneath(key, inner, draft)
  nestOnBothSides(draft)
  refuseListAndObject(draft)
  refuseContradictions(draft)
  withoutRead(draft)
  refuseHalfDropped(draft)
  return { ...shape, rules: Object.fromEntries(rules), v1Only: Object.fromEntries(draft.v1Only) }
}

/** The names that lead from the object to the line's member, or to the first list on the way. */
function namesOf({ legacy }: WrittenLine, { place }: Draft): readonly string[] {
  const rest = legacy.slice(place.legacy.length)
  const list = rest.indexOf(null)
  return (list === -1 ? rest : rest.slice(0, list)) as readonly string[]
}

const joined = (names: readonly string[]): string => names.join('.')

/** Returns the legacy path of the rule in whose value a line leads. Removes a rule that the line contradicts, because nothing is beneath it. */
function ruleAbove(line: WrittenLine, { rules, place }: Draft): string | undefined {
  const names = namesOf(line, { place } as Draft)
  const leads = line.legacy.length > place.legacy.length + names.length
  for (let length = 1; length <= names.length; length++) {
    const key = joined(names.slice(0, length))
    const rule = rules.get(key)
    if (rule === undefined || (length === names.length && !leads)) continue
    if (rule.kind === 'field') return key
    rules.delete(key)
  }
  return undefined
}

/** Returns the legacy path of a new rule that a line needs: for a list, or for an object that both sides have. */
function newRuleAbove(line: WrittenLine, lines: readonly WrittenLine[], draft: Draft): string | undefined {
  const { place, rules } = draft
  const names = namesOf(line, draft)
  const isInList = line.legacy.length > place.legacy.length + names.length
  const list = isInList ? (listOf(line, lines, draft) ?? names) : undefined
  const [first = ''] = names
  const isOnlyDropped = draft.context.part === 'response' && list === undefined && !hasMembers(first, lines, draft)
  if (names.length > 1 && !isOnlyDropped && isObjectOfV1(first, list, lines, draft)) {
    nest(first, draft)
    return first
  }
  if (list === undefined) return undefined
  const key = joined(names)
  for (const member of [...rules.keys()].filter((other) => other.startsWith(`${key}.`))) {
    draft.context.refuse(line.path, `${pathOf([...place.legacy, ...names])} is an object in the mapping, not a list`)
    rules.delete(member)
    draft.placed.delete(member)
  }
  rules.set(key, fieldOf(key, joined(list), { kind: 'list', shape: newShape(key, draft) }))
  return key
}

/** Whether legacy has an object of a name. That lines drop what v1 has in one of this name does not say so. */
const hasMembers = (name: string, lines: readonly WrittenLine[], draft: Draft): boolean =>
  lines.some((line) => !('drop' in line.line) && namesOf(line, draft).length > 1 && namesOf(line, draft)[0] === name) ||
  Object.keys(draft.shape.rules).some((member) => member.startsWith(`${name}.`))

/** Whether v1 has an object of a name too, as the lines and rules tell that read a member of it. */
function isObjectOfV1(
  name: string,
  list: readonly string[] | undefined,
  lines: readonly WrittenLine[],
  draft: Draft,
): boolean {
  const object = [...draft.place.v1, name]
  const isWithinIt = (v1: readonly Segment[]): boolean =>
    v1.length > object.length && object.every((segment, at) => v1[at] === segment)
  return (
    (list !== undefined && list.length > 1 && list[0] === name) ||
    lines.some(({ v1 }) => v1 !== undefined && isWithinIt(v1)) ||
    lines.some(
      (other) => 'drop' in other.line && namesOf(other, draft).length > 1 && namesOf(other, draft)[0] === name,
    ) ||
    [...draft.v1Only.keys()].some((left) => left.startsWith(`${name}.`)) ||
    [...draft.rules].some(([member, rule]) => sourceOf(member, rule).some((read) => read.startsWith(`${name}.`)))
  )
}

/** A rule for an object or a list of which the mapping says nothing. */
const fieldOf = (key: string, v1: string, value: FieldRule['value']): FieldRule => ({
  ...{ kind: 'field', v1: v1 === key ? undefined : v1, value, promised: undefined },
  ...{ type: value.kind === 'list' ? 'array' : 'object', nullable: false, basis: { kind: 'documented' } },
})

const newShape = (key: string, { shape }: Draft): Shape => ({
  ...{ name: `${shape.name}, ${key}`, rules: {}, closed: shape.closed, v1Only: {} },
})

/** Returns the v1 path of a list that no rule names, as the lines in it tell, relative to the object. */
function listOf(line: WrittenLine, lines: readonly WrittenLine[], draft: Draft): readonly string[] | undefined {
  const { place } = draft
  const list = joined(namesOf(line, draft))
  const depth = place.v1.filter((name) => name === null).length
  for (const other of lines) {
    if (joined(namesOf(other, draft)) !== list || other.v1 === undefined) continue
    const ends = other.v1.flatMap((name, at) => (name === null ? [at] : []))
    const end = ends[depth]
    if (end === undefined || !place.v1.every((name, at) => other.v1?.[at] === name)) continue
    return other.v1.slice(place.v1.length, end) as readonly string[]
  }
  return undefined
}

/** Makes an object that both sides have out of dotted rules, so that lines can lead into it. */
function nest(name: string, draft: Draft): void {
  const { rules, v1Only, place, placed } = draft
  const inner: [string, Rule][] = []
  for (const [path, rule] of [...rules]) {
    if (!path.startsWith(`${name}.`)) continue
    rules.delete(path)
    placed.delete(path)
    inner.push([path.slice(name.length + 1), movedInto(name, path, rule, place)])
  }
  const left = [...v1Only].filter(([path]) => path.startsWith(`${name}.`))
  for (const [path] of left) v1Only.delete(path)
  const innerV1Only = Object.fromEntries(left.map(([path, why]) => [path.slice(name.length + 1), why]))
  const shape = { ...newShape(name, draft), rules: Object.fromEntries(inner), v1Only: innerV1Only }
  rules.set(name, fieldOf(name, name, { kind: 'object', shape }))
}

/** Gives each object that both sides have a shape of its own, where dotted rules said until now what legacy has in it. */
function nestOnBothSides(draft: Draft): void {
  const { rules } = draft
  const objects = new Set(
    [...rules.keys()].filter((member) => member.includes('.')).map((member) => member.split('.')[0]),
  )
  for (const name of objects) {
    const isRead = [...rules].some(([member, rule]) => sourceOf(member, rule).some((v1) => v1.startsWith(`${name}.`)))
    if (name !== undefined && isRead && !rules.has(name)) nest(name, draft)
  }
}

/** Returns a dotted rule as one of the inner object. */
function movedInto(name: string, path: string, rule: Rule, { v1, rows }: Place): Rule {
  if (rule.kind !== 'field') return rule
  const source = rule.v1 ?? path
  if (rule.anchor !== undefined) return { ...rule, v1: source }
  if (source.startsWith(`${name}.`)) return { ...rule, v1: source.slice(name.length + 1) }
  const row = rows.at(-1) ?? v1
  return { ...rule, v1: joined([...(v1.slice(row.length) as string[]), source]), anchor: 0 }
}

/** Places lines in the value of a rule. */
function placeBeneath(key: string, lines: readonly WrittenLine[], draft: Draft): void {
  const { place, rules, context } = draft
  const rule = rules.get(key) as FieldRule
  const at = [...place.legacy, ...key.split('.')]
  const source = (rule.v1 ?? key).split('.')
  const start = rule.anchor === undefined ? place.v1 : (place.rows.at(-1 - rule.anchor) ?? place.v1)
  const v1 = [...start, ...source]
  const fitting = lines.filter((line) => {
    const problem = whyNotBeneath(rule, pathOf(at), line.legacy[at.length] === null)
    if (problem !== undefined) context.refuse(line.path, problem)
    return problem === undefined
  })
  const isList = fitting.some(({ legacy }) => legacy[at.length] === null)
  if (fitting.length === 0) return
  if (isList && fitting.some(({ legacy }) => legacy[at.length] !== null)) {
    for (const { path } of fitting) context.refuse(path, `${pathOf(at)} is a list in one line and an object in another`)
    return
  }
  // What was copied whole had all its members, whatever the object around it.
  const inner = 'shape' in rule.value ? rule.value.shape : { ...newShape(key, draft), closed: false }
  const items = [...v1, null]
  const innerPlace: Place = isList
    ? { legacy: [...at, null], v1: items, rows: [...place.rows, items] }
    : { legacy: at, v1, rows: place.rows }
  const shape = placeLines(inner, fitting, innerPlace, context)
  rules.set(key, { ...rule, value: { kind: isList ? 'list' : 'object', shape } })
}

function whyNotBeneath({ value, type }: FieldRule, path: string, isItem: boolean): string | undefined {
  if (value.kind === 'object') return isItem ? `${path} is an object, not a list; write ${path}.name` : undefined
  if (value.kind === 'list') return isItem ? undefined : `${path} is a list; write ${path}[].name`
  if (value.kind === 'converted' || isScalar(type))
    return `${path} is a single value${typeInWords(type)}, so nothing is beneath it; correct ${path} itself`
  if (type === 'array' && !isItem) return `${path} is a list; write ${path}[].name`
  return type === 'object' && isItem ? `${path} is an object, not a list; write ${path}.name` : undefined
}

/** Places the line of a member of the object itself. */
function placeMember(written: WrittenLine, draft: Draft): void {
  const { rules, context, place } = draft
  const { line, path } = written
  const key = joined(namesOf(written, draft))
  const replaced = [...rules].filter(([member]) => isWithin(member, key))
  const inWords = replaced.map(([member, rule]) => replacedInWords(member, rule, place))
  const replaces = replaced.length === 0 ? undefined : inWords.join('; ')
  context.place(path, replaces)
  if ('drop' in line && context.part === 'response') {
    dropMember(path, key, replaced, draft)
    return
  }
  const rule = ruleOf(written, {
    ...{ key, context, shipped: rules.get(key) },
    replaces,
    resolve: (v1) => resolve(v1, place, context.part),
  })
  if (rule === undefined) return
  if (!draft.shape.closed && context.part === 'response') leaveOutUnread(replaced, draft)
  if (!rules.has(key)) for (const [member] of replaced) rules.delete(member)
  rules.set(key, rule)
  draft.placed.set(key, path)
}

function dropMember(
  path: string,
  key: string,
  replaced: readonly (readonly [string, Rule])[],
  { rules, v1Only, dropped, context, shape }: Draft,
): void {
  if (replaced.length === 0 && (shape.closed || v1Only.has(key))) {
    context.refuse(path, 'legacy does not get this member anyway; remove the line')
    return
  }
  for (const [member] of replaced) rules.delete(member)
  if (shape.closed) return
  const members = replaced.length === 0 ? [key] : replaced.flatMap(([member, rule]) => sourceOf(member, rule))
  for (const member of members) {
    v1Only.set(member, dropReason(context))
    dropped.set(member, path)
  }
}
