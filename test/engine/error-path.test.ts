import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { errorPathTranslator } from '../../src/engine/error-path.ts'
import { requestTranslator } from '../../src/engine/translate-request.ts'
import { noContent, type Operation, operation, parametersOf, post } from '../../src/mapping/operation.ts'
import { body } from '../../src/mapping/request.ts'
import { from, list, object, type Shape, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { allHardOperations } from '../mappings/support/hard-operations.ts'
import { everyConstructor } from './support/every-constructor.ts'

/** An operation whose request has this shape. */
const requesting = (of: Shape): Operation =>
  operation('made-up', {
    says: 'Made up.',
    legacy: post('/made/up'),
    v1: post('/api/v1/made-up'),
    request: body(of),
    response: noContent(204),
    effect: 'write',
    authorization: 'none',
  })

describe('the place of a v1 error', () => {
  const unit = shape('Unit', { 'unit.code': from('unitCode'), at: timestamp('madeAt') })
  const request = shape('Request', {
    rows: list(unit, 'items'),
    first: object(unit, 'head'),
    flagW20: from('flags.w20'),
    names: from('labels'),
    id: same(),
  })
  const legacyPath = errorPathTranslator(requesting(request))

  it.each([
    ['id', 'id'],
    ['items', 'rows'],
    ['items[1]', 'rows[1]'],
    ['items.1', 'rows[1]'],
    ['items[12].unitCode', 'rows[12].unit.code'],
    ['items.12.unitCode', 'rows[12].unit.code'],
    ['items.0.madeAt', 'rows[0].at'],
    ['items.unitCode', 'rows.unit.code'],
    ['head.unitCode', 'first.unit.code'],
    ['head.other.x', 'first.other.x'],
    ['flags.w20', 'flagW20'],
    ['flags', 'flags'],
    ['flags.w40', 'flags.w40'],
    ['labels.3', 'names[3]'],
    ['labels[3]', 'names[3]'],
    ['labels[3].x.4', 'names[3].x[4]'],
    ['unknown', 'unknown'],
    ['unknown.0.x', 'unknown[0].x'],
    ['items[0].unknown.1', 'rows[0].unknown[1]'],
    ['toString', 'toString'],
    ['__proto__.x', '__proto__.x'],
    ['', ''],
  ])('%s is %s in legacy', (v1, legacy) => {
    expect(legacyPath(v1)).toBe(legacy)
  })
})

interface Leaf {
  /** A path of names and indices, as in a document. */
  readonly path: readonly (string | number)[]
}

/** Every leaf of a legacy request, lists by their second item. */
function leavesOf(of: Shape): readonly Leaf[] {
  return Object.entries(of.rules).flatMap(([legacy, rule]) => {
    if (rule.kind !== 'field') return []
    const start = legacy.split('.')
    if (rule.value.kind !== 'object' && rule.value.kind !== 'list') return [{ path: start }]
    const index = rule.value.kind === 'list' ? [1] : []
    return leavesOf(rule.value.shape).map(({ path }) => ({ path: [...start, ...index, ...path] }))
  })
}

const written = (path: readonly (string | number)[], brackets: boolean): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number' && brackets) return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${part}`
  }, '')

const MARK = 'here'

const documentWith = ([part, ...rest]: readonly (string | number)[]): unknown => {
  if (part === undefined) return MARK
  const inner = documentWith(rest)
  return typeof part === 'number' ? [...Array.from({ length: part }, () => ({})), inner] : { [part]: inner }
}

function find(value: unknown): readonly (string | number)[] | undefined {
  if (value === MARK) return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const beneath = find(inner)
    if (beneath !== undefined) return [Array.isArray(value) ? Number(name) : name, ...beneath]
  }
  return undefined
}

const bodies = [...operations, ...allHardOperations, ...everyConstructor.map(requesting)].flatMap((operation) => {
  const { request } = operation
  return request.kind === 'body' ? leavesOf(request.shape).map(({ path }) => ({ operation, path })) : []
})

describe('every leaf of every request', () => {
  it.each(bodies.map((leaf) => [`${leaf.operation.id} ${written(leaf.path, true)}`, leaf] as const))(
    '%s: the path of the translated field leads back to it',
    (_, { operation, path }) => {
      const translate = requestTranslator(operation)
      const { call } = translate({ query: '', body: Buffer.from(JSON.stringify(documentWith(path))) })
      const v1Path = find(JSON.parse(String(call?.body ?? 'null')))
      expect(v1Path).toBeDefined()
      for (const brackets of [true, false]) {
        expect(errorPathTranslator(operation)(written(v1Path ?? [], brackets))).toBe(written(path, true))
      }
    },
  )

  it.each(
    operations.flatMap((operation) =>
      Object.entries(parametersOf(operation.request)).map(
        ([path, { v1 = path }]) => [operation.id, v1, path, operation] as const,
      ),
    ),
  )('%s: the parameter %s leads back to %s', (_, v1, path, operation) => {
    expect(errorPathTranslator(operation)(v1)).toBe(path)
  })
})
