import fc from 'fast-check'
import { asBit, asNumber, asString, upper } from '../../../src/mapping/conversions.ts'
import { constant, joined } from '../../../src/mapping/filled-lines.ts'
import {
  converted,
  decimal,
  enumOf,
  from,
  ifAbsent,
  inRow,
  list,
  lost,
  object,
  type Rule,
  type Shape,
  shape,
  timestamp,
} from '../../../src/mapping/shape.ts'

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const paths = fc.oneof(
  { weight: 3, arbitrary: names },
  fc.tuple(names, names).map((parts) => parts.join('.')),
)
const conversions = fc.constantFrom(
  ...[(v1: string) => converted(asString, v1), (v1: string) => converted(asNumber, v1)],
  ...[(v1: string) => converted(asBit, v1), (v1: string) => converted(upper, v1)],
  ...[
    (v1: string) => timestamp(v1),
    (v1: string) => decimal(2, v1),
    (v1: string) => from(v1),
    (v1: string) => from(v1),
  ],
  (v1: string) =>
    enumOf(
      [
        ['x', 1],
        [true, 'y'],
      ],
      v1,
    ),
)

/** Shapes of every form, with objects and lists down to a depth. Some have mistakes. `lists` is the number of lists around. */
function shapesOf(depth: number, lists: number): fc.Arbitrary<Shape> {
  const scalar = fc.tuple(conversions, paths).map(([make, v1]) => make(v1))
  const inner = depth === 0 ? [] : [objectsOf(depth, lists), listsOf(depth, lists)]
  const fields = fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: scalar }, ...inner),
      fc.option(fc.nat(lists), { nil: undefined, freq: 3 }),
      fc.option(fc.constantFrom('null' as const, 'missing' as const), { nil: undefined, freq: 3 }),
    )
    .map(([field, anchor, absent]) => {
      const anchored = anchor === undefined ? field : inRow(field, anchor)
      return absent === undefined ? anchored : ifAbsent(absent, anchored)
    })
  const parts = fc.oneof(
    fc.string({ maxLength: 3 }).map((text) => ({ text })),
    fc.tuple(paths, fc.option(fc.nat(lists), { nil: undefined })).map(([path, anchor]) => ({
      path,
      ...(anchor === undefined ? {} : { anchor }),
    })),
  )
  const others = fc.oneof(
    fc.array(parts, { minLength: 1, maxLength: 4 }).map(joined),
    fc.constantFrom(constant('x'), constant([1]), lost('gone')),
  )
  const rules: fc.Arbitrary<Rule> = fc.oneof({ weight: 5, arbitrary: fields }, others)
  return fc
    .tuple(
      fc.array(fc.tuple(paths, rules), { maxLength: 5 }),
      fc.boolean(),
      fc.option(paths, { nil: undefined, freq: 2 }),
    )
    .map(([lines, closed, v1Only]) =>
      shape(`S${depth}`, Object.fromEntries(lines), {
        closed,
        v1Only: v1Only === undefined ? {} : { [v1Only]: 'added' },
      }),
    )
}

const objectsOf = (depth: number, lists: number) =>
  fc.tuple(shapesOf(depth - 1, lists), paths).map(([inner, v1]) => object(inner, v1))
const listsOf = (depth: number, lists: number) =>
  fc.tuple(shapesOf(depth - 1, lists + 1), paths).map(([inner, v1]) => list(inner, v1))

export const arbitraryShapes: fc.Arbitrary<Shape> = shapesOf(2, 0)
