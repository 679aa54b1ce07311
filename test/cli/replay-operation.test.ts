import { describe, expect, it } from 'vitest'
import { INVOICES, line, replayOver, startServices } from '../support/run-replay.ts'

const RECORDING = [
  line(INVOICES, { page: 1 }),
  line('GET /api/currency'),
  line('GET /country/all?code=de'),
  line('GET /elsewhere'),
].join('\n')

describe('replay --operation', { timeout: 60_000 }, () => {
  it('replays and judges only these operations, and says how many exchanges are left out', async () => {
    const services = await startServices()
    const account = ['--client-id', 'demo-client']
    const ids = ['--operation', 'currency-list', '--operation', 'country-list', '--until-difference']
    const ran = await replayOver(services, RECORDING, [...account, ...ids], { SECRET_KEY: 'demo-secret' })
    expect([ran.exit, ran.errors]).toEqual([0, expect.not.stringContaining('nothing was compared')])
    expect(ran.output).toContain('\n2 exchanges of other operations left out.\n')
    const { operations, overall, replayed } = ran.json()
    expect(operations.map(({ operation }) => operation).sort()).toEqual(['country-list', 'currency-list'])
    expect(operations.map(({ totals }) => totals.matched)).toEqual([1, 1])
    expect(JSON.stringify(overall)).not.toContain('invoice-list')
    expect(replayed?.options).toEqual(expect.arrayContaining(['--operation currency-list', '--operation country-list']))
  })

  it('says that nothing was compared if the recording has none of them', async () => {
    const services = await startServices()
    const ran = await replayOver(services, RECORDING, ['--operation', 'price'])
    expect([ran.exit, ran.errors]).toEqual([3, expect.stringMatching(/nothing was compared: no exchange of price/)])
  })

  it('refuses an unknown operation and names a similar one, before it asks anybody', async () => {
    const nobody = { legacyUrl: 'http://127.0.0.1:1', v1Url: 'http://127.0.0.1:1' }
    const ran = await replayOver(nobody, RECORDING, ['--operation', 'currency-list', '--operation', 'prise'])
    expect([ran.exit, ran.output]).toEqual([2, ''])
    expect(ran.errors).toMatch(/^--operation must be one of auth, .*, and not prise; did you mean price\?\n/)
  })
})
