import { lookup } from 'node:dns/promises'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stateFolder } from '../support/comparing-process.ts'
import { startService } from '../support/service-process.ts'

/** Nothing listens there, and nobody is asked: the gateway does not start. */
const SERVICES = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:8' }
const ACCOUNT = { V1_COPY_CLIENT_ID: 'c', V1_COPY_SECRET_KEY: 'hidden-secret' }

/** Starts the real program with these variables, which must be refused. */
async function refused(env: Readonly<Record<string, string>>): Promise<string> {
  const gateway = startService('serve', { LOG_LEVEL: 'fatal', ...SERVICES, ...ACCOUNT, ...env })
  expect(await gateway.exit).toBe(1)
  expect(gateway.output()).toBe('')
  expect(gateway.errors()).not.toContain('hidden-secret')
  return gateway.errors()
}

const isNoCopy = (name: string): string =>
  `V1_COPY_BASE_URL is the service of ${name}: each write would be carried out there twice; name a test installation\n`
const NEEDS_A_YES =
  'V1_COPY_IS_A_COPY must be yes when V1_COPY_BASE_URL is not a loopback address: whoever sets it says that what is created there harms nobody\n'

it.concurrent.each([
  ['V1_BASE_URL', 'http://127.0.0.1:9'],
  ['LEGACY_BASE_URL', 'http://127.0.0.1:8/test'],
  ['V1_BASE_URL', 'http://localhost:9'],
  ['LEGACY_BASE_URL', 'http://[::1]:8'],
])('a gateway whose copy is the service of %s does not start: %s', async (name, url) => {
  expect(await refused({ V1_COPY_BASE_URL: url })).toBe(`The configuration cannot be used:\n  ${isNoCopy(name)}`)
})

const here = await lookup(hostname(), 4).then(
  ({ address }) => address,
  () => undefined,
)

it.skipIf(here === undefined || hostname() === 'localhost').each(['V1_BASE_URL', 'LEGACY_BASE_URL'])(
  'nor one whose copy has another name and the address and port of %s, whoever says that it is a copy',
  async (name) => {
    const copy = { V1_COPY_BASE_URL: `http://${hostname()}:7`, V1_COPY_IS_A_COPY: 'yes' }
    expect(await refused({ ...copy, [name]: `http://${here}:7` })).toBe(isNoCopy(name))
  },
)

it.concurrent.each([
  [{}, NEEDS_A_YES],
  [{ V1_COPY_IS_A_COPY: 'no' }, 'V1_COPY_IS_A_COPY must be yes, or not set'],
])('nor one whose copy is elsewhere, unless somebody says that it is a copy: %o', async (said, why) => {
  const errors = await refused({ V1_COPY_BASE_URL: 'https://v1-test.test', ...said })
  expect(errors).toMatch(/^The configuration cannot be used:\n/)
  expect(errors).toContain(`  ${why}`)
})

it.concurrent('nor one whose rollout file sends writes to a copy that no variable names', async () => {
  const file = join(stateFolder(), 'rollout.json')
  writeFileSync(file, '{ "operations": { "document": { "serve": "legacy", "shadow": 1, "shadowWrites": "copy" } } }')
  expect(await refused({ ROLLOUT_FILE: file, V1_COPY_CLIENT_ID: '', V1_COPY_SECRET_KEY: '' })).toBe(
    'ROLLOUT_FILE: operations.document.shadowWrites: needs a copy of v1, but V1_COPY_BASE_URL is not set\n',
  )
})
