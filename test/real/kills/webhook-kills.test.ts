import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { QUICK, rolloutOf } from '../../control-plane/cutover/support/cutover-bed.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { logOf, servingAt, startService } from '../../support/service-process.ts'

const SECRET = 'sixteen-letters-'
/** Processes start slowly on a busy machine. */
const PATIENT = { timeout: 60_000 }

it('a process that is killed before the receiver has answered sends again after its restart: the same id, and nothing is lost', {
  timeout: 150_000,
}, async () => {
  let isAlive = false
  const receiver = await startHttpServer((_, response) => {
    if (isAlive) response.end()
  })
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const folder = stateFolder()
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(rolloutOf({ steps: [100], ...QUICK })))
  const start = () =>
    startService('serve', {
      ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
      ...{ TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'), DRAIN_MS: '0' },
      ...{ ROLLOUT_FILE: rolloutFile, STATE_DB: join(folder, 'state.db') },
      ...{ WEBHOOK_URL: `${receiver.url}/hooks/path-secret?key=query-secret`, WEBHOOK_SECRET: SECRET },
    })
  const killed = start()
  await expect.poll(() => receiver.received.length, PATIENT).toBe(1)
  killed.child.kill('SIGKILL')
  await killed.exit
  isAlive = true
  const second = start()
  const { admin } = await servingAt(second)
  await expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(1)
  const [before, after] = receiver.received
  expect(after?.body).toBe(before?.body)
  expect(JSON.parse(before?.body ?? '')).toMatchObject({ event: 'advanced', to: 'running at 100 %' })
  const { text } = await callLegacy(admin, { path: '/metrics' })
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
  const everything = [killed.output(), second.output(), killed.errors(), second.errors(), text].join('\n')
  expect(logOf(second).length).toBeGreaterThan(0)
  for (const secret of ['path-secret', 'query-secret', SECRET]) expect(everything).not.toContain(secret)
  expect(readFileSync(join(folder, 'state.db')).includes('path-secret')).toBe(false)
})
