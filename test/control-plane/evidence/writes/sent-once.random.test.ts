import { pino } from 'pino'
import { expect, it } from 'vitest'
import { operations as mappings } from '../../../../mappings/index.ts'
import { type BuiltCopy, buildCopy } from '../../../../src/app/build-copy.ts'
import { buildTranslation } from '../../../../src/app/build-translation.ts'
import { readConfig } from '../../../../src/app/config.ts'
import { notCompared } from '../../../../src/control-plane/evidence/compare-exchange.ts'
import { skipped } from '../../../../src/control-plane/evidence/observation.ts'
import type { CopyWrites } from '../../../../src/control-plane/evidence/writes/copy-writes.ts'
import { parseRollout } from '../../../../src/control-plane/rollout/rollout.ts'
import { readCaptured } from '../../../../src/data-plane/gateway/read-captured.ts'
import type { CapturedExchange } from '../../../../src/exchange/exchange.ts'
import type { Operation } from '../../../../src/mapping/operation.ts'
import type { Channel } from '../../../../src/planes/channel.ts'
import { openHandOver } from '../../../../src/planes/hand-over.ts'
import type { Batch, ControlPlane } from '../../../../src/planes/messages.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { startCountingCopy } from '../../../support/counting-copy.ts'
import { runs } from '../../../support/random-runs.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { until } from '../../../support/start-gateway.ts'

const HISTORIES = 200
const STEPS = 24
const CLIENTS = ['a', 'b', 'c']

const config = readConfig({ V1_BASE_URL: 'http://127.0.0.1:1', LEGACY_BASE_URL: 'http://127.0.0.1:2' })
const translation = buildTranslation(config, new URL('http://127.0.0.1:1'))
closeAtEnd(() => translation.close())
const rollout = parseRollout(
  JSON.stringify({
    operations: { '*': { shadowWrites: 'copy' } },
    limits: { copyWritesPerSecond: 1_000, timeoutMs: 500 },
  }),
  { operations: mappings, hasLegacy: true, hasCopy: true, isKept: true, canSign: false, serve: 'legacy' },
)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** One life of a control plane: it knows nothing of the one before. */
interface Life {
  readonly copy: BuiltCopy
  readonly writes: CopyWrites
  readonly channel: Pick<Channel<ControlPlane>, 'ask'>
  isDead: boolean
  /** The writes that it took, and those that it told of. */
  readonly taken: string[]
  readonly told: string[]
}

function begin(url: string): Life {
  const settings = {
    ...config,
    copy: { baseUrl: new URL(url), account: { clientId: 'c', secretKey: 's' }, releaseHeader: undefined },
  }
  const log = pino({ level: 'silent' })
  const built = buildCopy(
    settings,
    translation.gateway,
    translation.operations.findAtLegacy,
    mappings,
    log,
  ) as BuiltCopy
  const mapping = (id: string): Operation => mappings.find((each) => each.id === id) as Operation
  const comparing = {
    compare: async ({ operation }: { readonly operation: string }) => notCompared(skipped(operation, 'compared')),
  }
  const learningOf = () => ({ watched: [] }) as never
  const writes = built.open(
    { rollout: () => rollout, mapping, learningOf, comparing, now: () => performance.now() },
    (_, { caller }) => life.told.push(caller),
  )
  const take = async (batch: Batch): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    if (life.isDead) throw new Error('the control plane has ended')
    for (const { exchange } of batch.exchanges) {
      life.taken.push(exchange.caller)
      writes.take(readCaptured(exchange, { maxBodyBytes: 1_000_000, memory: undefined }) as never, () => undefined)
    }
  }
  const channel = { ask: (_: string, [batch]: readonly [Batch]) => take(batch) } as unknown as Life['channel']
  const life: Life = { ...{ copy: built, writes, channel, isDead: false }, taken: [], told: [] }
  return life
}

/** What one write was, as the data plane hands it over. `caller` tells it apart. */
function captured(
  id: string,
  write: string,
  client: string,
  sent: object,
  answer: object | undefined,
): CapturedExchange {
  const { legacy } = mappings.find((mapping) => mapping.id === id) as Operation
  const status = answer === undefined ? 204 : 200
  const body = Buffer.from(answer === undefined ? '' : JSON.stringify(answer))
  return {
    ...{ operation: id, version: '', at: new Date(), answeredBy: 'legacy', isCached: false, status, client },
    ...{ caller: write, failure: undefined, countedClient: client, rolloutClient: client, facts: [], size: 100 },
    request: {
      ...legacy,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(sent)),
    },
    answer: { status, body, encoding: undefined, failure: undefined, milliseconds: 1 },
    credentials: { v1: undefined, legacy: undefined, isOurs: false },
  }
}

async function history(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const copy = await startCountingCopy()
  let life = begin(copy.url)
  const lives = [life]
  const decisions = {
    ...{ brownouts: [], refusesFrom: Number.POSITIVE_INFINITY, isRecording: false },
    operations: Object.fromEntries(
      mappings.map(({ id }) => [id, { serve: 'legacy' as const, v1Percent: 0, clients: {}, mayChoose: [], shadow: 1 }]),
    ),
  }
  const handOver = openHandOver({
    ...{ decisions: () => decisions, unidentified: '-', everyMs: 1 },
    sampler: { wants: () => false, takes: () => false, nextSecond: () => undefined },
    limits: { whole: { mostBytes: 1e6, isMissed: true }, toLookAt: { mostBytes: 1e6, isMissed: false } },
  })
  handOver.connect(life.channel)
  const next = async (): Promise<void> => {
    handOver.connect(undefined)
    await pause(oneOf([0, 2]))
    life = begin(copy.url)
    lives.push(life)
    handOver.connect(life.channel)
  }
  let legacyId = 1_000
  const open: { readonly id: number; readonly name: string; readonly client: string }[] = []
  const steps = {
    create() {
      const made = { id: ++legacyId, name: `n${legacyId}`, client: oneOf(CLIENTS) }
      open.push(made)
      const { id, name, client } = made
      const answer = { id, name, shipmentId: 'x', senderAddress: null, createdAt: null }
      handOver.watch.take(captured('import-create', `create ${name}`, client, { name, shipmentId: 'x' }, answer))
    },
    complete() {
      const [made] = open.splice(Math.floor(random() * open.length), 1)
      if (made === undefined) return
      const { id, name, client } = made
      handOver.watch.take(captured('import-complete', `complete ${name}`, client, { id }, undefined))
    },
    async kill() {
      life.isDead = true
      await life.copy.close()
      await next()
    },
    async stop() {
      await handOver.flush()
      await life.writes.close(oneOf([0, 1, 5]))
      await life.copy.close()
      await next()
    },
    reset: () => void copy.fates.push(oneOf(['before', 'after'] as const)),
    slow: () => void copy.fates.push('slow'),
    expire: () => copy.expire(),
    pause: () => pause(oneOf([0, 1, 2, 4])),
  }
  const often = ['create', 'create', 'create', 'complete', 'complete', 'pause', 'pause', 'reset', 'slow'] as const
  for (let step = 0; step < STEPS; step++) {
    await steps[oneOf([...often, 'kill', 'stop', 'expire'] as const)]()
  }
  await handOver.flush()
  await until(() => life.writes.waiting + life.writes.running === 0)
  handOver.close()
  await life.copy.close()
  copy.close()

  const told = lives.flatMap((each) => each.told)
  expect(
    [...copy.arrived].filter(([, times]) => times > 1),
    'writes that arrived twice',
  ).toEqual([])
  expect(copy.arrived.has('complete undefined'), 'a write with a value that the copy has not given').toBe(false)
  expect(new Set(told).size, 'writes that were told of twice').toBe(told.length)
  for (const { isDead, taken, told } of lives) if (!isDead) expect(told.sort()).toEqual(taken.sort())
  sent += copy.arrived.size
}

/** How many writes arrived at copies in all histories. */
let sent = 0

it('no write is sent twice, whenever the control plane is killed or stopped, or connections break before or after it is carried out', async () => {
  for (let seed = 1; seed <= runs(HISTORIES); seed++) {
    await history(seed).catch((error: unknown) => {
      throw new Error(`history ${seed}: ${(error as Error).message}`, { cause: error })
    })
  }
  expect(sent).toBeGreaterThan(runs(HISTORIES))
})
