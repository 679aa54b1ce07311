import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { sendTraffic } from '../demo/send-traffic.ts'
import { closeAll, closeAtEnd } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { hasChromium, openBrowser } from '../support/open-browser.ts'

// Writes docs/dashboard.png: the dashboard of a gateway that compares its sandbox's two interfaces in the middle of a migration.
// Half a minute of traffic from two clients makes most operations ready. One is not: legacy answers another price on long pages.

const PICTURE = 'docs/dashboard.png'
const WIDTH = 1_280
const MOST_HEIGHT = 1_080
const ROUND_MS = 5_000
/** A slow machine needs more rounds. */
const MOST_ROUNDS = 36
/** Kept lists are compared every ten seconds at most: they take hours. So many of the others are proven within minutes. */
const READY = 3

const ROLLOUT = {
  operations: {
    '*': { serve: 'legacy', shadow: 1, target: 0.98 },
    'country-list': { serve: 'v1' },
    'currency-list': { serve: 'v1' },
    'unit-list': { serve: 'v1' },
  },
  limits: { queue: 10_000 },
}
/** How many shipments of each kind are created. Without a copy of v1, writes are not compared. */
const SHIPMENTS = { '/api/consignment/package/advance': 12, '/api/consignment/document': 5 }

if (!hasChromium) {
  console.error('Chromium is needed, at /usr/bin/chromium: apt-get install chromium')
  process.exit(2)
}
try {
  await takeScreenshot()
  console.log(`${PICTURE} is written.`)
} finally {
  await closeAll()
}

async function takeScreenshot(): Promise<void> {
  const { legacyUrl, adminUrl, faultsUrl } = await start()
  const fault = { path: '/api/invoice/list', kind: 'change', at: 'data[40].priceTry', to: 52.96, calls: 'all' }
  await send(faultsUrl, fault)
  await createShipments(legacyUrl)
  for (let round = 1; (await countOf('ready', adminUrl)) < READY; round++) {
    if (round > MOST_ROUNDS) throw new Error(`fewer than ${READY} operations are ready after ${MOST_ROUNDS} rounds`)
    console.log(`Round ${round}: traffic for ${ROUND_MS / 1_000} s …`)
    await sendTraffic(legacyUrl, ROUND_MS, () => undefined)
  }
  if ((await countOf('not ready', adminUrl)) !== 1) throw new Error('the planted difference was not found')
  const { page, errors } = await (await openBrowser()).open({ viewport: { width: WIDTH, height: 800 } })
  await page.goto(`${adminUrl}/side-by-side`)
  const height = Math.min(await contentHeight(page), MOST_HEIGHT)
  await page.setViewportSize({ width: WIDTH, height })
  await page.screenshot({ path: PICTURE })
  if (errors.length > 0) throw new Error(`the page has errors: ${errors.join('; ')}`)
}

/** The gateway, as it is shipped, between both interfaces of a sandbox. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-screenshot-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(ROLLOUT))
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  const gateway = await startGateway(
    readConfig({
      ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'error' },
      ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
      ...{
        ROLLOUT_FILE: rolloutFile,
        STATE_DB: join(folder, 'state.db'),
        TOKEN_KEY: randomBytes(32).toString('base64'),
      },
    }),
  )
  closeAtEnd(async () => {
    await gateway.stop()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...gateway, faultsUrl: `${sandbox.legacyUrl}/sandbox/faults` }
}

async function createShipments(legacyUrl: string): Promise<void> {
  const { token } = (await send(`${legacyUrl}/auth/application`, GOOD_BODIES['/auth/application']?.[0] ?? {})) as {
    readonly token: string
  }
  for (const [path, count] of Object.entries(SHIPMENTS)) {
    for (let sent = 0; sent < count; sent++) await send(legacyUrl + path, GOOD_BODIES[path]?.[0] ?? {}, token)
  }
}

async function send(url: string, body: object, token?: string): Promise<unknown> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** How many operations have this verdict, once everything that was answered has been compared. */
async function countOf(wanted: string, adminUrl: string): Promise<number> {
  for (;;) {
    const { operations, queue } = (await (await fetch(`${adminUrl}/experiments`)).json()) as {
      readonly operations: readonly { readonly verdict: string }[]
      readonly queue: { readonly length: number; readonly running: number }
    }
    if (queue.length + queue.running === 0) return operations.filter(({ verdict }) => verdict === wanted).length
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The project's types know no browser, hence an expression. */
function contentHeight(page: { evaluate(expression: string): Promise<unknown> }): Promise<number> {
  return page.evaluate('document.documentElement.scrollHeight') as Promise<number>
}
