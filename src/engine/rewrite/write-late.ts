import { type Conversion, convert } from '../../mapping/converter.ts'
import type { FilledSource } from '../../mapping/shape.ts'
import { BYTES } from '../json/scan-json.ts'
import { skipValue, stringAt, textOf, typeAt } from '../json/walk-json.ts'
import { keyOf } from './key.ts'
import type { LatePlan, RewriteContext, RewriteOptions, ValuePlan } from './rewrite-plan.ts'
import { type Piece, pieceOf, type RunWriter } from './run-writer.ts'

const { CLOSE_OBJECT, OPEN_OBJECT } = BYTES

/** The position of a value that the source does not have. */
export const EMPTY = -1

/** The object whose late members are written, and its rewriter. */
export interface LateSurroundings {
  readonly json: Uint8Array
  readonly out: RunWriter
  readonly options: RewriteOptions
  /** The row of the innermost list around the object, and the number of rows. */
  row(): { readonly index: number; readonly count: number }
  /** Returns the position remembered in a slot, or EMPTY. */
  positionOf(slot: number): number
  /** Writes the translation of the value at a position. */
  value(plan: ValuePlan, at: number): void
}

type Gathered = LatePlan & { readonly kind: 'gathered' }
type Added = LatePlan & { readonly kind: 'added' }

export const NULL = new TextEncoder().encode('null')

/** Writes the members of an object that must wait for its end: those gathered from several places, and those added to it. */
export function writeLate(plans: readonly LatePlan[], around: LateSurroundings): void {
  for (const plan of plans) {
    if (!hasValue(plan, around)) continue
    around.out.separate()
    around.out.write(plan.key)
    if (plan.kind === 'remembered') around.value(plan.value, around.positionOf(plan.slot))
    else if (plan.kind === 'added') writeAdded(plan, around)
    else writeGathered(plan, around)
  }
}

function hasValue(plan: LatePlan, around: LateSurroundings): boolean {
  if (plan.kind === 'remembered') return around.positionOf(plan.slot) !== EMPTY
  return plan.kind === 'added' || plan.members.some((member) => hasValue(member, around))
}

function writeGathered({ members }: Gathered, around: LateSurroundings): void {
  const { out } = around
  out.byte(OPEN_OBJECT)
  out.hasMember = false
  writeLate(members, around)
  out.hasMember = true
  out.byte(CLOSE_OBJECT)
}

function writeAdded(plan: Added, around: LateSurroundings): void {
  const { json, options } = around
  options.trace?.(plan.rule)
  const at = around.positionOf(plan.slot)
  const key = at === EMPTY || typeAt(json, at) !== 'string' ? undefined : stringAt(json, at, skipValue(json, at))
  const value = valueFromContext(plan.source, options.context, around.row(), key) ?? NULL
  const converted = plan.conversion && convertAt(plan.conversion, value, 0, value.length)
  if (converted === undefined) around.out.append(value)
  else around.out.write(converted)
}

/** Looks up a value from outside the record. `key` is the text of its sibling. Undefined if it is not available. */
export function valueFromContext(
  source: FilledSource | undefined,
  context: RewriteContext | undefined,
  row: ReturnType<LateSurroundings['row']>,
  key: string | undefined,
): Uint8Array | undefined {
  if (source === undefined || context === undefined) return undefined
  if (source.from === 'request-row') return context.requestRow?.(source.list, source.take, row.index, row.count)
  return key === undefined ? undefined : context.reference?.(source.list, source.match, key, source.take)
}

/** Converts the value in `json[start, end)`, which is valid JSON. Returns undefined if it stays unchanged. Never throws. */
export function convertAt(conversion: Conversion, json: Uint8Array, start: number, end: number): Piece | undefined {
  const type = typeAt(json, start)
  if (type === 'null' || type === 'object' || type === 'array') return undefined
  const converted = convert(conversion, textOf(json, start, end))
  return converted === undefined ? undefined : pieceOf(converted)
}

/**
 * The texts of members that stay in an object while others are lifted out of it. The leftovers of an object within it are one
 * of them.
 */
export type Leftovers = Uint8Array[]

/** Writes the leftovers of an object into the object being written, or adds them to the leftovers of the object around it. */
export function leaveBehind(out: RunWriter, name: string, value: Uint8Array, outer: Leftovers | undefined): void {
  const member = Buffer.concat([Buffer.from(keyOf(name)), value])
  if (outer !== undefined) outer.push(member)
  else {
    out.separate()
    out.append(member)
  }
}

/** Builds the text of an object from its members. */
export function objectOf(members: Leftovers): Buffer {
  return Buffer.from(`{${members.map((member) => Buffer.from(member).toString('latin1')).join(',')}}`, 'latin1')
}
