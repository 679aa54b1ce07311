import { describe, expect, it } from 'vitest'
import { COUNTRIES, line, replayOver, startServices } from '../support/run-replay.ts'

const services = await startServices()

const price = { url: 'https://gateway.example/api/calculate/price', method: 'POST', bodySize: 57 }
const countries = { url: 'https://gateway.example/country/all?code=de', method: 'GET', bodySize: 0 }
const elsewhere = { url: 'https://gateway.example/app.js', method: 'GET', bodySize: 0 }
const har = (...requests: readonly object[]): string =>
  JSON.stringify({
    log: { version: '1.2', entries: requests.map((request) => ({ request: { headers: [], ...request } })) },
  })
const MISSING = 'had a body of 57 bytes that is not in the file; export it again with its content'

describe.concurrent('legacy-gateway replay of a HAR without its bodies', { timeout: 60_000 }, () => {
  it('cannot run if no entry can be replayed', async () => {
    const { exit, output, errors } = await replayOver(services, har(price, price))
    expect({ exit, output }).toEqual({ exit: 2, output: '' })
    expect(errors).toContain(`recording:1: ${MISSING}\n`)
    expect(errors).toContain(`recording:2: ${MISSING}\n`)
    expect(errors).toContain('recording: no exchange in this file')
  })

  it('proves nothing if all other entries are skipped', async () => {
    const { exit, errors, json } = await replayOver(services, har(elsewhere, price))
    expect(exit).toBe(3)
    expect(errors).toContain(`recording:2: ${MISSING}\n`)
    expect(errors).toMatch(/recording: nothing was compared: 1 exchange could not be read\n$/)
    expect(json()).toMatchObject({
      totals: { requests: 1, skipped: 1 },
      unreadable: { count: 1, first: [{ line: 2 }] },
    })
  })

  it('replays the other entries, and judges no operation by unusable ones', async () => {
    const { exit, output, errors, json, report } = await replayOver(services, har(price, countries))
    expect(exit).toBe(3)
    expect(errors).toContain(`recording:1: ${MISSING}\n`)
    expect(output).toContain('1 line could not be read.')
    expect(output).not.toContain('price')
    expect(json().operations.map(({ operation }) => operation)).toEqual(['country-list'])
    expect(json().unreadable).toEqual({ count: 1, first: [{ line: 1, problem: MISSING }] })
    expect(report('report.html')).toContain(MISSING)
  })
})

describe('legacy-gateway replay of lines that cannot be read', { timeout: 60_000 }, () => {
  it('shows no difference where others match', async () => {
    expect((await replayOver(services, `${line(COUNTRIES)}{"v":1\n`)).exit).toBe(3)
  })
})
