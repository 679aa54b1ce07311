import { setTimeout as after } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import { deliverWebhooks, WEBHOOKS_AT_ONCE, type Webhooks } from '../cutover/webhook/deliver-webhooks.ts'
import type { Post } from '../cutover/webhook/send-message.ts'
import { lookUp } from '../upstream/look-up.ts'
import { openPoster } from '../upstream/open-poster.ts'
import { type ProxySettings, proxyFor } from '../upstream/proxy.ts'
import type { Config, WebhookSettings } from './config.ts'
import { VERSION } from './version.ts'

/** Where to send, and how to connect. */
export type WebhookSending = Partial<Pick<Config, 'webhook' | 'connecting'>> & { readonly tickMs?: number | undefined }

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
  const poster = openPoster({
    url,
    connecting: { tls: undefined, proxy: proxyFor(url, proxy), lookup: lookUp() },
    connections: WEBHOOKS_AT_ONCE,
    timeoutMs: TIMEOUT_MS,
  })
  return {
    post: (body, headers) => poster.post(body, { 'user-agent': `legacy-gateway/${VERSION}`, ...headers }),
    close: poster.close,
  }
}
