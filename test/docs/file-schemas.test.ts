import { globSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { operations } from '../../mappings/index.ts'
import { mappingSchema, rolloutSchema } from '../../src/app/file-schemas.ts'
import { rolloutParser } from '../../src/app/rollout-parser.ts'
import { correct } from '../../src/mapping/corrections/correct.ts'
import { parseCorrections } from '../../src/mapping/corrections/parse-corrections.ts'

const ids = operations.map(({ id }) => id)
const validatorOf = (schema: object) =>
  new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(schema)
const isRollout = validatorOf(rolloutSchema(ids))
const isMapping = validatorOf(mappingSchema(ids))

const accepts = (parse: (text: string) => unknown, file: unknown): boolean => {
  try {
    parse(JSON.stringify(file))
    return true
  } catch {
    return false
  }
}
const parseRollout = (text: string) => rolloutParser(operations)(text)
const parseMapping = (text: string) => correct(operations, parseCorrections(text))

/** Whether a file corrects mappings. */
const isOfMappings = (text: string): boolean => /"(?:response|request)": *\{/.test(text)

/** Every JSON object that a document shows as a whole rollout file. */
const shown = globSync(['docs/*.md', 'README.md'], { exclude: ['docs/corrections.md'] }).flatMap((file) =>
  Array.from(readFileSync(file, 'utf8').matchAll(/```json\n(\{[\s\S]*?)```/g), ([, text = '']) => ({
    file,
    text,
  })).filter(
    ({ text }) =>
      /^\{\s*"(?:operations|ignore|waive|brownouts|\$schema)"/.test(text) && !text.includes('…') && !isOfMappings(text),
  ),
)
describe('the JSON Schema of the rollout file', () => {
  it('passes every example of the documents, and so does the parser', () => {
    expect(shown.length).toBeGreaterThan(4)
    for (const { file, text } of shown) {
      expect([file, text, isRollout(JSON.parse(text)), isRollout.errors]).toEqual([file, text, true, null])
      expect(() => parseRollout(text), file).not.toThrow()
    }
  })

  it('passes the file of the Kubernetes manifests', () => {
    const { data } = parseYaml(readFileSync('deploy/kubernetes/rollout.yaml', 'utf8')) as {
      data: Record<string, string>
    }
    expect(isRollout(JSON.parse(data['rollout.json'] ?? ''))).toBe(true)
  })

  test.each([
    { operations: { price: { serve: 'legcy' } } },
    { operations: { prise: {} } },
    { operations: { price: { shadow: 2 } } },
    { operations: { price: { plan: { steps: [] } } } },
    { opertions: {} },
    { ignore: [{ operation: 'price', path: 'x' }] },
    { waive: [{ operation: 'price' }] },
    { brownouts: [{ operations: ['*'] }] },
    { limits: { queue: 0 } },
    { fresh: '30 days' },
    { $schema: 7 },
    [],
  ])('refuses what the parser refuses: %j', (file) => {
    expect([isRollout(file), accepts(parseRollout, file)]).toEqual([false, false])
  })

  test.each([
    {},
    { $schema: './rollout.json' },
    { operations: { '*': { serve: 'legacy', plan: { steps: [1, 100] } } } },
  ])('passes what the parser accepts: %j', (file) => {
    expect([isRollout(file), accepts(parseRollout, file)]).toEqual([true, true])
  })
})

const answers = (line: unknown) => ({ operations: { 'city-list': { response: { '[].plate': line } } } })
const requests = (line: unknown) => ({ operations: { 'city-list': { request: { cityName: line } } } })

describe('the JSON Schema of the corrections', () => {
  test.each([
    {},
    { $schema: './mapping.json', operations: {} },
    { operations: { 'city-list': { why: 'a', by: 'b' } } },
    answers({ from: 'items[].plateCode' }),
    answers({ from: 'items[].a', as: 'string', absent: 'null' }),
    answers({ from: 'items[].a', scale: 2 }),
    answers({ from: 'items[].a', enum: { open: 'ACTIVE' } }),
    answers({
      from: 'items[].a',
      enum: [
        [1, 'ACTIVE'],
        [false, 2],
      ],
    }),
    answers({ lost: 'v1 does not know it' }),
    answers({ drop: true }),
    requests({ to: 'nameExact' }),
    requests({ to: 'nameExact', as: 'number' }),
  ])('passes what the parser accepts: %j', (file) => {
    expect([isMapping(file), isMapping.errors, accepts(parseMapping, file)]).toEqual([true, null, true])
  })

  test.each([
    { operation: {} },
    { operations: { cities: {} } },
    { operations: { 'city-list': { responses: {} } } },
    { operations: { 'city-list': { why: '' } } },
    answers({}),
    answers('items[].plateCode'),
    answers({ from: 7 }),
    answers({ from: '' }),
    answers({ frm: 'items[].a' }),
    answers({ from: 'items[].a', lost: 'b' }),
    answers({ from: 'items[].a', as: 'text' }),
    answers({ from: 'items[].a', scale: 0 }),
    answers({ from: 'items[].a', scale: 10 }),
    answers({ from: 'items[].a', scale: 1.5 }),
    answers({ from: 'items[].a', enum: {} }),
    answers({ from: 'items[].a', enum: [] }),
    answers({ from: 'items[].a', enum: [[1]] }),
    answers({ from: 'items[].a', absent: null }),
    answers({ join: [] }),
    answers({ join: [7] }),
    answers({ join: ['a'], as: 'string' }),
    answers({ lost: '' }),
    answers({ lost: 'a', as: 'string' }),
    answers({ drop: false }),
    requests({ from: 'a' }),
    requests({ to: 'a', as: 'upper' }),
    requests({ to: 'a', absent: 'null' }),
    requests({ lost: 'a' }),
  ])('refuses what the parser refuses: %j', (file) => {
    expect([isMapping(file), accepts(parseMapping, file)]).toEqual([false, false])
  })
})
