import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs the command line in a process of its own, whose loader says what is wrong. */
function runIn(folder: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, ['src/cli/bin.js', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, V1_BASE_URL: 'http://127.0.0.1:9', PORT: '0', ADMIN_PORT: '0' },
  })
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
    const { status, stderr } = runIn(folder, ...args)
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
  ])('is named by file, operation and member, and no stack: %s', (_, file, text, other, says) => {
    expect(saidAfter(file, text, other)).toMatch(says)
  })

  test('stops the gateway at start, with all mistakes of form at once', () => {
    const said = saidAfter('price.ts', "  effect: 'calculation',\n  authorization: 'token',", '', ['serve'])
    expect(said).toMatch(/price: effect: is missing[\s\S]*price: authorization: is missing/)
  })
})

const URL_1 = 'http://127.0.0.1:1'

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
    [['cutover', 'advance', 'invoice-list', '--why', 'x', '--versoin', '1'], 2, /did you mean --version\?/],
    [['cutover', 'prise'], 2, /^error: unknown operation 'prise'; did you mean price\?$/m],
    [['cutover', 'audit', '--operation', 'prise'], 2, /^--operation: no such operation: prise; did you mean price\?$/m],
    [['cutover', 'advance', 'price', '--wy', 'x'], 2, /^error: unknown option '--wy'; did you mean --why\?$/m],
    [['cutover', '--jsn'], 2, /^error: unknown option '--jsn'; did you mean --json\?$/m],
    [['distil', 'x', '--outt', 'y'], 2, /^error: unknown option '--outt'; did you mean --out\?$/m],
    [['replay', 'x', '--v1-tokn=hush'], 2, /^error: unknown option '--v1-tokn'; did you mean --v1-token\?$/m],
    [['rollout', 'file.json'], 2, /^error: unknown command 'file.json'; expected one of check$/m],
    [['mappings', 'reference'], 2, /^error: unknown command 'reference'; expected one of check, source$/m],
    [['brownouts', 'edn'], 2, /^error: unknown command 'edn'; expected one of list, end; did you mean end\?$/m],
    [['dossier', 'verfy', 'x'], 2, /^error: unknown command 'verfy'; .*; did you mean verify\?$/m],
    [['rollout', 'chek', 'x'], 2, /^error: unknown command 'chek'; .*; did you mean check\?$/m],
    [['explain', 'invoce-list'], 2, /^error: unknown operation invoce-list; .*; did you mean invoice-list\?$/m],
    [['explian'], 2, /Did you mean explain\?/],
    [
      ['explain', '/api/invoce/list'],
      2,
      /^error: unknown operation \/api\/invoce\/list; .*; did you mean invoice-list\?$/m,
    ],
    [['explain', 'POST', '/api/invoce/list'], 1, /Did you mean POST\s\/api\/invoice\/list\?/],
    [['cutover', '/api/invoice/list'], 2, /; did you mean invoice-list\?$/m],
    [['cutover', 'pause', '/api/invoice/lst', '--why', 'y'], 2, /; did you mean invoice-list\?$/m],
    [['probe', '--legacy', URL_1, '--v1', URL_1, '--operation', 'prise'], 2, /, and not prise; did you mean price\?$/m],
    [['distil', 'x', '--out', 'y', '--operation', '/api/invoice/list'], 2, /; did you mean invoice-list\?$/m],
  ])('is answered with what was meant: %j', async (args, code, says) => {
    const { exit, errors } = await runCommand(args, { ADMIN_PORT: '1' })
    expect(errors).toMatch(says)
    expect(exit).toBe(code)
  })

  test('is answered so by the bin script', () => {
    const { status, stderr } = runIn(ROOT, 'brownouts', 'edn')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/did you mean end\?$/m)])
  })

  test('is not suspected in the id of an operation', async () => {
    expect((await runCommand(['cutover', 'price'], { ADMIN_PORT: '1' })).errors).toMatch(/^no gateway answers/)
  })
})
