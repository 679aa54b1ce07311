import { describe, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { COUNTRIES, fileOf, line, startReplay } from '../support/run-replay.ts'

const recorded = fileOf(Array.from({ length: 200 }, () => line(COUNTRIES)).join(''))

/** What hangs would be waited for beyond the end of the test. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: '600000' }

/** A legacy service that is asked, and answers after a while; of `hangsAfter` calls on, never. */
const slowService = (hangsAfter = Number.POSITIVE_INFINITY) => {
  let calls = 0
  return startHttpServer((_, response) => {
    if (calls++ < hangsAfter) setTimeout(() => response.end('[]'), 20)
  })
}

const v1Service = () =>
  startHttpServer((_, response) =>
    response.end('{"success":true,"message":"","items":[],"meta":{"page":1,"perPage":200,"total":0,"pageCount":0}}'),
  )

describe.concurrent('a replay that is stopped', { timeout: 60_000 }, () => {
  it('by SIGINT stops asking, writes the reports of what it has, and exits 130', async ({ expect }) => {
    const [legacy, v1] = [await slowService(20), await v1Service()]
    const running = startReplay([recorded, '--legacy', legacy.url, '--v1', v1.url], PATIENT)
    // Those that hang are under way: they are not waited for, and no failures.
    await expect.poll(() => legacy.received.length).toBe(24)
    running.child.kill('SIGINT')
    const { exit, json, output, report } = await running.end
    expect(exit).toBe(130)
    expect(json()).toMatchObject({ complete: false, totals: { requests: 20, matched: 20, failed: 0 } })
    expect(output).toContain('Stopped before the end of the recording.')
    expect(report('report.html')).toContain('Stopped before the end of the recording.')
    expect(report('junit.xml')).toContain('</testsuites>')
    expect(legacy.received).toHaveLength(24)
  })

  it('by SIGTERM exits 143, and still writes them if it comes twice at once, as npx passes it on', async ({
    expect,
  }) => {
    const [legacy, v1] = [await slowService(), await v1Service()]
    const running = startReplay([recorded, '--legacy', legacy.url, '--v1', v1.url], PATIENT)
    await expect.poll(() => legacy.received.length).toBeGreaterThan(8)
    running.child.kill('SIGTERM')
    running.child.kill('SIGTERM')
    const { exit, json } = await running.end
    expect(exit).toBe(143)
    expect(json().complete).toBe(false)
  })
})
