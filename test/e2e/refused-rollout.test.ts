import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const GOOD = { operations: { '*': { serve: 'legacy' } } }
/** Each member alone would be right. */
const CONTRADICTORY = { operations: { '*': { serve: 'v1', v1Percent: 5 } } }
const PROBLEM = 'operations.*.v1Percent: has no effect: serve is "v1"'

describe('a rollout file that contradicts itself', { timeout: 60_000 }, () => {
  let sides: SideBySide
  const read = async (path: string, headers = {}) => (await callLegacy(sides.adminUrl, { path, headers })).text
  const write = async (file: object, message: string) => {
    const before = sides.gateway.log.length
    writeFileSync(sides.rolloutFile, JSON.stringify(file))
    await until(() => sides.gateway.log.slice(before).some(({ msg }) => String(msg).startsWith(message)))
  }

  beforeAll(async () => {
    sides = await startSideBySide(GOOD, { settings: (state) => ({ stateDb: join(state, 'state.db') }) })
    await write(CONTRADICTORY, 'ROLLOUT_FILE is refused')
  }, 60_000)

  it('is refused while the gateway runs: the previous one stays in effect', async () => {
    expect((await sides.call('/country/all')).status).toBe(200)
    expect(await read('/metrics')).toMatch(/calls_total\{operation="country-list",status="200",side="legacy"\} [1-9]/)
  })

  it('is reported in the log, at /readyz and in the metrics', async () => {
    expect(sides.gateway.log.find(({ reason }) => String(reason).startsWith(PROBLEM))).toBeDefined()
    expect(JSON.parse(await read('/readyz'))).toMatchObject({ status: 'ready', rollout: 'refused' })
    expect(await read('/metrics')).toContain('\nlegacy_gateway_rollout_refused 1\n')
  })

  it('is reported on every page of the dashboard', async () => {
    const navigation = (await read('/')).match(/<nav[\s\S]*?<\/nav>/)?.[0] ?? ''
    const pages = [...navigation.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(pages.length).toBeGreaterThanOrEqual(7)
    for (const path of pages) {
      expect(await read(path, { accept: 'text/html' }), path).toContain(
        '<strong>The newest version of the rollout file was refused;</strong>',
      )
    }
  })

  it('is forgotten once the file is right again', async () => {
    await write(GOOD, 'the rollout file is in effect')
    expect(JSON.parse(await read('/readyz'))).toMatchObject({ rollout: 'in effect' })
    expect(await read('/metrics')).toContain('\nlegacy_gateway_rollout_refused 0\n')
    expect(await read('/')).not.toContain('The newest version of the rollout file was refused')
  })
})
