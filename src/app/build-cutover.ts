import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { Logger } from 'pino'
import { within } from '../common/promises.ts'
import type { Cutover } from '../control-plane/cutover/cutover.ts'
import type { CutoverStore } from '../control-plane/cutover/cutover-store.ts'
import { type AskGate, gateAsker } from '../control-plane/cutover/gate/ask-gate.ts'
import { conductor } from '../control-plane/cutover/run/conductor.ts'
import type { FileChange } from '../control-plane/cutover/run/file-changes.ts'
import { type CachedCutover, type PositionCache, positionCache } from '../control-plane/cutover/run/position-cache.ts'
import { tellEvidence } from '../control-plane/cutover/run/telling.ts'
import { deliverWebhooks, WEBHOOKS_AT_ONCE, type Webhooks } from '../control-plane/cutover/webhook/deliver-webhooks.ts'
import type { Post } from '../control-plane/cutover/webhook/send-message.ts'
import type { KeptTally } from '../control-plane/evidence/tally/kept-tally.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import { correctionsDiff, rolloutDiff } from '../control-plane/rollout/rollout-diff.ts'
import type { CurrentRollout } from '../control-plane/rollout/rollout-file.ts'
import type { CurrentFile } from '../control-plane/rollout/watch-file.ts'
import { lookUp } from '../data-plane/upstream/look-up.ts'
import { openPoster, type Poster, type PosterOptions } from '../data-plane/upstream/open-pool.ts'
import { type ProxySettings, proxyFor } from '../data-plane/upstream/proxy.ts'
import type { CutoverRow } from '../observe/metrics/side-by-side-metrics.ts'
import type { Config, WebhookSettings } from './config.ts'
import type { CurrentCorrections } from './open-mapping-file.ts'
import { VERSION } from './version.ts'

/** How long judging waits for the results of other replicas. */
const READ_MS = 2_000

/** What outlives a control plane that ends: the data plane keeps it for the next. */
export interface CutoverMemory {
  /** What the last one knew; undefined: this is the first. */
  readonly last: CachedCutover | undefined
  remember(cutover: CachedCutover): void
}

interface CutoverParts {
  readonly store: CutoverStore
  readonly tally: Pick<KeptTally, 'refresh' | 'snapshot'>
  readonly rollout: () => Rollout
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** The path that `STATE_CACHE` names; undefined: it is not set. */
  readonly stateCache: string | undefined
  readonly memory: CutoverMemory
  /** How to connect to gates, and the key that signs what they are asked. */
  readonly asking: WebhookSending
  /** How often to store, read and decide. */
  readonly everyMs: number | undefined
  readonly log: Logger
}

/** Builds what runs the plans of the rollout file, and what tells of the evidence. */
export async function buildCutover({ tally, stateCache, memory, asking, ...parts }: CutoverParts): Promise<Cutover> {
  const both = {
    ...parts,
    async judge(wanted: ReadonlySet<string>, maxAgeMs: number) {
      const isWhole = await tally.refresh(maxAgeMs, READ_MS)
      return { isWhole, all: tally.snapshot((operation) => wanted.has(operation)) }
    },
    newId: randomUUID,
    monotonic: () => performance.now(),
  }
  const cutover = await conductor({
    ...both,
    askGate: buildGates(asking),
    cache: remembering(positionCache(stateCache, parts.log), memory),
    now: () => new Date(),
  })
  const telling = tellEvidence(both)
  return {
    ...cutover,
    async close(graceMs) {
      await Promise.all([within(graceMs, telling.close()), cutover.close(graceMs)])
    },
  }
}

/** Returns a cache that also remembers in memory. What is remembered there is newer than any file. */
const remembering = (cache: PositionCache, { last, remember }: CutoverMemory): PositionCache => ({
  ...cache,
  read: async () => last ?? (await cache.read()),
  write(cached) {
    remember(cached)
    cache.write(cached)
  },
})

/** Returns what the audit says of a change of the rollout file, or of its refusal; undefined if the file was only written again. */
export const rolloutChange = (current: CurrentRollout, previous: CurrentRollout): FileChange | undefined =>
  fileChange('rollout', current, previous, () => rolloutDiff(previous.rollout, current.rollout))

/** The same for the mapping file. */
export const mappingChange = (current: CurrentCorrections, previous: CurrentCorrections): FileChange | undefined =>
  fileChange('mapping', current, previous, () => correctionsDiff(previous.corrections, current.corrections))

function fileChange(
  file: FileChange['file'],
  current: Omit<CurrentFile<unknown>, 'value'>,
  previous: Omit<CurrentFile<unknown>, 'value'>,
  changed: () => readonly string[],
): FileChange | undefined {
  if (current.hash === previous.hash && current.error === previous.error) return undefined
  const from = `version ${previous.hash}`
  const entry = { file, operation: '*', by: 'auto', from, lineage: '{}', counts: '{}', since: previous.loadedAt ?? '' }
  if (current.error !== null) return { ...entry, event: `${file}-refused`, to: 'refused', why: current.error }
  const lines = changed()
  const why = lines.length === 0 ? 'the file means the same as before' : lines.join('\n')
  return { ...entry, event: `${file}-changed`, to: `version ${current.hash}`, why }
}

/** Returns what the metrics show of each plan. */
export const cutoverRows = (cutover: Cutover): readonly CutoverRow[] =>
  cutover.reports().map(({ operation, state, percent }) => ({
    ...{ operation, state, percent, brakes: cutover.brakes().get(operation) ?? 0 },
  }))

/** Where to send, and how to connect. */
export type WebhookSending = Partial<Pick<Config, 'webhook' | 'webhookSecret' | 'connecting'>> & {
  readonly tickMs?: number | undefined
}

/** The time-out of one attempt. */
const TIMEOUT_MS = 10_000

/** Sends the messages of the outbox to `WEBHOOK_URL`, from now until it is closed; undefined if that is not set. */
export function buildWebhooks(
  { webhook, connecting, tickMs }: WebhookSending,
  store: Pick<CutoverStore, 'lease' | 'due' | 'settle'>,
  log: Logger,
): Webhooks | undefined {
  if (webhook === undefined) return undefined
  const { post, close } = openWebhook(webhook, connecting?.proxy)
  const webhooks = deliverWebhooks({
    ...{ store, post, log, secret: webhook.secret, receiver: webhook.url.origin },
    ...{ now: Date.now, random: Math.random, everyMs: tickMs },
    after: (milliseconds, signal) => after(milliseconds, undefined, { signal, ref: false }),
  })
  return {
    counts: webhooks.counts,
    async close(graceMs) {
      await webhooks.close(graceMs)
      await close()
    },
  }
}

/** Opens the connections to the receiver. Trusts the authorities that Node trusts. */
export function openWebhook(
  { url }: Pick<WebhookSettings, 'url'>,
  proxy: ProxySettings | undefined,
): { readonly post: Post; close(): Promise<void> } {
  const poster = openReceiver(url, proxy, { connections: WEBHOOKS_AT_ONCE, timeoutMs: TIMEOUT_MS })
  return { post: (body, headers) => poster.post(body, withAgent(headers)), close: poster.close }
}

/** Returns what asks the gates of plans. Each question has a connection of its own, since there is one a minute. */
export function buildGates({ webhookSecret, connecting }: WebhookSending): AskGate {
  // The rollout file is refused then; see `contradictions`.
  if (webhookSecret === undefined)
    return async () => ({ says: 'wait', why: 'cannot be asked: WEBHOOK_SECRET is not set' })
  return gateAsker(
    async ({ url, timeoutMs }, body, headers, signal) => {
      const poster = openReceiver(new URL(url), connecting?.proxy, { connections: 1, timeoutMs })
      const giveUp = (): void => void poster.close()
      signal.addEventListener('abort', giveUp)
      try {
        return await poster.ask(body, withAgent(headers))
      } finally {
        signal.removeEventListener('abort', giveUp)
        await poster.close()
      }
    },
    webhookSecret,
    randomUUID,
  )
}

const openReceiver = (
  url: URL,
  proxy: ProxySettings | undefined,
  limits: Pick<PosterOptions, 'connections' | 'timeoutMs'>,
): Poster =>
  openPoster({ url, connecting: { tls: undefined, proxy: proxyFor(url, proxy), lookup: lookUp() }, ...limits })

const withAgent = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'user-agent': `legacy-gateway/${VERSION}`,
  ...headers,
})
