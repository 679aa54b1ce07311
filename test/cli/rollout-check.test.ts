import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'

const THERE = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }

function write(file: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-check-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'rollout.json')
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  return path
}

const check = (file: unknown, env: Readonly<Record<string, string>> = THERE) =>
  runCommand(['rollout', 'check', write(file)], env)
/** The line of the table about an operation. */
const rowOf = (output: string, id: string): string => output.split('\n').find((line) => line.startsWith(`${id} `)) ?? ''

const PLAN = {
  ...{ steps: [1, 5, 100], calls: 500, approve: [100] },
  window: { days: 'Mon-Thu', from: '09:00', to: '16:00', zone: 'Europe/Istanbul' },
}
const FILE = {
  operations: {
    '*': { serve: 'legacy', shadow: 0.5, plan: PLAN },
    'country-list': { serve: 'v1', clients: { shop: 'legacy' } },
    'city-list': { v1Percent: 25, shadow: 0 },
    document: { shadowWrites: 'translate-only' },
  },
  ignore: [
    { operation: '*', path: 'a', why: 'known' },
    { operation: 'city-list', path: 'b', why: 'known' },
  ],
  brownouts: [
    {
      ...{ operations: ['*'], from: '2027-05-03T09:00:00+03:00', to: '2027-05-03T10:00:00+03:00', percent: 10 },
      ...{ except: ['big-shop'], why: 'rehearsal of the switch-off' },
    },
  ],
}

describe('legacy-gateway rollout check', () => {
  it('says who answers each operation, what is compared, and how many rules apply', async () => {
    const { exit, output, errors } = await check(FILE)
    expect([exit, errors]).toEqual([0, ''])
    expect(rowOf(output, 'operation')).toMatch(/^operation +who answers +compared +ignore rules$/)
    for (const { id } of operations) expect(rowOf(output, id), id).not.toBe('')
    expect(rowOf(output, 'invoice-list')).toMatch(/ legacy, v1 by its plan +50 % +1$/)
    expect(rowOf(output, 'country-list')).toMatch(/ v1; legacy for shop +50 % +1$/)
    expect(rowOf(output, 'city-list')).toMatch(/ legacy, v1 for 25 % of clients +no +2$/)
    expect(rowOf(output, 'document')).toMatch(/ legacy +checked, not sent +1$/)
    expect(rowOf(output, 'auth')).toMatch(/ legacy, v1 by its plan +50 % +1$/)
    expect(rowOf(output, 'charge-list')).toMatch(/ legacy: v1 has no equivalent +never +1$/)
  })

  it('says that writes are compared against a copy, if there is one', async () => {
    const file = { operations: { '*': { serve: 'legacy', shadow: 0.5, shadowWrites: 'copy', plan: PLAN } } }
    const { exit, output } = await check(file, { ...THERE, V1_COPY_BASE_URL: 'https://v1-test.test' })
    expect(exit).toBe(0)
    expect(rowOf(output, 'document')).toMatch(/ legacy, v1 by its plan +50 %, against a copy +0$/)
    expect((await check(file)).errors).toContain(
      'operations.*.shadowWrites: needs a copy of v1, but V1_COPY_BASE_URL is not set',
    )
  })

  it('describes plans and brownouts in words, and why an operation does not inherit the plan of *', async () => {
    const { output } = await check(FILE)
    expect(output).toMatch(
      /\n {2}auth, price, .*invoice-list.*: v1 for 1, 5, then 100 % of clients; each step lasts at least 500 calls of v1 and 10 minutes; someone approves 100 %; steps are taken Mon-Thu from 09:00 to 16:00, Europe\/Istanbul; only while the verdict is ready; the brake trips if v1 fails 1 % more than legacy, or takes more than 2 times as long\n/,
    )
    expect(output).toContain('\n  country-list: not the plan of *: v1 answers it already\n')
    expect(output).toContain('\n  city-list: not the plan of *: it has v1Percent\n')
    expect(output).toMatch(/\n {2}document, .*: not the plan of \*: a write is compared only with a copy of v1/)
    expect(output).toContain(
      '\nBrownouts:\n  2027-05-03T09:00:00+03:00 to 2027-05-03T10:00:00+03:00: 10 % of calls of * get 503, but never big-shop: rehearsal of the switch-off\n',
    )
  })

  it('exits with 1 and lists every mistake of a file that serve would refuse', async () => {
    const wrong = { operations: { 'invoice-list': { serve: 'v1', v1Percent: 5 }, invoices: {} }, brownouts: [{}] }
    const { exit, output, errors } = await check(wrong)
    expect([exit, output]).toEqual([1, ''])
    expect(errors).toContain('operations.invoices: no such operation')
    expect(errors).toContain('operations.invoice-list.v1Percent: has no effect: serve is "v1"')
    expect(errors).toContain('brownouts.0.to: a brownout needs an end')
    expect((await check('{')).errors).toContain('not JSON')
  })

  it.each([
    ['the sandbox has a legacy service', { STATE_DB: 'state.db' }, 0],
    ['without a legacy service', { ...THERE, LEGACY_BASE_URL: '' }, 1],
    ['without a state that is kept', { ...THERE, STATE_DB: '' }, 1],
    ['mistakes in variables that it does not read', { ...THERE, PORT: 'x', TOKEN_KEY: 'x', ROLLOUT_FILE: 'none' }, 0],
    ['mistakes in those that it reads', { ...THERE, LEGACY_BASE_URL: 'nowhere' }, 2],
  ])('judges the file by the environment, as serve does: %s', async (_, env, exit) => {
    expect(await check({ operations: { '*': { serve: 'legacy', plan: PLAN } } }, env)).toMatchObject({ exit })
  })

  it.each([
    ['legacy does: LEGACY_BASE_URL is set here', THERE, / legacy +no /],
    ['v1 does: SERVE says so', { ...THERE, SERVE: 'v1' }, / v1 +no /],
    ['v1 does: LEGACY_BASE_URL is not set here', { STATE_DB: 'state.db' }, / v1 +no /],
    ['legacy does: SERVE says so', { STATE_DB: 'state.db', SERVE: 'legacy' }, / legacy +no /],
  ])('says who answers where the file says nothing: %s', async (says, env, row) => {
    const { output } = await check({}, env)
    expect(output).toContain(`\nWhere the file does not say who answers, ${says}.\n`)
    expect(rowOf(output, 'price')).toMatch(row)
  })

  it('says if nothing is compared, and the line that begins to compare and changes nothing else', async () => {
    const before = await check({ operations: { '*': {}, price: { v1Percent: 5 } } })
    expect(before.output).toContain('add "shadow": 1 to "*"; that does not change who answers')
    const after = await check({ operations: { '*': { shadow: 1 }, price: { v1Percent: 5 } } })
    expect(after.output).not.toContain('Nothing is compared')
    const answering = (output: string) =>
      operations.map(({ id }) => rowOf(output, id).replace(/ +(no|100 %|never.*) +\d+$/, ''))
    expect(answering(after.output)).toEqual(answering(before.output))
    expect((await check({}, { ...THERE, LEGACY_BASE_URL: '' })).output).not.toContain('Nothing is compared')
  })

  it('exits with 1 if a member is written twice', async () => {
    const { exit, errors } = await check('{"operations":{"price":{"serve":"legacy","serve":"v1"}}}')
    expect(exit).toBe(1)
    expect(errors).toContain('operations.price.serve: written more than once; keep one')
  })

  it('exits with 2 if the file cannot be read', async () => {
    expect(await runCommand(['rollout', 'check', '/no/such/file'], THERE)).toEqual({
      ...{ exit: 2, output: '' },
      errors: '/no/such/file cannot be read: no such file or directory\n',
    })
    expect(await runCommand(['rollout', 'check'], THERE)).toMatchObject({ exit: 2, output: '' })
  })

  it('is a command of the bin script', () => {
    const words = [resolve(packageJson.bin['legacy-gateway']), 'rollout', 'check', write({ operations: 5 })]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      ...{ encoding: 'utf8', env: { ...process.env, ...THERE } },
    })
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('operations: ')])
  })
})
