import type { MessagePort } from 'node:worker_threads'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { changeStreams } from '../control-plane/admin/dashboard/change-streams.ts'
import { keepRepeatedWrites } from '../control-plane/admin/dashboard/repeated-writes.ts'
import type { CachedCutover } from '../control-plane/cutover/run/position-cache.ts'
import type { Gateway } from '../data-plane/gateway/gateway.ts'
import type { TokenOwner } from '../data-plane/gateway/login/known-tokens.ts'
import { MemoryBeside, type SharedUse } from '../data-plane/upstream/memory-budget.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import { type LegacyAddress, originOf } from '../guide/openapi/legacy-openapi.ts'
import { snippetsOf } from '../guide/snippets/snippets-of.ts'
import type { Operation } from '../mapping/operation.ts'
import { openMetrics } from '../observe/metrics/metrics.ts'
import { type State, stateOf } from '../observe/readiness.ts'
import { steadyTime } from '../observe/steady-time.ts'
import { countTraffic } from '../observe/traffic.ts'
import { type Channel, openChannel } from '../planes/channel.ts'
import type { Decisions } from '../planes/decisions.ts'
import type { Batch, ControlPlane, CountedCall, DataPlane } from '../planes/messages.ts'
import { type AdminSettings, buildAdmin } from './build-admin.ts'
import { buildBrownouts } from './build-brownouts.ts'
import { buildCopy } from './build-copy.ts'
import { cutoverRows } from './build-cutover.ts'
import { publishedV1 } from './build-guides.ts'
import { sidesOf } from './build-observing.ts'
import { buildSideBySide } from './build-side-by-side.ts'
import { buildTranslation, type TranslationSettings } from './build-translation.ts'
import type { Config } from './config.ts'
import { buildLegacy } from './connect-services.ts'
import type { Services } from './data-plane.ts'
import { guideMaker } from './guide-maker.ts'
import type { SideBySideSettings } from './open-evidence.ts'
import { VERSION } from './version.ts'

/** How old the results of other replicas may be in metrics. */
const SCRAPED_MS = 60_000

/** How often to look for changed decisions. */
const DECIDE_MS = 100

export type ControlSettings = TranslationSettings &
  SideBySideSettings &
  AdminSettings &
  Pick<Config, 'memoryBytes' | 'v1PublicUrl'>

interface ControlOptions {
  /** Redacts what is recorded or shown. */
  readonly key: Uint8Array
  readonly sharedUse: SharedUse
  /** What the last control plane knew of the cut-over; undefined: this is the first. */
  readonly lastCutover?: CachedCutover | undefined
  /** Mappings to use in place of the project's own. */
  readonly mappings?: readonly Operation[] | undefined
  /** Makes a client's guide; undefined: from what is known of its calls. */
  readonly guide?: MakeGuide | undefined
  /** Opens the log. */
  readonly log: (dataPlane: Channel<DataPlane>) => Logger
  /** Closes the admin port; undefined: whoever opened it closes it. */
  readonly closeAdmin?: (graceMs: number) => Promise<void>
}

/** Knows and decides, stores and shows. The data plane acts on its decisions. */
export interface BuiltControlPlane {
  /** Answers the admin port. */
  readonly admin: ReturnType<typeof getRequestListener>
  /** Compares, records and stores what remains, as far as time allows. */
  close(graceMs: number): Promise<void>
}

/**
 * Builds the control plane, and tells the data plane at the other end of `port` its first decisions. Nothing listens yet.
 * @throws StartError if a file cannot be used.
 */
export async function buildControlPlane(
  settings: ControlSettings,
  services: Services,
  port: MessagePort,
  options: ControlOptions,
): Promise<BuiltControlPlane> {
  let built: ControlPlane | undefined
  const offered: ControlPlane = {
    take: (batch) => built?.take(batch),
    listensAt: (address) => built?.listensAt(address),
    guide: async (...asked) => built?.guide(...asked),
    alive: () => undefined,
    close: async (graceMs) => built?.close(graceMs),
  }
  const dataPlane = openChannel<DataPlane, ControlPlane>(port, offered)
  const log = options.log(dataPlane)
  // What it has to say of the services, the data plane has said.
  const translation = buildTranslation(settings, services.v1, undefined, options.mappings)
  const legacyService = services.legacy && buildLegacy(settings, services.legacy)
  const gateway: Gateway = { ...translation.gateway, legacy: legacyService?.plain }
  const { operations } = translation
  // Ids and sides never change.
  const mappings = operations.now().map(({ mapping }) => mapping)
  const ids = mappings.map(({ id }) => id)
  const { basePath, sunset, tickMs } = settings
  const copy = legacyService && buildCopy(settings, gateway, operations.findAtLegacy, mappings, log)
  let legacyAddress: LegacyAddress | undefined
  /** Returns where people can repeat a legacy call. */
  const legacyUrl = (): string =>
    legacyAddress === undefined ? '' : `${originOf(legacyAddress, '127.0.0.1')}${basePath}`
  const memory = new MemoryBeside(settings.memoryBytes, options.sharedUse)
  const sideBySide = await buildSideBySide(
    { ...settings, isSandbox: services.isSandbox },
    {
      ...{
        operations,
        gateway,
        key: options.key,
        hasThreads: options.mappings === undefined,
        legacyUrl,
        memory,
        copy,
        log,
      },
      corrector: {
        prepare: translation.prepare,
        tell: (corrections) => dataPlane.ask('correct', [corrections]),
      },
      cutoverMemory: {
        last: options.lastCutover,
        remember: (cutover) => dataPlane.tell('remember', [cutover]),
      },
      learn: together((owners: readonly TokenOwner[]) => dataPlane.tell('learn', [owners])),
    },
  )
  const { cutover, usage } = sideBySide
  const time = steadyTime()
  const traffic = countTraffic({ operations: ids, ...time })
  const brownouts = buildBrownouts(
    sideBySide.rollout,
    usage,
    traffic,
    sideBySide.brownoutEnds,
    log,
    tickMs && tickMs / 2,
  )
  const guide =
    options.guide ??
    guideMaker({
      ...{ operations: operations.now, usage: usage.known, sunset, basePath, snippetsOf },
      v1: publishedV1(settings.v1PublicUrl, services.v1),
    })
  const state = async (): Promise<State> => {
    const { engine } = sideBySide.fleet.report()
    return stateOf({
      services,
      ...(await dataPlane.ask('state', [])),
      engine,
      rollout: sideBySide.rollout(),
      mapping: sideBySide.mapping(),
    })
  }
  const metrics = openMetrics({
    version: VERSION,
    operations: mappings.map((mapping) => ({ operation: mapping.id, sides: sidesOf(mapping, services) })),
    dataPlane: () => dataPlane.ask('metrics', [memory.refused]),
    totals: traffic.totals,
    comparisons: sideBySide.comparisons,
    copied: copy === undefined ? undefined : () => copy.counts(),
    // When every one of many replicas is scraped, each scrape must not read the results of all of them.
    experiments: () => sideBySide.experiments({ maxAgeMs: SCRAPED_MS }),
    fleet: sideBySide.fleet.report,
    recordingsDropped: sideBySide.recordingsDropped,
    cutover: () => cutoverRows(cutover),
    webhooks: () => sideBySide.webhooks?.counts(),
  })
  const repeatedWrites = keepRepeatedWrites()
  let counted = 0
  const changes = changeStreams(() =>
    JSON.stringify([counted, [...sideBySide.comparisons()], cutover.reports(), sideBySide.rollout().loadedAt]),
  )
  const count = (call: CountedCall): void => {
    counted++
    // What a client has chosen to try says nothing about those whom a plan moves.
    if (call.isChosen !== true) cutover.count(call)
    if (call.repeats !== undefined) repeatedWrites.add(call.operation ?? '', { ...call.repeats, client: call.client })
    brownouts.count(call)
    usage.count(call)
    const answeredBy = call.brownout === undefined ? call.answeredBy : undefined
    traffic.count({ ...call, answeredBy, at: time.now() - call.agoMs })
  }

  const decisionsNow = (): Decisions => {
    const { rollout } = sideBySide.rollout()
    return {
      operations: Object.fromEntries(
        ids.map((id) => {
          const { serve, v1Percent, clients, mayChoose, shadow, plan } = rollout.of(id)
          const planned = cutover.percentOf(id)
          const side = planned === undefined ? { serve, v1Percent } : { serve: 'legacy' as const, v1Percent: planned }
          const compared = services.legacy === undefined ? 0 : shadow
          return [id, { ...side, clients, mayChoose, seed: plan?.seed, shadow: compared }]
        }),
      ),
      brownouts: brownouts.current.all,
      refusesFrom: brownouts.current.from,
      isRecording: sideBySide.isRecording,
    }
  }
  /** What the decisions that the data plane has were made from. */
  let decidedFrom: readonly unknown[] = []
  let decided: Promise<void> = Promise.resolve()
  /** Tells the data plane what is decided now, unless it knows. Resolves when it acts on it. */
  const decide = async (): Promise<void> => {
    brownouts.current.refresh()
    const { all, from } = brownouts.current
    const now = [sideBySide.rollout().rollout, JSON.stringify(cutover.percents()), all, from]
    if (now.some((part, index) => part !== decidedFrom[index])) {
      decidedFrom = now
      decided = dataPlane.ask('decide', [decisionsNow()])
    }
    await decided
  }
  await decide()
  const deciding = setInterval(() => void decide().catch(() => undefined), Math.min(DECIDE_MS, (tickMs ?? 1_000) / 5))
  deciding.unref()

  const admin = buildAdmin(settings, settings.v1PublicUrl ?? services.v1, {
    ...{ services, translation, gateway, sideBySide, brownouts, traffic, repeatedWrites, changes },
    ...{ guide, metrics, state, log, decide },
    // Pages show all calls that were answered when they were asked for.
    flush: () => dataPlane.ask('flush', []),
    legacyAddress: () => legacyAddress,
  })
  const close = async (graceMs: number): Promise<void> => {
    clearInterval(deciding)
    changes.close()
    brownouts.close()
    await Promise.all([options.closeAdmin?.(graceMs), sideBySide.close(graceMs)])
    await Promise.all([translation.close(), legacyService?.close(), copy?.close()])
  }
  built = {
    take({ calls, exchanges, missed, notDrawn, owners }: Batch) {
      for (const [operation, passed] of notDrawn) sideBySide.passOver(operation, passed)
      for (const call of calls) count(call)
      for (const each of exchanges) sideBySide.take(each)
      for (const { operation, why } of missed) sideBySide.miss(operation, why)
      for (const owner of owners) usage.noteOwner(owner)
    },
    listensAt(address) {
      legacyAddress = address
    },
    guide,
    alive: offered.alive,
    close,
  }
  // Probes over HTTP/1.0 send no Host; `ownName` says which requests may omit it.
  return { admin: getRequestListener(admin.fetch, { hostname: 'localhost' }), close }
}

/** Returns a function that collects what it is called with, and passes it on together, soon. */
function together<Item>(pass: (items: readonly Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  return (item) => {
    if (items.push(item) > 1) return
    setImmediate(() => {
      pass(items)
      items = []
    })
  }
}
