import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CutoverAdmin, entry, REPORT, startCutoverAdmin } from '../support/cutover-admin.ts'
import { startHttpServer } from '../support/http-server.ts'
import { runBin } from '../support/run-bin.ts'
import { runCommand } from '../support/run-command.ts'
import { fileOf } from '../support/run-replay.ts'
import { wordsOf } from '../support/shell-words.ts'

const TOKEN = 'a-token-of-the-admin'
const WHY = ['--why', 'the numbers are good']
const EVIL = 'a\u001b[2J\u009b1m\u202eb'
const NOBODY = 'http://127.0.0.1:1'

let admin: CutoverAdmin
beforeAll(async () => {
  admin = await startCutoverAdmin({ token: TOKEN })
})

/** Runs `cutover` against an admin port, with its token. */
const cutover = ({ url }: Pick<CutoverAdmin, 'url'>, ...words: readonly string[]) =>
  runCommand(['cutover', ...words, '--admin', url], { ADMIN_TOKEN: TOKEN })

describe('the bin script', () => {
  it('gives orders at ADMIN_PORT with ADMIN_TOKEN', async () => {
    const own = await startCutoverAdmin({ token: TOKEN })
    const env = { ADMIN_TOKEN: TOKEN, ADMIN_PORT: new URL(own.url).port }
    const ordered = await runBin(['cutover', 'advance', 'price', '--by', 'Ada', ...WHY, '--version', '7'], env)
    expect(ordered).toEqual({
      exit: 0,
      errors: '',
      output: expect.stringMatching(/^price: running at 25 %, step 3 of 5/),
    })
    expect(own.orders).toEqual([
      { operation: 'price', action: 'advance', by: 'Ada', why: 'the numbers are good', version: 7 },
    ])
    expect((await runBin(['cutover', 'stop', 'no-such', ...WHY], env)).exit).toBe(1)
  })
})

describe('docs/cutover.md', () => {
  it('shows commands that work as written', async () => {
    const own = await startCutoverAdmin()
    const lines = readFileSync('docs/cutover.md', 'utf8').match(/^node src\/cli\/bin\.js cutover\b(?! plan).*$/gm) ?? []
    expect(lines.length).toBeGreaterThanOrEqual(4)
    for (const line of lines) {
      const { exit, errors } = await runCommand(wordsOf(line), { ADMIN_PORT: new URL(own.url).port })
      expect([exit, errors], line).toEqual([0, ''])
    }
    expect(own.orders).toMatchObject([{ action: 'approve' }, { action: 'stop', by: 'Ada' }])
    expect(own.queries).toHaveLength(1)
  })
})

describe('cutover status', () => {
  it('shows where each plan stands and why, in columns', async () => {
    const { exit, output, errors } = await cutover(admin, 'status')
    expect([exit, errors]).toEqual([0, ''])
    expect(output.split('\n').map((line) => line.trimEnd())).toEqual([
      'operation     state     v1    step  calls  failures  since (UTC)          version  why',
      ...['invoice-list  7', 'price         0'].map(
        (row) =>
          `${row.slice(0, 14)}running  5 %  2 of 5    188         1  2027-05-03 09:00:00        ${row.at(-1)}  waits for 312 more calls and 14 minutes`,
      ),
      '',
    ])
  })

  it('is the default command, and can show a single plan', async () => {
    expect((await cutover(admin)).output).toBe((await cutover(admin, 'status')).output)
    const { output } = await cutover(admin, 'status', 'price')
    expect([output.includes('price'), output.includes('invoice-list')]).toEqual([true, false])
  })

  it('prints the admin port’s JSON with --json', async () => {
    expect(JSON.parse((await cutover(admin, 'status', 'invoice-list', '--json')).output)).toEqual([REPORT])
  })

  it('names the operations with plans when asked for one without', async () => {
    expect(await cutover(admin, 'status', 'auth')).toEqual({
      ...{ exit: 1, output: '', errors: 'auth has no plan; these have one: invoice-list, price.\n' },
    })
    const none = await startCutoverAdmin({ reports: [] })
    expect(await cutover(none)).toEqual({
      ...{ exit: 0, errors: '', output: 'No operation has a plan. Plans are defined in the rollout file.\n' },
    })
  })
})

describe('an order', () => {
  it.each(['advance', 'approve', 'pause', 'resume', 'stop'])('%s is given under the login name', async (action) => {
    const own = await startCutoverAdmin()
    expect((await cutover(own, action, 'price', ...WHY)).exit).toBe(0)
    expect(own.orders).toEqual([{ operation: 'price', action, by: userInfo().username, why: 'the numbers are good' }])
  })

  it('exits with 1 when refused, and says why and what the state is now', async () => {
    const stale = await startCutoverAdmin({ ordered: { refused: 'stale', message: 'the version is 7 by now' } })
    expect(await cutover(stale, 'advance', 'price', ...WHY, '--version', '3')).toEqual({
      ...{ exit: 1, output: '' },
      errors:
        'price: the version is 7 by now\nNow: running at 5 %, step 2 of 5, version 0; waits for 312 more calls and 14 minutes\n',
    })
    expect(stale.orders).toMatchObject([{ version: 3 }])
    expect(await cutover(admin, 'stop', '../audit', ...WHY)).toMatchObject({
      ...{ exit: 1, errors: '../audit: No such operation; these have a plan: invoice-list, price.\n' },
    })
    expect(await cutover(admin, 'stop', 'price', '--why', EVIL)).toMatchObject({
      ...{ exit: 1, errors: expect.stringContaining('why must be text of 1 to 1000 characters') },
    })
    expect(await cutover(admin, 'stop', 'price', ...WHY, '--by', 'auto')).toMatchObject({
      ...{ exit: 1, errors: expect.stringContaining('by must say who you are') },
    })
    expect(admin.orders).toEqual([])
  })

  it.each([
    ['no reason', ['stop', 'price'], "required option '--why <text>' not specified"],
    ['no operation', ['stop', ...WHY], "missing required argument 'operation'"],
    ['an unknown action', ['stopp', 'price'], "unknown command 'stopp'"],
    ['a version that is no number', ['stop', 'price', ...WHY, '--version', 'x'], 'Give a whole number'],
    ['dots for an operation', ['stop', '..', ...WHY], 'name the operation by its id'],
    [
      'an address that is none',
      ['stop', 'price', ...WHY, '--admin', 'nowhere'],
      '--admin must be an http or https URL',
    ],
  ])('with %s is not sent, and exits with 2', async (_, words, message) => {
    const ran = await runCommand(['cutover', ...words], { ADMIN_PORT: new URL(admin.url).port, ADMIN_TOKEN: TOKEN })
    expect([ran.exit, ran.output]).toEqual([2, ''])
    expect(ran.errors).toContain(message)
    expect(admin.orders).toEqual([])
  })

  it('exits with 2 when no answer came, and says whether it may have been carried out', async () => {
    const away = await startCutoverAdmin({ ordered: { refused: 'unavailable', message: 'the store is away' } })
    expect(await cutover(away, 'stop', 'price', ...WHY)).toMatchObject({
      ...{ exit: 2, output: '', errors: expect.stringMatching(/answers 503: the store is away\n$/) },
    })
    expect(await cutover({ url: NOBODY }, 'stop', 'price', ...WHY)).toMatchObject({
      exit: 2,
      errors: `no gateway answers at ${NOBODY} (ECONNREFUSED): give its admin port with --admin URL\n`,
    })
    const broken = await startHttpServer((_, response) => response.destroy())
    expect(await cutover(broken, 'stop', 'price', ...WHY)).toMatchObject({
      ...{ exit: 2, errors: expect.stringContaining('the order may have been carried out') },
    })
    const other = await startHttpServer((_, response) => response.end('<html>'))
    expect(await cutover(other, 'stop', 'price', ...WHY)).toMatchObject({
      ...{ exit: 2, errors: expect.stringContaining('is it the admin port of this gateway?') },
    })
  })

  it('reports a wrong token without showing it', async () => {
    const words = ['cutover', 'stop', 'price', ...WHY, '--admin', admin.url]
    const ran = await runCommand([...words, '--token', 'a-secret-of-somebody'])
    expect([ran.exit, ran.errors]).toEqual([
      2,
      `the gateway at ${admin.url} refuses the token: set ADMIN_TOKEN, or give --token-file\n`,
    ])
    const mistyped = await runCommand([...words, '--tokn=a-secret-of-somebody'])
    expect([mistyped.exit, mistyped.errors.includes('a-secret')]).toEqual([2, false])
  })
})

describe('the token of the admin port', () => {
  it('comes from a file, and not also from the command line', async () => {
    const own = await startCutoverAdmin()
    const words = ['cutover', 'stop', 'price', ...WHY, '--admin', own.url, '--token-file', fileOf(`${TOKEN}\n`)]
    expect((await runCommand(words)).exit).toBe(0)
    const both = await runCommand([...words, '--token', TOKEN])
    expect([both.exit, both.errors]).toEqual([
      2,
      '--token and --token-file are both given: give one of them\nAdd --help for usage.\n',
    ])
  })
})

describe('cutover audit', () => {
  const started = () =>
    startCutoverAdmin({
      token: TOKEN,
      audit: async ({ limit }) =>
        [
          entry(3, {
            event: 'stopped',
            by: 'Ada',
            from: 'running at 5 %',
            to: 'stopped at 0 %',
            why: 'too slow',
            counts: '{}',
          }),
          entry(2),
          entry(1, {
            event: 'rollout-changed',
            operation: '*',
            from: 'a',
            to: 'b',
            why: '-1\n+2',
            lineage: '{}',
            counts: '{}',
          }),
        ].slice(0, limit),
    })

  it('lists entries by time, newest last', async () => {
    expect(await cutover(await started(), 'audit')).toEqual({
      ...{ exit: 0, errors: '' },
      output: [
        '2027-05-03 09:00:00  *  rollout-changed by auto: a → b',
        ...['    -1', '    +2'],
        '2027-05-03 09:00:00  invoice-list  advanced by auto: running at 1 % → running at 5 %',
        ...['    ready', '    v1: 512 calls, 0 failures; mapping 0123456789ab'],
        '2027-05-03 09:00:00  invoice-list  stopped by Ada: running at 5 % → stopped at 0 %',
        ...['    too slow', '    mapping 0123456789ab', ''],
      ].join('\n'),
    })
  })

  it('says how to see earlier entries, and passes its filters on', async () => {
    const own = await started()
    const { output } = await cutover(own, 'audit', '--limit', '2', '--operation', 'price')
    const [, before = ''] = /^For older decisions: --before '(.*)'\n\n2027/.exec(output) ?? []
    expect((await cutover(own, 'audit', '--before', before)).exit).toBe(0)
    expect(own.queries).toEqual([
      { operation: 'price', limit: 2 },
      { limit: 100, before: { at: entry(2).at, id: 'id-2' } },
    ])
  })

  it('passes on what the admin port refuses, in its words', async () => {
    expect(await cutover(admin, 'audit', '--before', 'x')).toMatchObject({
      ...{ exit: 1, output: '', errors: expect.stringContaining('before must be') },
    })
  })

  it('prints the admin port’s JSON with --json', async () => {
    const page = JSON.parse((await cutover(await started(), 'audit', '--json')).output)
    expect([page.entries.length, page.entries[0].id, page.next]).toEqual([3, 'id-3', null])
  })
})

describe('text that others wrote', () => {
  it.each([['status'], ['status', '--json'], ['audit'], ['audit', '--json'], ['stop', 'price', ...WHY]])(
    'does not control the terminal: %j',
    async (...words) => {
      const own = await startCutoverAdmin({
        reports: [{ ...REPORT, operation: 'price', why: EVIL }],
        ordered: { refused: 'refused', message: EVIL },
        audit: async () => [entry(1, { why: EVIL, by: EVIL, counts: JSON.stringify({ [EVIL]: EVIL }) })],
      })
      const { output, errors } = await cutover(own, ...words)
      expect(output + errors).toContain('[2J')
      expect((output + errors).replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    },
  )

  it('comes back unchanged from JSON', async () => {
    const own = await startCutoverAdmin({ reports: [{ ...REPORT, why: `${EVIL} \u{e0001}` }] })
    expect(JSON.parse((await cutover(own, 'status', '--json')).output)[0].why).toBe(`${EVIL} \u{e0001}`)
  })
})
