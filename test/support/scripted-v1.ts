import { Agent } from 'node:http'
import { closeAtEnd } from './clean-up.ts'
import { startHttpServer } from './http-server.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'
import { startGateway } from './start-gateway.ts'
import type { V1Answer } from './v1-stand-in.ts'

export interface Outcome {
  readonly reply: Reply
  /** The bodies that v1 got. */
  readonly sent: readonly string[]
}

/** Makes a call that v1 answers as told, if it is asked. */
export type ScriptedCall = (legacy: LegacyCall, answer: V1Answer) => Promise<Outcome>

/** A gateway in front of a v1 with a scripted answer to each call, until the file's tests have run. Any number of calls at a time. */
export async function startScripted(options: Parameters<typeof startGateway>[1] = {}): Promise<ScriptedCall> {
  /** What the calls under way are answered, by their ids, which v1 gets too. */
  const underWay = new Map<unknown, { readonly answer: V1Answer; readonly sent: string[] }>()
  const v1 = await startHttpServer(({ headers, body }, response) => {
    const call = underWay.get(headers['x-request-id'])
    call?.sent.push(body)
    const { status = 200, headers: answered = {}, body: answer = '' } = call?.answer ?? { status: 500 }
    const isRaw = typeof answer === 'string' || answer instanceof Uint8Array
    response.writeHead(status, { ...answered }).end(isRaw ? answer : JSON.stringify(answer))
  })
  const { url } = await startGateway(v1.url, options)
  const agent = new Agent({ keepAlive: true })
  closeAtEnd(() => agent.destroy())
  let calls = 0
  return async (legacy, answer) => {
    const id = `call-${calls++}`
    const sent: string[] = []
    underWay.set(id, { answer, sent })
    const reply = await callLegacy(url, { ...legacy, headers: { ...legacy.headers, 'x-request-id': id } }, agent)
    underWay.delete(id)
    return { reply, sent }
  }
}
