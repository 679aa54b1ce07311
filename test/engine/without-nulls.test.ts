import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import { withoutNulls } from '../../src/engine/translate-request.ts'
import { styles } from './support/arbitrary-documents.ts'
import { arrayOf, canonical, contentOf, isNull, leaf, objectOf, type Tree, written } from './support/json-tree.ts'
import { oddTexts } from './support/odd-texts.ts'
import { isJson } from './support/scanned.ts'

const stripped = (text: string): string => withoutNulls(Buffer.from(text)).toString()

describe('members that are null are left out', () => {
  it.each([
    ['{"a":null}', '{}'],
    ['{"a":null,"b":1}', '{"b":1}'],
    ['{"a":1,"b":null}', '{"a":1}'],
    ['{"a":1,"b":null,"c":2}', '{"a":1,"c":2}'],
    ['{"a":null,"b":null,"c":null}', '{}'],
    ['{"a":{"b":null},"c":null}', '{"a":{}}'],
    ['{"a":{"b":{"c":null,"d":1}}}', '{"a":{"b":{"d":1}}}'],
    ['[{"a":null},{"b":1}]', '[{},{"b":1}]'],
    ['{"a":[{"b":null,"c":[{"d":null}]}],"e":null}', '{"a":[{"c":[{}]}]}'],
    ['{"a":null,"a":1}', '{"a":1}'],
    ['{"\\u0061":null}', '{}'],
  ])('%s becomes %s', (text, without) => {
    expect(stripped(text)).toBe(without)
  })

  it.each([
    'null',
    '[null]',
    '[null,null]',
    '{"a":[null,1]}',
    '{"a":"null"}',
    '{"null":1}',
    '1',
    '"a"',
    '[]',
    '{}',
    ' { } ',
  ])('%s stays unchanged', (text) => {
    expect(stripped(text)).toBe(text.trim())
  })

  it('and everything else stays byte for byte', () => {
    expect(stripped('{ "a" : 1.00 ,\n"b" : null ,"c":"\\u0041", "d" : [ 1E+2 , null ] }')).toBe(
      '{ "a" : 1.00,"c":"\\u0041", "d" : [ 1E+2 , null ] }',
    )
  })

  it('at any depth', () => {
    const deep = (bottom: string): string => '[{"a":'.repeat(50_000) + bottom + '}]'.repeat(50_000)
    expect(stripped(deep('{"b":null}'))).toBe(deep('{}'))
  })
})

const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('null', 'null', '1.0', '"null"', 'false').map(leaf),
    fc.array(tie('tree'), { maxLength: 4 }).map(arrayOf),
    fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'null'), tie('tree')), { maxLength: 5 }).map(objectOf),
  ),
})).tree

function expectedTree(tree: Tree): Tree {
  if (tree.kind === 'array') return arrayOf(tree.items.map(expectedTree))
  if (tree.kind === 'leaf') return tree
  return objectOf(
    [...tree.members].flatMap(([name, value]) => (isNull(value) ? [] : [[name, expectedTree(value)] as const])),
  )
}

describe('any JSON', () => {
  it('loses its null members and nothing else, and is not changed itself', () => {
    fc.assert(
      fc.property(trees, styles, (tree, style) => {
        const json = Buffer.from(written(tree, style))
        const before = Buffer.from(json)
        expect(contentOf(withoutNulls(json))).toBe(canonical(expectedTree(tree)))
        expect(json.equals(before)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is distinguished from text that is not JSON', () => {
    for (const text of oddTexts.flatMap((text) => [text, `{"a":null,"b":${text}}`, `[{"a":${text},"b":null}]`])) {
      if (isJson(text)) expect(() => stripped(text), text).not.toThrow()
      else expect(() => stripped(text), text).toThrow(JsonError)
    }
  })
})
