import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'

const ROOT = join(import.meta.dirname, '../..')

function run(folder: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/bin.js', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, ADMIN_PORT: '1' },
  })
  return { status, stdout, stderr }
}

describe('a mistake in a mapping', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mistakes-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    for (const part of ['src', 'mappings', 'package.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })

  /** What the command line says once a file has another text in place of one. */
  function saidAfter(file: string, text: string, other: string, args = ['explain', 'price', '{}']): string {
    const path = join(folder, 'mappings', file)
    const before = readFileSync(path, 'utf8')
    expect(before).toContain(text)
    writeFileSync(path, before.replace(text, other))
    const { status, stderr } = run(folder, ...args)
    writeFileSync(path, before)
    expect(status).toBe(1)
    expect(stderr).not.toMatch(/^\s+at /m)
    return stderr
  }

  test.each([
    [
      'a syntax error',
      'price.ts',
      "effect: 'calculation'",
      "effect 'calculation'",
      /^mappings\/price\.ts, line \d+, operation price: it cannot be read: Unexpected token/,
    ],
    [
      'an unknown constructor',
      'price.ts',
      "post('/api/calculate",
      "pots('/api/calculate",
      /^mappings\/price\.ts, line 7, member legacy, operation price: pots is neither imported nor a constructor; did you mean post\?$/m,
    ],
    [
      'a constructor that is not exported',
      'price.ts',
      'import { bareList,',
      'import { bareLst,',
      /^mappings\/price\.ts, line 1, operation price: .* has no bareLst; did you mean bareList\?$/m,
    ],
    [
      'a file that does not exist',
      'price.ts',
      'shapes/price.ts',
      'shapes/prices.ts',
      /^mappings\/price\.ts, operation price: it imports mappings\/shapes\/prices\.ts, which does not exist$/m,
    ],
    [
      'no export',
      'price.ts',
      'export default operation',
      'export const price = operation',
      /^mappings\/index\.ts, line \d+: \.\/price\.ts exports no operation/,
    ],
    [
      'an unknown constructor in a shape',
      'shapes/invoice.ts',
      'dateAt: timestamp()',
      'dateAt: timestmp()',
      /^mappings\/shapes\/invoice\.ts, line \d+, member dateAt, operation invoice-list: timestmp is .* did you mean timestamp\?$/m,
    ],
    [
      'messages that are not JSON',
      'messages/en.json',
      '"unexpected":',
      '"unexpected"',
      /^mappings\/messages\/en\.json: it cannot be read: .*line \d+ column \d+/,
    ],
    [
      'a text in place of a constructor',
      'shapes/invoice.ts',
      "number: same('string')",
      "plate: 'plateCode'",
      /^ {2}mappings\/invoice-list: response: Invoice list item, plate: the text "plateCode" is no constructor; write from\("plateCode"\)/m,
    ],
    [
      'a constructor that is not called',
      'shapes/invoice.ts',
      "number: same('string')",
      'number: same',
      /Invoice list item, number: the function same itself .*; call it: same\(…\)$/m,
    ],
    [
      'null in place of a constructor',
      'shapes/invoice.ts',
      "number: same('string')",
      'number: null',
      /Invoice list item, number: null is no constructor/,
    ],
    [
      'a number in place of a constructor',
      'shapes/invoice.ts',
      "number: same('string')",
      'number: 7',
      /Invoice list item, number: 7 is no constructor/,
    ],
    [
      'a list in place of a constructor',
      'shapes/invoice.ts',
      "number: same('string')",
      'number: []',
      /Invoice list item, number: a list is no constructor/,
    ],
    ['no effect', 'price.ts', "effect: 'calculation',", '', /mappings\/price: effect: is missing/],
    ['no shape', 'price.ts', 'bareList(quote)', 'bareList()', /mappings\/price: response: the shape is missing/],
    [
      'a path in place of a route',
      'price.ts',
      "post('/api/calculate/price')",
      "'/api/calculate/price'",
      /mappings\/price: legacy: the text "\/api\/calculate\/price" is no constructor; write get\('\/path'\)/,
    ],
    ['an id that another has', 'price.ts', "operation('price'", "operation('auth'", /is already mapped by auth/],
    [
      'a reference in a page',
      'shapes/invoice.ts',
      "company: same('string')",
      "company: { kind: 'context', source: { from: 'reference', list: 'currency-list', match: 'code', sibling: 'number', take: 'name' }, value: { kind: 'as-is' }, type: undefined, basis: { kind: 'documented' } }",
      /mappings\/invoice-list: response: Invoice list item, company: fromReference .* null in every row$/m,
    ],
  ])('is named by file, operation and member, and no stack: %s', (_, file, text, other, says) => {
    expect(saidAfter(file, text, other)).toMatch(says)
  })

  test('stops the gateway at start, with all mistakes of form at once', () => {
    const said = saidAfter('price.ts', "  effect: 'calculation',\n  authorization: 'token',", '', ['serve'])
    expect(said).toMatch(/price: effect: is missing[\s\S]*price: authorization: is missing/)
  })
})

describe('a misspelt word on the command line', () => {
  test.each([
    [['cutover', 'advnce', 'x', '--why', 'y'], 2, /^error: unknown command 'advnce'; .*; did you mean advance\?$/m],
    [
      ['cutover', 'something', 'x', '--why', 'y'],
      2,
      /^error: unknown command 'something'; expected one of status, advance/,
    ],
    [
      ['cutover', 'advance', 'invoce-list', '--why', 'y'],
      2,
      /^error: unknown operation 'invoce-list'; did you mean invoice-list\?$/m,
    ],
    [['cutover', 'invoce-list'], 2, /^error: unknown operation 'invoce-list'; did you mean invoice-list\?$/m],
    [['cutover', 'advance', 'invoice-list'], 2, /^error: required option '--why <text>' not specified/],
    [['cutover', 'advance', 'invoice-list', '--why', 'x', '--versoin', '1'], 2, /Did you mean --version\?/],
    [['brownouts', 'edn'], 2, /^error: unknown command 'edn'; expected one of list, end; did you mean end\?$/m],
    [['dossier', 'verfy', 'x'], 2, /^error: unknown command 'verfy'; .*; did you mean verify\?$/m],
    [['rollout', 'chek', 'x'], 2, /^error: unknown command 'chek'; .*; did you mean check\?$/m],
    [['explain', 'invoce-list'], 1, /^error: unknown operation invoce-list; .*; did you mean invoice-list\?$/m],
    [['explian'], 1, /Did you mean explain\?/],
  ])('is answered with what was meant: %j', (args, code, says) => {
    const { status, stderr } = run(ROOT, ...args)
    expect(stderr).toMatch(says)
    expect(status).toBe(code)
  })

  test('is not suspected in the id of an operation', () => {
    expect(run(ROOT, 'cutover', 'price').stderr).toMatch(/^no gateway answers/)
  })
})
