import { startHttpServer } from './http-server.ts'
import type { LegacyCall, Reply } from './legacy-client.ts'
import { startGateway } from './start-gateway.ts'

/** v1's answer; bytes are sent unchanged. */
export interface ScriptedAnswer {
  readonly status: number
  readonly body: Uint8Array
}

export interface Outcome {
  readonly reply: Reply
  /** The bodies that v1 got. */
  readonly sent: readonly string[]
}

/**
 * A gateway in front of a v1 with a scripted answer to each call; one call at a time, until the file's tests have run.
 */
export async function startScripted(): Promise<(legacy: LegacyCall, answer: ScriptedAnswer) => Promise<Outcome>> {
  let next: ScriptedAnswer = { status: 500, body: new Uint8Array() }
  const v1 = await startHttpServer((_, response) => response.writeHead(next.status).end(next.body))
  const gateway = await startGateway(v1.url)
  return async (legacy, answer) => {
    next = answer
    const before = v1.received.length
    const reply = await gateway.call(legacy)
    return { reply, sent: v1.received.slice(before).map(({ body }) => body) }
  }
}
