import type { Operation, ResponseMapping } from '../mapping/operation.ts'
import { rewriteList, rewriteRecord } from './answer.ts'
import { valuePlan } from './compile/compile.ts'
import { startOfText } from './json/walk-json.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import type { Direction, ValuePlan } from './rewrite/rewrite-plan.ts'

/**
 * Translates the body of a legacy success into v1's shape and back, as the gateway would answer it. Members that are filled from
 * outside the record become null.
 * @throws JsonError, PromiseError if the body does not match the mapping.
 */
export type RoundTrip = (legacy: Uint8Array) => Uint8Array

const NOTHING = new Uint8Array()

/** Compiles the round trip of an operation's answers. Undefined for answers that come in pages or are passed through. */
export function roundTripper({ response }: Pick<Operation, 'response'>): RoundTrip | undefined {
  const plan = (direction: Direction): ValuePlan => planOf(response, direction)
  switch (response.kind) {
    case 'record':
      return throughV1('data', plan('toV1'), plan('toLegacy'), rewriteRecord)
    case 'list':
      return throughV1('items', plan('toV1'), plan('toLegacy'), rewriteList)
    case 'no-content':
      return () => NOTHING
    case 'whole-list':
    case 'page':
    case 'pass-through':
      return undefined
  }
}

/** Compiles the value that v1 answers in its envelope, in either direction. */
function planOf(response: ResponseMapping, direction: Direction): ValuePlan {
  if (!('shape' in response)) return { kind: 'copy' }
  return valuePlan({ kind: response.kind === 'list' ? 'list' : 'object', shape: response.shape }, direction)
}

function throughV1(
  member: 'data' | 'items',
  toV1: ValuePlan,
  toLegacy: ValuePlan,
  rewrite: (plan: ValuePlan, json: Uint8Array) => Uint8Array,
): RoundTrip {
  return (legacy) =>
    rewrite(toLegacy, Buffer.concat([Buffer.from(`{"success":true,"${member}":`), rewritten(toV1, legacy), CLOSE]))
}

/** Rewrites a JSON text by a plan. Throws like `RoundTrip`. */
export function rewritten(plan: ValuePlan, json: Uint8Array): Buffer {
  const rewriter = new Rewriter(json, json.length)
  rewriter.value(plan, startOfText(json))
  return rewriter.finish()
}

const CLOSE = Buffer.from('}')
