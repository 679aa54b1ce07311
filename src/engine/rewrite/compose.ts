import { BYTES, scanString } from '../json/scan-json.ts'
import { stringAt, typeAt } from '../json/walk-json.ts'
import {
  type ComposedPlan,
  NOT_THERE,
  type PairPlan,
  type PromisePlan,
  type SourceNode,
  type TargetPlan,
  type TargetValue,
} from './composed-plan.ts'
import { indexObject } from './index-source.ts'
import { PromiseError, type RewriteOptions, type ValuePlan } from './rewrite-plan.ts'
import type { Piece, RunWriter } from './run-writer.ts'
import { convertAt, NULL, valueFromContext } from './write-late.ts'

const { CLOSE_OBJECT, COMMA, OPEN_OBJECT, QUOTE } = BYTES

/** The rewriter that composes an object. */
export interface Composer {
  readonly json: Uint8Array
  readonly view: DataView
  readonly out: RunWriter
  readonly options: RewriteOptions
  /** The row of the innermost list around the object, and the number of rows. */
  row(): { readonly index: number; readonly count: number }
  /** Writes the translation of the value at a position. */
  value(plan: ValuePlan, at: number): number
}

/**
 * Writes the translation of the object at `at` within the current run, which goes on after it. Returns the end of the object.
 * @throws JsonError, PromiseError
 */
export function compose(plan: ComposedPlan, at: number, around: Composer): number {
  const { out, options } = around
  const end = indexObject(plan.source, at, around, options.dropped !== undefined)
  plan.source.start = at
  plan.source.end = end
  for (const promise of plan.promises) checkPromise(promise, around)
  if (options.trace !== undefined) {
    for (const { rule, source } of plan.sourceOnly) if (source.start !== NOT_THERE) options.trace(rule)
  }
  out.cut(at)
  writeObject(plan.target, around)
  out.resume(end)
  return end
}

function checkPromise({ source, promised, within, shape, path }: PromisePlan, { json }: Composer): void {
  if (within !== undefined && !isObject(within, json)) return
  if (source.start === NOT_THERE) throw new PromiseError(shape, path)
  if (typeAt(json, source.start) !== promised) throw new PromiseError(`${shape}, ${path}`, promised)
}

const isObject = ({ start }: SourceNode, json: Uint8Array): boolean =>
  start !== NOT_THERE && json[start] === OPEN_OBJECT

const SMALL_N = 0x6e
/** Whether a value that exists is null. */
const isNull = ({ start }: SourceNode, json: Uint8Array): boolean => json[start] === SMALL_N

/** Whether a node, or null in its place, is to be written. */
function isShown(
  { source, absent }: { readonly source: SourceNode; readonly absent: string | undefined },
  json: Uint8Array,
) {
  if (source.start === NOT_THERE) return absent === 'null'
  return absent !== 'missing' || !isNull(source, json)
}

/** Returns the value that a target member takes; undefined: none of them exists. */
function firstValue(target: TargetPlan, json: Uint8Array): TargetValue | undefined {
  for (const value of target.values) if (value.kind !== 'taken' || isShown(value, json)) return value
  return undefined
}

/** The first object of the source that becomes this object. */
const pairOf = ({ pairs }: TargetPlan): PairPlan | undefined =>
  pairs.length < 2 ? pairs[0] : (pairs.find(({ source }) => source.start !== NOT_THERE) ?? pairs[0])

/** Whether an object is built, rather than a value passed on that is no object. */
function isBuilt(target: TargetPlan, json: Uint8Array): boolean {
  const { members, outside, movedAway } = target
  const pair = pairOf(target)
  if (pair === undefined) return members.some((member) => exists(member, json))
  const { source } = pair
  if (!isObject(source, json)) {
    const isMissing = source.start === NOT_THERE
    return outside.some((nodes) =>
      nodes.every((node) => node.start !== NOT_THERE && (isMissing || !isNull(node, json))),
    )
  }
  if (movedAway.every(({ start }) => start === NOT_THERE)) return true
  return members.some((member) => exists(member, json)) || (pair.isOpen && hasRest(source, json, pair.withheld))
}

function exists(target: TargetPlan, json: Uint8Array): boolean {
  if (firstValue(target, json) !== undefined || isBuilt(target, json)) return true
  const pair = pairOf(target)
  return pair !== undefined && !isObject(pair.source, json) && isShown(pair, json)
}

/** Writes members. Copies that are neighbours in the source form one run. */
function writeMembers(members: readonly TargetPlan[], around: Composer): void {
  const { json, out, options } = around
  let runEnd = NOT_THERE
  for (const member of members) {
    const { copied } = member
    if (copied?.source.start === NOT_THERE) continue
    if (copied !== undefined && copied.source.keyAt !== NOT_THERE) {
      const { keyAt, end } = copied.source
      options.trace?.(copied.rule)
      if (runEnd === NOT_THERE || json[runEnd] !== COMMA || keyAt !== runEnd + 1) {
        if (runEnd !== NOT_THERE) out.cut(runEnd)
        out.separate()
        out.resume(keyAt)
      }
      runEnd = end
      continue
    }
    if (runEnd !== NOT_THERE) out.cut(runEnd)
    runEnd = NOT_THERE
    writeMember(member, around)
  }
  if (runEnd !== NOT_THERE) out.cut(runEnd)
}

function writeMember(target: TargetPlan, around: Composer): void {
  const { json, out, options } = around
  const value = firstValue(target, json)
  if (value !== undefined) {
    options.trace?.(value.rule)
    out.separate()
    out.write(target.key)
    writeValue(value, around)
    return
  }
  if (target.members.length === 0 && target.pairs.length === 0) return
  const pair = pairOf(target)
  if (pair?.rule !== undefined && pair.source.start !== NOT_THERE) options.trace?.(pair.rule)
  if (isBuilt(target, json)) {
    out.separate()
    out.write(target.key)
    writeObject(target, around)
  } else if (pair !== undefined && !isObject(pair.source, json) && isShown(pair, json)) {
    out.separate()
    out.write(target.key)
    copy(pair.source, around)
  }
}

function writeObject(target: TargetPlan, around: Composer): void {
  const { json, out, options } = around
  const outer = out.hasMember
  out.hasMember = false
  out.byte(OPEN_OBJECT)
  writeMembers(target.members, around)
  const pair = pairOf(target)
  if (pair !== undefined && isObject(pair.source, json)) {
    if (pair.isOpen) writeRest(pair.source, around, pair.withheld)
    else if (options.dropped !== undefined) noteDropped(pair.source, around, options.dropped)
  }
  out.byte(CLOSE_OBJECT)
  out.hasMember = outer
}

/** Copies the value of a node, or writes null if it does not exist. */
function copy({ start, end }: SourceNode, { out }: Composer): void {
  if (start === NOT_THERE) out.append(NULL)
  else {
    out.resume(start)
    out.cut(end)
  }
}

function writeValue(value: TargetValue, around: Composer): void {
  const { json, out, options } = around
  switch (value.kind) {
    case 'taken':
      if (value.value.kind === 'copy' || value.source.start === NOT_THERE) copy(value.source, around)
      else around.value(value.value, value.source.start)
      return
    case 'constant':
      out.append(value.json.text)
      return
    case 'joined':
      writeJoined(value.parts, around)
      return
    case 'filled': {
      const { from, sibling, conversion } = value
      const key =
        sibling !== undefined && sibling.start !== NOT_THERE && json[sibling.start] === QUOTE
          ? stringAt(json, sibling.start, sibling.end)
          : undefined
      const filled = valueFromContext(from, options.context, around.row(), key) ?? NULL
      const converted = conversion && convertAt(conversion, filled, 0, filled.length)
      out.append(converted?.text ?? filled)
    }
  }
}

/** Writes the text of joined values; null if one of them is missing, null, an object or a list. */
function writeJoined(parts: readonly (SourceNode | Piece)[], { json, out }: Composer): void {
  const isWhole = parts.every((part) => 'text' in part || (part.start !== NOT_THERE && isScalar(json, part.start)))
  if (!isWhole) {
    out.append(NULL)
    return
  }
  out.byte(QUOTE)
  for (const part of parts) {
    if ('text' in part) out.append(part.text)
    else {
      const quotes = json[part.start] === QUOTE ? 1 : 0
      out.resume(part.start + quotes)
      out.cut(part.end - quotes)
    }
  }
  out.byte(QUOTE)
}

function isScalar(json: Uint8Array, at: number): boolean {
  const type = typeAt(json, at)
  return type === 'string' || type === 'number' || type === 'boolean'
}

const NONE: ReadonlySet<SourceNode> = new Set()

/** Whether an object of the source has members that are passed on under their own names. */
const hasRest = (node: SourceNode, json: Uint8Array, withheld: ReadonlySet<SourceNode> = NONE): boolean =>
  node.unlisted.length > 0 || node.children.some((child) => !withheld.has(child) && isRest(child, json))

/** Whether a child, or something within it, is passed on under its own name. */
function isRest(child: SourceNode, json: Uint8Array): boolean {
  if (child.consumed !== undefined || child.start === NOT_THERE) return false
  if (!child.isTakenApart) return true
  return isObject(child, json) ? hasRest(child, json) : !isNull(child, json)
}

/** Writes the members of an object of the source that are passed on under their own names. */
function writeRest(node: SourceNode, around: Composer, withheld: ReadonlySet<SourceNode> = NONE): void {
  const { json, out } = around
  for (let i = 0; i < node.unlisted.length; i += 2) {
    out.separate()
    out.resume(node.unlisted[i] as number)
    out.cut(node.unlisted[i + 1] as number)
  }
  for (const child of node.children) {
    if (!isRest(child, json) || withheld.has(child)) continue
    out.separate()
    out.append(child.key.bytes)
    if (child.isPartlyConsumed && isObject(child, json)) {
      out.byte(OPEN_OBJECT)
      out.hasMember = false
      writeRest(child, around)
      out.hasMember = true
      out.byte(CLOSE_OBJECT)
    } else copy(child, around)
  }
}

function noteDropped({ unlisted }: SourceNode, { json, view }: Composer, dropped: Set<string>): void {
  for (let i = 0; i < unlisted.length; i += 2) {
    const keyAt = unlisted[i] as number
    dropped.add(stringAt(json, keyAt, scanString(view, keyAt, json.length)))
  }
}
