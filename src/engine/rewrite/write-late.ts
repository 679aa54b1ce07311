import { CLOSE_OBJECT, OPEN_OBJECT, QUOTE, skipString } from '../json/json-scan.ts'
import { stringAt } from '../json/json-walk.ts'
import { convertAt } from './convert-at.ts'
import type { LatePlan, ValuePlan } from './plan.ts'
import type { RewriteOptions } from './rewrite-options.ts'
import type { RunWriter } from './run-writer.ts'

/** The position of a value that the source does not have. */
export const EMPTY = -1

/** The object whose late members are written, and its rewriter. */
export interface LateSurroundings {
  readonly json: Uint8Array
  readonly out: RunWriter
  readonly options: RewriteOptions
  /** The row of the innermost list around the object, and the number of rows. */
  readonly row: { readonly index: number; readonly count: number }
  /** Returns the position remembered in a slot, or EMPTY. */
  positionOf(slot: number): number
  /** Writes the translation of the value at a position. */
  value(plan: ValuePlan, at: number): void
}

type Gathered = LatePlan & { readonly kind: 'gathered' }
type Added = LatePlan & { readonly kind: 'added' }

const NULL = new TextEncoder().encode('null')

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
  around.options.trace?.(plan.rule)
  const value = fromContext(plan, around) ?? NULL
  const converted = plan.conversion && convertAt(plan.conversion, value, 0, value.length)
  if (converted === undefined) around.out.append(value)
  else around.out.write(converted)
}

function fromContext({ source, slot }: Added, { json, options, row, positionOf }: LateSurroundings) {
  const { context } = options
  if (source === undefined || context === undefined) return undefined
  if (source.from === 'request-row') return context.requestRow?.(source.list, source.take, row.index, row.count)
  const at = positionOf(slot)
  if (at === EMPTY || json[at] !== QUOTE) return undefined
  return context.reference?.(source.list, source.match, stringAt(json, at, skipString(json, at)), source.take)
}
