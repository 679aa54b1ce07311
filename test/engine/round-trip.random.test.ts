import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { shapesOf } from '../../src/engine/compile/check-operations.ts'
import { valuePlan } from '../../src/engine/compile/compile.ts'
import { compileComposed } from '../../src/engine/compile/compile-composed.ts'
import type { Direction, RewriteContext, ValuePlan } from '../../src/engine/rewrite/rewrite-plan.ts'
import type { Rule, Shape } from '../../src/mapping/shape.ts'
import { allHardOperations } from '../mappings/support/hard-operations.ts'
import { expectSame } from '../support/expect-same.ts'
import { loadMappings } from '../support/load-mappings.ts'
import { runs } from '../support/random-runs.ts'
import { documentsOf, type Side, styles } from './support/arbitrary-documents.ts'
import { everyConstructor } from './support/every-constructor.ts'
import { canonical, contentOf, written } from './support/json-tree.ts'
import { naiveRewrite } from './support/naive-rewrite.ts'
import { rewriteBy } from './support/rewriting.ts'
import { withoutLost } from './support/without-lost.ts'

const added = await loadMappings('test/mappings/added')
const mapped = [...operations, ...allHardOperations, ...added].flatMap((operation) =>
  shapesOf(operation).map(([part, shape]): [string, Shape] => [`${operation.id}, ${part}, ${shape.name}`, shape]),
)
const madeUp = everyConstructor.map((shape): [string, Shape] => [`made up, ${shape.name}`, shape])

/** A context with some records, and a request of two rows. */
const context: RewriteContext = {
  reference: (list, match, key, take) =>
    key.length % 2 === 0 ? Buffer.from(`"${list} ${match} ${take}"`) : Buffer.from('"2025-01-01T10:24:19.000Z"'),
  requestRow: (list, take, index, count) => (count === 2 ? Buffer.from(`"${list} ${index} ${take}"`) : undefined),
}

describe.each([...mapped, ...madeUp])('%s', (_, shape) => {
  const hit = { toLegacy: new Set<Rule>(), toV1: new Set<Rule>() }

  const rewriter = (direction: Direction) => {
    const plan = valuePlan({ kind: 'object', shape }, direction)
    return (json: Uint8Array) => rewriteBy(plan, json, { context, trace: (rule) => hit[direction].add(rule) })
  }
  const toLegacy = rewriter('toLegacy')
  const toV1 = rewriter('toV1')

  describe.each([
    ['v1', 'toLegacy', toLegacy],
    ['legacy', 'toV1', toV1],
  ] as const)('a %s document', (side: Side, direction, rewrite) => {
    it('is rewritten as the tables say, the same twice, and is not changed itself', () => {
      fc.assert(
        fc.property(documentsOf(shape, side, 'any'), styles, (tree, style) => {
          const json = Buffer.from(written(tree, style))
          const before = Buffer.from(json)
          const result = rewrite(json)
          expectSame(json.equals(before), true)
          expectSame(rewrite(json).equals(result), true)
          expectSame(contentOf(result), canonical(naiveRewrite(shape, direction, tree, context)))
        }),
        { numRuns: runs(300) },
      )
    })
  })

  it.each([
    ['v1', 'toLegacy'],
    ['legacy', 'toV1'],
  ] as const)('a %s document is rewritten in the same way if it is composed', (side, direction) => {
    const plan: ValuePlan = { kind: 'composed', plan: compileComposed(shape, direction, valuePlan) }
    fc.assert(
      fc.property(documentsOf(shape, side, 'any'), styles, (tree, style) => {
        const result = rewriteBy(plan, Buffer.from(written(tree, style)), { context })
        expectSame(contentOf(result), canonical(naiveRewrite(shape, direction, tree, context)))
      }),
      { numRuns: runs(300) },
    )
  })

  it('from v1 to legacy and back keeps its values', () => {
    fc.assert(
      fc.property(documentsOf(shape, 'v1', 'reversible'), styles, (tree, style) => {
        const json = Buffer.from(written(tree, style))
        expectSame(contentOf(toV1(toLegacy(json))), canonical(tree))
      }),
      { numRuns: runs(200) },
    )
  })

  it('from legacy to v1 and back keeps its values, except those that v1 does not have', () => {
    const plan = valuePlan({ kind: 'object', shape }, 'toLegacy')
    fc.assert(
      fc.property(documentsOf(shape, 'legacy', 'reversible'), styles, (tree, style) => {
        const json = Buffer.from(written(tree, style))
        const back = rewriteBy(plan, toV1(json))
        expectSame(contentOf(back), canonical(withoutLost(shape, tree)))
      }),
      { numRuns: runs(200) },
    )
  })

  // A line with rare values takes effect only once in hundreds of documents.
  it.runIf(inject('hasFullLength'))('every line of the table took effect in these documents', () => {
    const rules = rulesOf(shape)
    for (const direction of ['toLegacy', 'toV1'] as const) {
      const missed = [...rules].filter(([rule]) => !hit[direction].has(rule)).map(([, path]) => `${direction}: ${path}`)
      expect(missed).toEqual([])
    }
  })
})

function rulesOf(shape: Shape): ReadonlyMap<Rule, string> {
  return new Map(
    Object.entries(shape.rules).flatMap(([path, rule]) => {
      const inner = rule.kind === 'field' && 'shape' in rule.value ? rulesOf(rule.value.shape) : []
      return [[rule, `${shape.name}, ${path}`] as const, ...inner]
    }),
  )
}
