import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import type { V1Call } from '../../src/engine/translate-request.ts'
import * as conversions from '../../src/mapping/conversions.ts'
import * as converters from '../../src/mapping/converter.ts'
import * as filled from '../../src/mapping/filled-lines.ts'
import * as operations from '../../src/mapping/operation.ts'
import * as readers from '../../src/mapping/reader.ts'
import * as requests from '../../src/mapping/request.ts'
import * as shapes from '../../src/mapping/shape.ts'
import { answered, aRecord } from '../mapping/corrections/support.ts'

const page = readFileSync('docs/mapping-language.md', 'utf8')

/** What the modules export for other code, and no mapping uses. */
const INTERNAL = ['documented', 'asIs', 'isFilled', 'convert', 'isZone', 'parametersOf']
const all: Readonly<Record<string, unknown>> = {
  ...{ ...shapes, ...filled, ...conversions, ...converters, ...readers, ...requests, ...operations },
}
const vocabulary = Object.entries(all).filter(([name]) => !INTERNAL.includes(name))

/** The names of a function's parameters, `{…}` for one that is taken apart. */
function parametersOf(written: string): readonly string[] {
  const simple = written.replaceAll(/\{[^{}]*\}/g, '{}')
  const [, list = ''] = /^(?:function \w+)?\s*\(([^()]*)\)/.exec(simple) ?? []
  return list
    .split(',')
    .map((each) => each.split('=')[0]?.trim().replace('?', '') ?? '')
    .filter((each) => each !== '')
    .map((each) => (each.startsWith('{') ? '{}' : each))
}

/** The parameters with which the page lists a constructor; undefined: it does not. */
function listedOf(name: string): readonly string[] | undefined {
  const [, list] = new RegExp(`(?:^- |[.:,] |^|each |or )\`${name}\\(([^\`]*?)\\)\``, 'm').exec(sections) ?? []
  return list === undefined ? undefined : parametersOf(`(${list})`)
}
const sections = page.slice(page.indexOf('\n## Shapes'))

describe('docs/mapping-language.md', () => {
  it('names all that a mapping can be made of', () => {
    expect(vocabulary.length).toBeGreaterThan(45)
    const missing = vocabulary.map(([name]) => name).filter((name) => !sections.includes(`\`${name}`))
    expect(missing).toEqual([])
  })

  it('lists the arguments of each constructor as the code has them', () => {
    const constructors = vocabulary.filter(([, value]) => typeof value === 'function')
    expect(constructors.length).toBeGreaterThan(35)
    for (const [name, value] of constructors) {
      expect([name, listedOf(name)]).toEqual([name, parametersOf(String(value))])
    }
  })
})

/** The rows of the table with this head, without the marks of code. */
const recipes = (head: string): readonly (readonly [string, string, string])[] =>
  (page.split(head)[1] ?? '')
    .split('\n\n')[0]
    ?.split('\n')
    .slice(2)
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '').replace(/ \|$/, '').replaceAll('`', '')))
    .map(([first = '', second = '', third = '']) => [first, second, third] as const) ?? []

/** Makes what a recipe writes, with the vocabulary of mappings. */
const made = (code: string): unknown =>
  new Function(...vocabulary.map(([name]) => name), `return [${code.startsWith('{') ? code : `{ ${code} }`}]`)(
    ...vocabulary.map(([, value]) => value),
  )

const anything = shapes.shape('Thing', {})
const ofRecord = (parameters: requests.Parameters) => ({
  request: requests.bodyParameters(parameters),
  response: operations.record(anything),
})
const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
const ofPages = (parameters: requests.Parameters) => ({
  request: requests.bodyParameters(
    { page: requests.query(readers.integer(1, 9)), perPage: requests.query(readers.integer(1, 9)), ...parameters },
    { stitching: requests.stitched({ paging, defaultPerPage: 5 }) },
  ),
  response: operations.page({ rows: ['rows', anything], meta: ['counts', anything] }),
})

/** What v1 is asked, as the table says it. */
function inWords({ path, query, matchesNothing }: V1Call, route: string): string {
  if (matchesNothing) return 'an empty page'
  if (path !== route) return path
  return query === '' ? 'not sent' : query
}

describe('a recipe of docs/mapping-language.md', () => {
  it.each(recipes('| v1 | Legacy | Line |'))('makes of %s the answer %s', (v1, legacy, line) => {
    const [rules, options] = made(line) as [Parameters<typeof aRecord>[0], Parameters<typeof aRecord>[1]]
    expect(answered(aRecord(rules, options), `{"data":${v1}}`)).toBe(legacy)
  })

  it.each(recipes('| Legacy | v1 | Parameter |'))('makes of %s in a request: %s', (legacy, v1, parameter) => {
    const [parameters] = made(parameter) as [requests.Parameters]
    const path = v1.startsWith('/') ? '/things/{id}' : '/things'
    const [compiled] = compileOperations([
      operations.operation('thing', {
        ...{ says: 'A recipe.', legacy: operations.post('/thing'), v1: operations.get(path) },
        ...(v1 === 'an empty page' ? ofPages(parameters) : ofRecord(parameters)),
        ...{ effect: 'read', authorization: 'token' },
      }),
    ])
    const { call, violations } = compiled?.translateRequest({ query: '', body: Buffer.from(legacy) }) ?? {}
    expect(violations?.length).toBe(v1 === '400' ? 1 : 0)
    expect(call === undefined ? '400' : inWords(call, path)).toBe(v1)
  })

  it('is one of at least twenty', () => {
    expect(recipes('| v1 | Legacy | Line |').length + recipes('| Legacy | v1 | Parameter |').length).toBeGreaterThan(20)
  })
})
