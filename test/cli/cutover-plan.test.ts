import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CutoverReport } from '../../src/control-plane/cutover/cutover.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { REPORT, startCutoverAdmin } from '../support/cutover-admin.ts'
import { runCommand } from '../support/run-command.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const THERE = {
  ...{ V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' },
  // A port that nobody listens at.
  ADMIN_PORT: '1',
}

function write(operations: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'cutover-plan-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'rollout.json')
  writeFileSync(path, JSON.stringify({ operations }))
  return path
}

/** What the command says of each operation, as `now | with this file`. */
async function planned(operations: unknown, ...words: readonly string[]) {
  const ran = await runCommand(['cutover', 'plan', write(operations), '--dry-run', ...words], THERE)
  const cells = ran.output.split('\n').map((line) => line.split(/ {2,}/))
  const of = (id: string): string | undefined =>
    cells
      .find(([first]) => first === id)
      ?.slice(1)
      .join(' | ')
  return { ...ran, of }
}

const LEGACY = { serve: 'legacy', shadow: 1 }

describe('legacy-gateway cutover plan FILE --dry-run', () => {
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const report = (operation: string, more: Partial<CutoverReport> = {}): CutoverReport => ({
    ...{ ...REPORT, operation, since, calls: 188 },
    ...more,
  })
  let admin: string

  beforeAll(async () => {
    const stopped = { percent: 0, step: 0, state: 'stopped', why: 'stopped by Ada: totals are wrong' } as const
    const reports = [report('invoice-list'), report('price'), report('country-list'), report('city-list', stopped)]
    admin = (await startCutoverAdmin({ reports })).url
  })

  it('shows where each plan stands, and what the file would change', async () => {
    const { exit, errors, of } = await planned(
      {
        '*': LEGACY,
        'invoice-list': { plan: { steps: [5, 50], calls: 500, approve: [50] } },
        price: { plan: { steps: [1, 25], calls: 100, withoutVerdict: 'tried' } },
        'city-list': { plan: { steps: [1] } },
        document: { plan: { steps: [10], withoutVerdict: 'tried' } },
        'county-list': { plan: { steps: [10] } },
        'unit-list': { v1Percent: 20 },
      },
      ...['--admin', admin],
    )
    expect([exit, errors]).toEqual([0, ''])
    expect(of('operation')).toBe('now | with this file')
    expect(of('invoice-list')).toBe(
      '5 %, running | stays at 5 %, next 50 %: waits for 312 more calls and the verdict (insufficient data); needs an approval for 50 %',
    )
    expect(of('price')).toMatch(/^5 %, running \| goes from 5 % to 25 % at once: /)
    expect(of('country-list')).toBe('5 %, running | the plan ends: v1 goes from 5 % to 0 % at once; legacy')
    expect(of('city-list')).toBe('0 %, stopped | stays at 0 %: stopped by Ada: totals are wrong')
    expect(of('document')).toMatch(/^no plan \| goes from 0 % to 10 % at once: .*tried/)
    expect(of('county-list')).toMatch(/^no plan \| begins at 0 %, next 10 %: waits for the verdict/)
    expect(of('unit-list')).toBe('no plan | legacy, v1 for 20 % of clients')
    expect(of('charge-list')).toBe('no plan | legacy: v1 has no equivalent')
  })

  it('asks a real gateway, and changes nothing there', async () => {
    const sides = await startSideBySide(
      { operations: { '*': LEGACY, 'invoice-list': { plan: { steps: [5] } } } },
      { settings: (state) => ({ stateDb: join(state, 'state.db') }) },
    )
    const words = ['--admin', sides.adminUrl]
    const change = { '*': LEGACY, document: { plan: { steps: [10], withoutVerdict: 'tried' } } }
    for (const _ of [1, 2]) {
      const { exit, errors, of } = await planned(change, ...words)
      expect([exit, errors]).toEqual([0, ''])
      expect(of('invoice-list')).toBe('0 %, waiting | legacy')
      expect(of('document')).toMatch(/^no plan \| goes from 0 % to 10 % at once/)
    }
  }, 60_000)

  it('assumes 0 % for each plan when no gateway answers', async () => {
    const { exit, errors, of } = await planned({ 'invoice-list': { ...LEGACY, plan: { steps: [5] } } })
    expect(exit).toBe(0)
    expect(errors).toMatch(/^No gateway answers, so each plan is assumed to stand at 0 %/)
    expect(of('invoice-list')).toBe('not known | begins at 0 %, next 5 %: waits for the verdict (insufficient data)')
  })

  it('exits with 1 for a file with mistakes, and 2 if file or gateway cannot be read', async () => {
    const mistakes = await planned({ 'invoice-list': { serve: 'v1', plan: { steps: [5, 1] } } }, '--admin', admin)
    expect(mistakes).toMatchObject({ exit: 1, output: '' })
    expect(mistakes.errors.trim().split('\n')).toHaveLength(2)
    const nowhere = await planned({}, '--admin', 'http://127.0.0.1:1')
    expect(nowhere).toMatchObject({ exit: 2, output: '', errors: expect.stringContaining('no gateway answers at') })
    const { url } = await startCutoverAdmin({ token: 'a-token-of-the-admin' })
    expect(await planned({}, '--admin', url)).toMatchObject({ exit: 2, errors: expect.stringContaining('--token') })
    expect((await planned({}, '--admin', url, '--token', 'a-token-of-the-admin')).exit).toBe(0)
    expect(await runCommand(['cutover', 'plan', '/no/such/file'], THERE)).toMatchObject({ exit: 2, output: '' })
  })
})
