import { expect } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from './clean-up.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'
import { startGateway } from './start-gateway.ts'
import { wholeToken } from './whole-token.ts'

/** A call of a legacy program; `body` is sent as JSON, `text` unchanged. */
export interface LegacyRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly text?: string
  readonly language?: string
  /** Replaces the demo client's token: another client's, an unknown one, or none (empty). */
  readonly token?: 'demo' | 'other' | 'unknown' | ''
}

export interface Answer {
  readonly status: number
  readonly headers: Reply['headers']
  /** Undefined when it has none. */
  readonly body: unknown
}

export interface BothSides {
  /** Sends the same request to both sides. */
  ask(request: LegacyRequest): Promise<{ readonly legacy: Answer; readonly gateway: Answer }>
}

/** The fixed time of both sides, so that they write the same times. */
const NOW = Date.parse('2025-02-03T04:05:06.789Z')

/**
 * The legacy face of one sandbox, and a gateway in front of both faces of another. Both stores start alike and nothing
 * in them is random, so the same requests in the same order give the same ids, numbers and times on both sides.
 */
export async function startBothSides(): Promise<BothSides> {
  const options = async () => ({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:', now: () => NOW })
  const [control, candidate] = [await startSandbox(await options()), await startSandbox(await options())]
  closeAtEnd(() => control.close())
  closeAtEnd(() => candidate.close())
  const gateway = await startGateway(candidate.v1Url, { legacyUrl: candidate.legacyUrl ?? '' })
  const legacySide = await sideOf((call) => callLegacy(control.legacyUrl ?? '', call))
  const gatewaySide = await sideOf((call) => gateway.call(call))
  return {
    async ask(request) {
      const [legacy, viaGateway] = await Promise.all([legacySide(request), gatewaySide(request)])
      return { legacy, gateway: viaGateway }
    },
  }
}

type Side = (request: LegacyRequest) => Promise<Answer>

/** Logs in to a side. Both sides get the same credentials, and issue their own tokens. */
async function sideOf(call: (call: LegacyCall) => Promise<Reply>): Promise<Side> {
  const logIn = async (client: string): Promise<string> => {
    const body = JSON.stringify({ clientId: `${client}-client`, secretKey: `${client}-secret` })
    return wholeToken(async () => {
      const reply = await call({ method: 'POST', path: '/auth/application', body })
      expect(reply.status, reply.text).toBe(200)
      return reply
    })
  }
  const tokens = { demo: await logIn('demo'), other: await logIn('other'), unknown: 'nobody', '': '' }
  return async ({ method, path, body, text, language, token = 'demo' }) => {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const headers = {
      ...(tokens[token] !== '' && { authorization: `Bearer ${tokens[token]}` }),
      ...(language !== undefined && { 'accept-language': language }),
    }
    const reply = await call({
      path,
      headers,
      ...(method !== undefined && { method }),
      ...(sent !== undefined && { body: sent }),
    })
    const answered: unknown = reply.text === '' ? undefined : JSON.parse(reply.text)
    return { status: reply.status, headers: reply.headers, body: answered }
  }
}
