import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '../../mappings/index.ts'
import { readConfig } from '../../src/app/config.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { planted } from './planted.ts'
import { replayWrites } from './replay-writes.ts'
import { sendTraffic } from './send-traffic.ts'
import { showProgress } from './show-progress.ts'
import { undocumented, undocumentedDifferences } from './undocumented.ts'
import { type Experiment, surprises, verdictTable } from './verdicts.ts'
import { writeDossier } from './write-dossier.ts'

// A demonstration: the gateway between two faces of a sandbox that differ in a few places, and a day's traffic in half a
// minute. Some of the differences are undocumented deviations of v1, which a mapping file corrects after a third of the time.
// Prints what side by side finds, before and after, and exits 1 if that is not exactly what was planted. Then replays the
// recorded writes against two fresh sandboxes, and writes a dossier of it all.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    out: { type: 'string', default: join(tmpdir(), 'legacy-gateway-demo') },
  },
})
const seconds = Number(values.seconds)
if (!(seconds >= 1 && seconds <= 3_600)) {
  console.error(`--seconds must be a number from 1 to 3600, and is ${values.seconds}`)
  process.exit(2)
}

/** The match rate to prove, which takes 99 units: `verdictTable` says so. */
const TARGET = 0.97

mkdirSync(values.out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-demo-'))
const rolloutFile = join(folder, 'rollout.json')
const recordFile = join(folder, 'traffic.ndjson')
const writes = operations.filter(({ effect }) => effect === 'write').map(({ id }) => id)
const corrected = Object.keys(undocumented.operations)
const checked = { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' }
writeFileSync(
  rolloutFile,
  JSON.stringify({
    operations: {
      '*': { serve: 'v1', shadow: 1, target: TARGET },
      ...Object.fromEntries(writes.map((id) => [id, checked])),
    },
  }),
)

const mappingFile = join(folder, 'mapping.json')
writeFileSync(mappingFile, '{"operations":{}}')

const sandbox = await startSandbox({
  ...{ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' },
  deviate: JSON.stringify(undocumented),
})
const gateway = await startGateway(
  readConfig({
    ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'error' },
    ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
    ...{ ROLLOUT_FILE: rolloutFile, MAPPING_FILE: mappingFile, TOKEN_KEY: randomBytes(32).toString('base64') },
    ...{ RECORD_FILE: recordFile, STATE_DB: join(folder, 'state.db') },
  }),
)

async function stop(): Promise<void> {
  await gateway.stop()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}

for (const { fault } of planted) {
  await fetch(`${sandbox.legacyUrl}/sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify({ calls: 'all', ...fault }),
  })
}
console.log(`The gateway is at ${gateway.legacyUrl}, its dashboard at ${gateway.adminUrl}/`)
console.log(
  `${planted.length} differences are planted in the legacy service, and v1 deviates from its contract in ${corrected.length} operations. Sending traffic for ${seconds} s …`,
)

const progress = showProgress(seconds)
const before = await sendTraffic(gateway.legacyUrl, (seconds * 1_000) / 3, progress.show)
const found = await whenCompared(gateway.adminUrl)
writeFileSync(`${mappingFile}.new`, JSON.stringify(undocumented, null, 2))
renameSync(`${mappingFile}.new`, mappingFile)
await whenCorrected(gateway.adminUrl, found.mapping.loadedAt)
const after = await sendTraffic(gateway.legacyUrl, (seconds * 1_000 * 2) / 3, (calls) =>
  progress.show(before.calls + calls),
)
progress.end()

const experiments = await whenCompared(gateway.adminUrl)
const [calls, failed] = [before.calls + after.calls, before.failed + after.failed]
console.log(`\n${calls} calls, ${failed} of them not answered with success.\n`)
console.log('Before the mapping file, where v1 deviates:')
console.log(verdictTable(found.operations.filter(({ operation }) => corrected.includes(operation))))
console.log(`\nWith the mapping file:\n${JSON.stringify(undocumented, null, 2)}\n`)
console.log(verdictTable(experiments.operations))
const wrong = [
  ...surprises(found.operations, [...planted, ...undocumentedDifferences]).map(
    (line) => `before the mapping file: ${line}`,
  ),
  ...surprises(experiments.operations, planted),
]
console.log(
  wrong.length === 0
    ? `\nExactly the ${planted.length} planted differences were found. The mapping file settled the ${undocumentedDifferences.length} others.`
    : `\nNot what was planted:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
)
process.exitCode = wrong.length === 0 ? 0 : 1

console.log('\nReplaying the recorded writes against two fresh sandboxes …')
const replayed = await replayWrites(recordFile, writes, values.out, TARGET)
console.log(verdictTable(replayed))
console.log(await writeDossier(gateway.adminUrl, values.out))
console.log(`\nDashboard: ${gateway.adminUrl}/side-by-side`)

if (process.stdout.isTTY) {
  console.log('It stays until Ctrl-C.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit()))
} else {
  await stop()
}

/** Waits until another version of the mapping file is in effect than the one that was read at this time. */
async function whenCorrected(adminUrl: string, loadedAt: string | null): Promise<void> {
  for (;;) {
    const { mapping } = await readExperiments(adminUrl)
    if (mapping.error !== null) throw new Error(`The mapping file is refused: ${mapping.error}`)
    if (mapping.loadedAt !== loadedAt) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The results, once everything that was answered has been compared. */
async function whenCompared(adminUrl: string) {
  for (;;) {
    const all = await readExperiments(adminUrl)
    if (all.queue.length + all.queue.running === 0) return all
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function readExperiments(adminUrl: string) {
  const answer = await fetch(`${adminUrl}/experiments`)
  return (await answer.json()) as {
    operations: Experiment[]
    queue: { length: number; running: number }
    mapping: { error: string | null; loadedAt: string | null }
  }
}
