import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { CREDENTIAL_NAMES, PERSONAL_NAMES, redactedNames, redactJson } from '../../src/exchange/redact.ts'
import { redactor } from '../../src/exchange/redactor.ts'
import { shape } from '../../src/mapping/shape.ts'
import { documentsOf, styles } from '../engine/support/arbitrary-documents.ts'
import { arrayOf, leaf, objectOf, type Tree, written } from '../engine/support/json-tree.ts'
import { runs } from '../support/random-runs.ts'

const redact = redactor(Buffer.alloc(32, 7))
const redacted = (text: string): string | undefined => redact.body(Buffer.from(text))?.toString()

describe('any JSON document', () => {
  const names = redactedNames({ personal: PERSONAL_NAMES, secret: CREDENTIAL_NAMES })
  let count = 0
  const personal = fc.constant(null).map(() => leaf(`"Personal-${count++}"`))
  const personalMembers = fc.array(
    fc.tuple(
      fc.constantFrom(...PERSONAL_NAMES, ...CREDENTIAL_NAMES),
      fc.oneof(
        personal,
        personal.map((tree) => arrayOf([tree])),
        personal.map((tree) => objectOf([['other', tree]])),
        fc.constantFrom('null', '""', '1.0').map(leaf),
      ),
    ),
    { maxLength: 3 },
  )
  /** Puts personal members into the objects of a document. */
  const withPersonal = (tree: Tree, more: readonly (readonly [string, Tree])[]): Tree => {
    if (tree.kind === 'leaf') return tree
    if (tree.kind === 'array') return arrayOf(tree.items.map((item) => withPersonal(item, more)))
    return objectOf([...[...tree.members].map(([name, value]) => [name, withPersonal(value, more)] as const), ...more])
  }
  const shapes = operations.flatMap(({ response }) =>
    response.kind === 'page' ? [response.rows.shape] : 'shape' in response ? [response.shape] : [],
  )
  const documents = fc
    .oneof(...[...shapes, shape('Nothing', {})].map((one) => documentsOf(one, 'v1', 'any')))
    .chain((tree) => personalMembers.map((more) => withPersonal(tree, more)))

  it('is the same byte for byte once the values are put back, and shows no personal value', () => {
    fc.assert(
      fc.property(documents, styles, (tree, style) => {
        const text = written(tree, style)
        const removed: string[] = []
        const output = redactJson(Buffer.from(text), names, (_, json, start, end) => {
          removed.push(Buffer.from(json.subarray(start, end)).toString())
          return Buffer.from(`<${removed.length - 1}>`)
        }).toString()
        expect(output).not.toContain('Personal-')
        expect(output.replaceAll(/<(\d+)>/g, (_, index) => removed[Number(index)] ?? '')).toBe(text)
        expect(redacted(text)).not.toContain('Personal-')
        expect(() => JSON.parse(redacted(text) ?? '')).not.toThrow()
      }),
      { numRuns: runs(500) },
    )
  })
})
