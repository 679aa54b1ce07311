import type { TryLines } from '../control-plane/evidence/compare-answers.ts'
import { expectationsOf } from '../control-plane/evidence/expected/expectations.ts'
import type { IgnoreRule } from '../control-plane/evidence/expected/ignore-rule.ts'
import type { Reply } from '../control-plane/evidence/reply.ts'
import { ALL_ROWS, rewriteList, rewritePage, rewriteRecord, rewriteRows } from '../engine/answer.ts'
import { type CompiledOperation, compileOperations, MappingError } from '../engine/compile/compile-operations.ts'
import { JsonError } from '../engine/json/scan-json.ts'
import { requestRowFinder } from '../engine/json-members.ts'
import { PromiseError } from '../engine/rewrite/rewrite-plan.ts'
import type { V1Answer } from '../exchange/exchange.ts'
import { explain } from '../guide/lines/explain.ts'
import { correct } from '../mapping/corrections/correct.ts'
import { type Corrections, CorrectionsError, type OperationCorrections } from '../mapping/corrections/corrections.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'

/** Returns how to compare an operation with lines that are not in force; undefined: there are none, or trying them shows nothing. */
export type FindLinesToTry = (operation: string) => TryLines | undefined

/**
 * Prepares lines to be tried. Those of an operation that contradict each other, or its mapping, are not tried. Never throws.
 * @param operations as they are shipped.
 * @param corrections the lines, with those that are in force.
 * @param rules the ignore rules: another array when they have changed.
 */
export function linesToTry(
  operations: readonly Operation[],
  corrections: Corrections,
  rules: () => readonly IgnoreRule[],
): FindLinesToTry {
  const tries = new Map(
    operations.flatMap((operation) => {
      const lines = corrections.operations[operation.id]
      const compiled = lines && compiledWith(operation, lines)
      if (compiled === undefined) return []
      const { mapping } = compiled
      const explained = explain(mapping)
      const expectations = oncePer((ignore: readonly IgnoreRule[]) => expectationsOf(mapping, explained, ignore))
      const translate: TryLines['translate'] = (reply, request) => translated(compiled, reply, request.body)
      return [[operation.id, { expectations, translate }] as const]
    }),
  )
  return (id) => {
    const found = tries.get(id)
    return found && { expectations: found.expectations(rules()), translate: found.translate }
  }
}

/** Compiles an operation as lines correct it. Undefined: they contradict each other, or the mapping, or they cannot be tried here. */
function compiledWith(operation: Operation, lines: OperationCorrections): CompiledOperation | undefined {
  if (readsReference(operation)) return undefined
  try {
    return compileOperations(correct([operation], { operations: { [operation.id]: lines } }))[0]
  } catch (error) {
    if (error instanceof CorrectionsError || error instanceof MappingError) return undefined
    throw error
  }
}

function translated(operation: CompiledOperation, reply: Reply, request: Uint8Array): Reply | undefined {
  if (reply.status === undefined || reply.v1Answer === undefined) return undefined
  const { v1Answer } = reply
  // An answer that was put together from several pages has counts of its own.
  if (operation.page !== undefined && v1Answer.pages !== undefined) return undefined
  if (v1Answer.status >= 400) return reply
  try {
    return { ...reply, failure: undefined, malformed: undefined, body: rewritten(operation, v1Answer, request) }
  } catch (error) {
    if (error instanceof JsonError || error instanceof PromiseError) return { failure: 'malformed' }
    throw error
  }
}

function rewritten({ mapping, answer, page }: CompiledOperation, { body }: V1Answer, request: Uint8Array): Uint8Array {
  const context = request.length === 0 ? {} : { requestRow: requestRowFinder(request) }
  switch (mapping.response.kind) {
    case 'record':
      return rewriteRecord(answer, body, { context })
    case 'list':
      return rewriteList(answer, body, { context })
    case 'whole-list':
      return Buffer.concat([OPEN, rewriteRows(answer, body, ALL_ROWS).rows, CLOSE])
    case 'page':
      return page === undefined ? body : rewritePage(page, body)
    case 'no-content':
    case 'pass-through':
      return NOTHING
  }
}

const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
const NOTHING = new Uint8Array()

/** Whether a member is filled from a reference list, which is not at hand here. */
const readsReference = ({ response }: Operation): boolean => 'shape' in response && hasReference(response.shape)

const hasReference = ({ rules }: Shape): boolean =>
  Object.values(rules).some((rule) =>
    rule.kind === 'context'
      ? rule.source.from === 'reference'
      : rule.kind === 'field' && 'shape' in rule.value && hasReference(rule.value.shape),
  )
