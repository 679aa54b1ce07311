import { valuePlan } from '../../../src/engine/compile/compile.ts'
import { endOfText, startOfText } from '../../../src/engine/json/walk-json.ts'
import { Rewriter } from '../../../src/engine/rewrite/rewrite.ts'
import type { Direction, ObjectPlan, RewriteOptions, ValuePlan } from '../../../src/engine/rewrite/rewrite-plan.ts'
import type { Shape } from '../../../src/mapping/shape.ts'

/** The rewriting of a whole text by a plan. */
export const rewriteBytes = (plan: ObjectPlan, json: Uint8Array, options?: RewriteOptions): Buffer =>
  rewriteBy({ kind: 'object', plan }, json, options)

/** The rewriting of a whole text by the plan of a value. */
export function rewriteBy(plan: ValuePlan, json: Uint8Array, options?: RewriteOptions): Buffer {
  const rewriter = new Rewriter(json, json.length, options)
  endOfText(json, rewriter.value(plan, startOfText(json)))
  return rewriter.finish()
}

const rewrite = (direction: Direction) => (shape: Shape, text: string, options?: RewriteOptions) =>
  rewriteBy(valuePlan({ kind: 'object', shape }, direction), Buffer.from(text), options).toString()

/** A v1 text in the legacy shape. */
export const toLegacy = rewrite('toLegacy')

/** A legacy text in the v1 shape. */
export const toV1 = rewrite('toV1')
