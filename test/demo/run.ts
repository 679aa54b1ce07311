import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '../../mappings/index.ts'
import { readConfig } from '../../src/app/config.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import type { OperationProposals } from '../../src/control-plane/evidence/proposals/proposals.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { planted } from './planted.ts'
import { areCertain, areTried, isTrialClean, proposalsInWords, readProposals, trialsInWords } from './proposed.ts'
import { runCommand } from './run-command.ts'
import { type Sent, sendTraffic } from './send-traffic.ts'
import { showProgress } from './show-progress.ts'
import { deviations, undocumented, undocumentedDifferences } from './undocumented.ts'
import { type Experiment, surprises, verdictTable } from './verdicts.ts'
import { writeDossier } from './write-dossier.ts'

// A demonstration: the gateway between two faces of a sandbox that differ in a few places, and a day's traffic in half a
// minute. Some of the differences are undocumented deviations of v1. The gateway must propose the lines that correct them; they are
// tried, and then put in place as a mapping file while it runs. Prints what side by side finds, before and after, and exits 1 if that
// is not exactly what was planted, or if a write is not proven. Legacy answers the writes, and another sandbox gets them as a copy of v1. Writes a
// dossier of it all.

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

/** How often another second of traffic is sent while the proposals are not there yet. */
const MOST_TIMES = 60

mkdirSync(values.out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-demo-'))
const rolloutFile = join(folder, 'rollout.json')
const writes = operations.filter(({ effect }) => effect === 'write').map(({ id }) => id)
const deviating = undocumented.map(({ operation }) => operation)
const copied = { serve: 'legacy', shadow: 1, shadowWrites: 'copy' }
writeFileSync(
  rolloutFile,
  JSON.stringify({
    operations: {
      '*': { serve: 'v1', shadow: 1, target: TARGET },
      ...Object.fromEntries(writes.map((id) => [id, copied])),
    },
    // On a busy machine, comparing falls behind the traffic of a day in half a minute.
    limits: { queue: 4_096, timeoutMs: 30_000, copyWritesPerSecond: 1_000 },
  }),
)

const mappingFile = join(folder, 'mapping.json')
writeFileSync(mappingFile, '{"operations":{}}')

const sandbox = await startSandbox({
  ...{ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' },
  deviate: deviations,
})
const copy = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:', deviate: deviations })
const gateway = await startGateway(
  readConfig({
    ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'error' },
    ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
    ...{ ROLLOUT_FILE: rolloutFile, MAPPING_FILE: mappingFile, TOKEN_KEY: randomBytes(32).toString('base64') },
    ...{ V1_COPY_BASE_URL: copy.v1Url, V1_COPY_CLIENT_ID: 'demo-client', V1_COPY_SECRET_KEY: 'demo-secret' },
    STATE_DB: join(folder, 'state.db'),
  }),
)

async function stop(): Promise<void> {
  await gateway.stop()
  await Promise.all([sandbox.close(), copy.close()])
  rmSync(folder, { recursive: true, force: true })
}

for (const { fault } of planted) {
  await fetch(`${sandbox.legacyUrl}/sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify({ calls: 'all', ...fault }),
  })
}
/** Whether someone looks on. Otherwise everything stops at the end, and no address is printed that would be dead by then. */
const stays = process.stdout.isTTY
if (stays) console.log(`The gateway is at ${gateway.legacyUrl}, its dashboard at ${gateway.adminUrl}/`)
console.log(
  `${planted.length} differences are planted in the legacy service, and v1 deviates from its contract in ${deviating.length} operations. Sending traffic for ${seconds} s …`,
)

const progress = showProgress(seconds)
const sent: Sent[] = []
await send(seconds / 3)
await sendUntil('certain', areCertain)
const found = await whenCompared(gateway.adminUrl)
const certain = await readProposals(gateway.adminUrl)
await sendUntil('tried', areTried)
await whenCompared(gateway.adminUrl)
const tried = await readProposals(gateway.adminUrl)
const command = ['propose', '--admin', gateway.adminUrl, '--out', `${mappingFile}.new`]
await runCommand(command)
const taken = readFileSync(`${mappingFile}.new`, 'utf8')
renameSync(`${mappingFile}.new`, mappingFile)
await whenCorrected(gateway.adminUrl, found.mapping.loadedAt)
await send((seconds * 2) / 3)
for (let times = 0; times < MOST_TIMES && !isProven(await readExperiments(gateway.adminUrl)); times++) await send(1)
progress.end()

const experiments = await whenCompared(gateway.adminUrl)
const [calls, failed] = [total(({ calls }) => calls), total(({ failed }) => failed)]
console.log(`\n${calls} calls, ${failed} of them not answered with success.\n`)
console.log('Before the mapping file, where v1 deviates:')
console.log(verdictTable(deviatingOf(found.operations)))
console.log(`\nWhat the gateway proposes there:\n${proposalsInWords(certain)}`)
console.log(`\nThe same lines in later comparisons:\n${trialsInWords(tried)}`)
const shownCommand = command.map((word) => (stays || word !== gateway.adminUrl ? word : 'ADDRESS')).join(' ')
console.log(`\nlegacy-gateway ${shownCommand} wrote this mapping file, and it was put in place:\n${taken}`)
console.log(verdictTable(experiments.operations))
const wrong = [
  ...surprises(found.operations, [...planted, ...undocumentedDifferences]).map(
    (line) => `before the mapping file: ${line}`,
  ),
  ...(isTrialClean(tried) ? [] : ['the trial found differences']),
  ...surprises(experiments.operations, planted),
  ...writes.filter((id) => !isReady(experiments, id)).map((id) => `${id}: not ready, against a copy`),
]
console.log(
  wrong.length === 0
    ? `\nExactly the ${planted.length} planted differences were found. The proposed lines settled the ${undocumentedDifferences.length} others. ${readyIn(experiments)} of the ${deviating.length} operations are ready now, and all ${writes.length} writes, against a copy.`
    : `\nNot what was planted:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
)
process.exitCode = wrong.length === 0 ? 0 : 1

console.log(await writeDossier(gateway.adminUrl, values.out))
if (stays) {
  console.log(`\nDashboard: ${gateway.adminUrl}/side-by-side`)
  console.log('It stays until Ctrl-C.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit()))
} else {
  await stop()
}

/** Sends traffic for a while. */
async function send(forSeconds: number): Promise<void> {
  const before = total(({ calls }) => calls)
  sent.push(await sendTraffic(gateway.legacyUrl, forSeconds * 1_000, (calls) => progress.show(before + calls)))
}

/** Sends traffic until the proposals pass a test. */
async function sendUntil(state: string, isReached: (found: readonly OperationProposals[]) => boolean): Promise<void> {
  for (let times = 0; !isReached(await readProposals(gateway.adminUrl)); times++) {
    if (times === MOST_TIMES) throw new Error(`After ${MOST_TIMES} s more, the lines are still not ${state}.`)
    await send(1)
  }
}

function total(of: (each: Sent) => number): number {
  return sent.reduce((sum, each) => sum + of(each), 0)
}

function deviatingOf(all: readonly Experiment[]): readonly Experiment[] {
  return all.filter(({ operation }) => deviating.includes(operation))
}

/** Whether what v1 deviates in is proven, and each write. */
function isProven(all: { readonly operations: readonly Experiment[] }): boolean {
  return readyIn(all) === deviating.length && writes.every((id) => isReady(all, id))
}

function isReady({ operations }: { readonly operations: readonly Experiment[] }, id: string): boolean {
  return operations.find(({ operation }) => operation === id)?.says.startsWith('ready; against a copy') === true
}

/** Returns how many of the deviating operations are proven. */
function readyIn({ operations }: { readonly operations: readonly Experiment[] }): number {
  return deviatingOf(operations).filter(({ verdict }) => verdict === 'ready').length
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
