import { type DestinationStream, pino } from 'pino'
import {
  deliverWebhooks,
  WEBHOOKS_AT_ONCE,
  type Webhooks,
} from '../../../../src/control-plane/cutover/webhook/deliver-webhooks.ts'
import { openPoster } from '../../../../src/data-plane/upstream/open-pool.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import type { OutboxStore } from './plain-outbox.ts'
import type { VirtualTime } from './virtual-time.ts'

export const SECRET = 'the-secret-of-the-webhook'
/** Long enough for every answer that comes, however busy the machine is. */
export const PATIENCE_MS = 20_000

export interface Deliveries {
  readonly webhooks: Webhooks
  /** Everything that was logged. */
  log(): string
  /** How many messages were sent at a time, at most. */
  mostAtOnce(): number
}

/** Sends what is in an outbox, in virtual time over real sockets, until the file's tests have run. */
export function startDeliveries(
  store: OutboxStore,
  url: string,
  time: VirtualTime,
  { timeoutMs = PATIENCE_MS, watches = true } = {},
): Deliveries {
  const lines: string[] = []
  const stream: DestinationStream = { write: (line) => void lines.push(line) }
  const connecting = { tls: undefined, proxy: undefined, lookup: undefined }
  const poster = openPoster({ url: new URL(url), connecting, connections: WEBHOOKS_AT_ONCE, timeoutMs })
  const watched: typeof time.watched = watches ? time.watched : (call) => call
  let [open, most] = [0, 0]
  const post: typeof poster.post = async (body, headers) => {
    most = Math.max(most, ++open)
    return poster.post(body, headers).finally(() => open--)
  }
  const webhooks = deliverWebhooks({
    store: { lease: time.watched(store.lease), due: time.watched(store.due), settle: watched(store.settle) },
    ...{ post: watched(post), secret: SECRET, receiver: new URL(url).origin },
    log: pino({ level: 'trace' }, stream),
    ...{ now: time.now, random: Math.random, after: time.after },
  })
  closeAtEnd(async () => {
    await webhooks.close(0)
    await poster.close()
  })
  return { webhooks, log: () => lines.join(''), mostAtOnce: () => most }
}
