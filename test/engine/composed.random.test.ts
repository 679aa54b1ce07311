import fc from 'fast-check'
import { describe, it } from 'vitest'
import { checkShape } from '../../src/engine/compile/check-shape.ts'
import { valuePlan } from '../../src/engine/compile/compile.ts'
import type { RewriteContext } from '../../src/engine/rewrite/rewrite-plan.ts'
import { expectSame } from '../support/expect-same.ts'
import { runs } from '../support/random-runs.ts'
import { documentsOf, styles } from './support/arbitrary-documents.ts'
import { arbitraryShapes } from './support/arbitrary-shapes.ts'
import { canonical, contentOf, written } from './support/json-tree.ts'
import { naiveRewrite } from './support/naive-rewrite.ts'
import { reaching, undoable } from './support/reaching-shapes.ts'
import { rewriteBy } from './support/rewriting.ts'
import { withoutLost } from './support/without-lost.ts'

const context: RewriteContext = {
  reference: (list, match, key, take) =>
    key.length % 2 === 0 ? Buffer.from(`"${list} ${match} ${take}"`) : Buffer.from('"2025-01-01T10:24:19.000Z"'),
  requestRow: (list, take, index, count) => (count === 2 ? Buffer.from(`"${list} ${index} ${take}"`) : undefined),
}

const sides = [
  ['v1', 'toLegacy'],
  ['legacy', 'toV1'],
] as const

describe.each(reaching.map((shape) => [shape.name, shape] as const))('%s', (_, shape) => {
  it('has no mistake', () => {
    expectSame(checkShape(shape, 'response').join('; '), '')
  })

  it.each(sides)('a %s document is rewritten as the tables say, and is not changed itself', (side, direction) => {
    const plan = valuePlan({ kind: 'object', shape }, direction)
    fc.assert(
      fc.property(documentsOf(shape, side, 'any'), styles, (tree, style) => {
        const json = Buffer.from(written(tree, style))
        const before = Buffer.from(json)
        const result = rewriteBy(plan, json, { context })
        expectSame(json.equals(before), true)
        expectSame(rewriteBy(plan, json, { context }).equals(result), true)
        expectSame(contentOf(result), canonical(naiveRewrite(shape, direction, tree, context)))
      }),
      { numRuns: runs(2_000) },
    )
  })
})

it.each(sides)('a %s document is rewritten by any shape as its table says', (side, direction) => {
  const shapes = arbitraryShapes.filter((shape) => checkShape(shape, 'response').length === 0)
  const cases = shapes.chain((shape) => fc.tuple(fc.constant(shape), documentsOf(shape, side, 'any'), styles))
  fc.assert(
    fc.property(cases, ([shape, tree, style]) => {
      const plan = valuePlan({ kind: 'object', shape }, direction)
      const result = rewriteBy(plan, Buffer.from(written(tree, style)), { context })
      expectSame(contentOf(result), canonical(naiveRewrite(shape, direction, tree, context)))
    }),
    { numRuns: runs(10_000) },
  )
})

describe.each(undoable.map((shape) => [shape.name, shape] as const))('%s', (_, shape) => {
  it('from legacy to v1 and back keeps its values, except those that v1 does not have', () => {
    const [toV1, toLegacy] = (['toV1', 'toLegacy'] as const).map((direction) =>
      valuePlan({ kind: 'object', shape }, direction),
    )
    fc.assert(
      fc.property(documentsOf(shape, 'legacy', 'reversible'), styles, (tree, style) => {
        const back = rewriteBy(toLegacy as never, rewriteBy(toV1 as never, Buffer.from(written(tree, style))))
        expectSame(contentOf(back), canonical(withoutLost(shape, tree)))
      }),
      { numRuns: runs(1_000) },
    )
  })
})
