import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diff } from '../../../src/control-plane/evidence/diff/diff.ts'
import type { Comparison, Kind } from '../../../src/control-plane/evidence/diff/difference.ts'
import { pathOf, type Segment } from '../../../src/control-plane/evidence/diff/path.ts'
import { styles } from '../../engine/support/arbitrary-documents.ts'
import { arrayOf, contentOf, leaf, objectOf, type Style, type Tree, written } from '../../engine/support/json-tree.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/random-runs.ts'
import { answer, shown } from './support/differing.ts'

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`),
  fc.stringMatching(/^-?[1-9][0-9]{16,40}$/),
  fc.constantFrom('0', '-0', '1e400', '1E-7', '1e999999999', '9007199254740993', '0.30', '100.00'),
)
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 5 }),
  fc.constantFrom('1', '', '12345678901234567890'),
)
const leaves = fc
  .oneof(
    numbers,
    texts.map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', 'false'),
  )
  .map(leaf)
const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('id', 'a', 'b', 'message', 'violations') },
  { weight: 1, arbitrary: fc.constantFrom('', '__proto__', 'a.b', '[]', 'x y', 'ünï') },
)

const { tree: trees } = fc.letrec<{ tree: Tree; object: Tree; array: Tree; rows: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, leaves, tie('object'), tie('array'), tie('rows')),
  object: fc.array(fc.tuple(names, tie('tree')), { maxLength: 4 }).map(objectOf),
  array: fc.array(tie('tree'), { maxLength: 4 }).map(arrayOf),
  rows: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), tie('tree')), { maxLength: 4 }).map((rows) =>
    arrayOf(
      rows.map(([id, value]) =>
        objectOf([
          ['id', leaf(String(id))],
          ['v', value],
        ]),
      ),
    ),
  ),
}))

const random = fc.array(fc.nat(999), { minLength: 8, maxLength: 24 }).map((chosen) => {
  let at = 0
  return (below: number): number => (chosen[at++ % chosen.length] ?? 0) % below
})
type Random = (below: number) => number

/** The same values, with members in another order and numbers written differently in the same form. */
function respelt(tree: Tree, next: Random): Tree {
  if (tree.kind === 'array') return arrayOf(tree.items.map((item) => respelt(item, next)))
  if (tree.kind === 'object') {
    const members = [...tree.members].map(([name, value]) => [name, respelt(value, next), next(99)] as const)
    return objectOf(members.sort((a, b) => a[2] - b[2]).map(([name, value]) => [name, value]))
  }
  if (!/^[-\d]/.test(tree.text)) return tree
  if (!/[.eE]/.test(tree.text)) return tree
  const spellings = [
    tree.text,
    /[eE]/.test(tree.text) ? tree.text : `${tree.text}e0`,
    tree.text.replace(/[eE]|$/, (end) => (tree.text.includes('.') ? `00${end}` : `.00${end}`)),
  ]
  return leaf(spellings[next(3)] ?? tree.text)
}

interface Change {
  readonly tree: Tree
  readonly kind: Kind
  readonly path: readonly Segment[]
}

/** All ways to change one place of a tree. */
function changesOf(tree: Tree, path: readonly Segment[] = []): readonly Change[] {
  if (tree.kind === 'leaf') {
    const other = leaf(tree.text === '"other"' ? '"another"' : '"other"')
    const sameType = tree.text.startsWith('"')
    const isNumber = /^[-\d]/.test(tree.text)
    return [
      { tree: other, kind: sameType ? 'changed' : 'type', path },
      ...(isNumber ? [{ tree: leaf(tree.text === '4711' ? '4712' : '4711'), kind: 'changed', path } as const] : []),
    ]
  }
  if (tree.kind === 'object') {
    const entries = [...tree.members]
    return [
      { tree: leaf('null'), kind: 'type', path },
      ...entries.flatMap(([name, value], at) =>
        changesOf(value, [...path, name]).map((change) => ({
          ...change,
          tree: objectOf(entries.with(at, [name, change.tree])),
        })),
      ),
      ...entries.map(
        ([name]): Change => ({
          tree: objectOf(entries.filter(([other]) => other !== name)),
          kind: 'missing',
          path: [...path, name],
        }),
      ),
      { tree: objectOf([...entries, ['new', leaf('null')]]), kind: 'extra', path: [...path, 'new'] },
    ]
  }
  const { items } = tree
  return [
    ...items.flatMap((item, at) =>
      changesOf(item, [...path, null]).map((change) => ({ ...change, tree: arrayOf(items.with(at, change.tree)) })),
    ),
    ...items.map((_, at): Change => ({ tree: arrayOf(items.toSpliced(at, 1)), kind: 'length', path })),
    ...items.slice(1).flatMap((item, at): readonly Change[] => {
      const before = items[at] as Tree
      const differs = shown(diff(plain(item), plain(before))).length > 0
      return differs ? [{ tree: arrayOf(items.with(at, item).with(at + 1, before)), kind: 'order', path }] : []
    }),
  ]
}

const PLAIN: Style = { spaces: [''], escapesKey: [false] }
const plain = (tree: Tree, style = PLAIN) => answer(written(tree, style))

describe('any JSON', () => {
  it('is equal to itself, regardless of white space, order of members and spelling of numbers', () => {
    fc.assert(
      fc.property(trees, random, styles, styles, (tree, next, one, other) => {
        expect(shown(diff(plain(tree, one), plain(respelt(tree, next), other)))).toEqual([])
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('has one difference after one change, at its path', () => {
    const seen = new Set<Kind>()
    fc.assert(
      fc.property(trees, random, styles, (tree, next, style) => {
        const changes = changesOf(tree)
        const change = changes[next(Math.max(1, changes.length))]
        fc.pre(change !== undefined && contentOf(written(change.tree, PLAIN)) !== contentOf(written(tree, PLAIN)))
        seen.add(change.kind)
        const { differences } = diff(plain(tree), plain(respelt(change.tree, next), style))
        expect(differences.map(({ kind, path, count }) => [kind, path, count])).toEqual([
          [change.kind, pathOf(change.path), 1],
        ])
      }),
      { numRuns: runs(2_000) },
    )
    expect([...seen].sort()).toEqual(['changed', 'extra', 'length', 'missing', 'order', 'type'])
  })

  it('has the same differences with the sides swapped, except that missing and extra are swapped too', () => {
    const swapped: Partial<Record<Kind, Kind>> = { missing: 'extra', extra: 'missing' }
    const turned = ({ differences }: Comparison) =>
      differences.map((difference) => ({
        ...difference,
        kind: swapped[difference.kind] ?? difference.kind,
        details:
          difference.details &&
          Object.fromEntries(
            Object.entries(difference.details).map(([detail, count]) => [
              detail.split(' → ').toReversed().join(' → '),
              count,
            ]),
          ),
      }))
    const sorted = (differences: Comparison['differences']) =>
      differences.toSorted((a, b) => (`${a.kind} ${a.path}` < `${b.kind} ${b.path}` ? -1 : 1))
    fc.assert(
      fc.property(trees, trees, random, fc.constantFrom(200, 400), fc.nat(4), (tree, stranger, next, status, times) => {
        let other = times === 0 ? stranger : tree
        for (let done = 0; done < times; done++) {
          const changes = changesOf(other)
          other = changes[next(Math.max(1, changes.length))]?.tree ?? other
        }
        const [a, b] = [
          { ...plain(tree), status },
          { ...plain(other), status },
        ]
        expect(sorted(turned(diff(b, a)))).toEqual(sorted(diff(a, b).differences))
      }),
      { numRuns: runs(2_000) },
    )
  })
})
