import { Counter, Gauge, type Registry } from 'prom-client'

/** What one process did with webhook messages. */
export interface WebhookRow {
  readonly delivered: number
  readonly failedAttempts: number
  readonly givenUp: number
  readonly oldestSeconds: number
}

const NONE: WebhookRow = { delivered: 0, failedAttempts: 0, givenUp: 0, oldestSeconds: 0 }

/** Registers the metrics of webhooks. They are 0 where none are sent, so that the first event is an increase. */
export function registerWebhookMetrics(registry: Registry, row: () => WebhookRow | undefined): void {
  new Counter({
    ...{
      name: 'legacy_gateway_webhook_messages_total',
      help: 'Webhook messages that were delivered or given up, and attempts that failed.',
      registers: [registry],
    },
    labelNames: ['outcome'],
    collect() {
      const { delivered, failedAttempts, givenUp } = row() ?? NONE
      this.reset()
      this.inc({ outcome: 'delivered' }, delivered)
      this.inc({ outcome: 'failed_attempt' }, failedAttempts)
      this.inc({ outcome: 'given_up' }, givenUp)
    },
  })
  new Gauge({
    ...{
      name: 'legacy_gateway_webhook_oldest_seconds',
      help: 'How long the oldest webhook message that this replica is to send has waited.',
      registers: [registry],
    },
    collect() {
      this.set((row() ?? NONE).oldestSeconds)
    },
  })
}
