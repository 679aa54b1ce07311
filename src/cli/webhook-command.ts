import { randomUUID } from 'node:crypto'
import { openWebhook } from '../app/build-cutover.ts'
import { readWebhookConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { sendMessage } from '../control-plane/cutover/webhook/send-message.ts'
import { orSayWhy } from './printing.ts'

/** `legacy-gateway webhook`: sends one message as the gateway would, once. Exits with 1 if the receiver did not accept it. */
export const webhook = (): Promise<number> =>
  orSayWhy(1, [ConfigError], async () => {
    const { webhook, connecting } = readWebhookConfig()
    const { post, close } = openWebhook(webhook, connecting.proxy)
    try {
      const id = randomUUID()
      const failure = await sendMessage({ id, body: JSON.stringify(trial(id, new Date())) }, post, webhook.secret)
      const receiver = `The receiver at ${webhook.url.origin}`
      if (failure === undefined) console.log(`${receiver} accepted the message ${id}.`)
      else console.error(`${receiver} did not accept the message: ${failure}`)
      return failure === undefined ? 0 : 1
    } finally {
      await close()
    }
  })

/** A message like those of decisions (docs/brake.md "Webhooks"). */
function trial(id: string, at: Date): Readonly<Record<string, string>> {
  const [from, to, why] = ['nothing', 'nothing', 'someone is testing the webhook']
  const text = 'legacy-gateway: this message tests the webhook. Nothing was decided.'
  return { id, event: 'trial', operation: '*', from, to, why, text, at: at.toISOString() }
}
