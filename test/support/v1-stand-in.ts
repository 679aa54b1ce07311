import nock from 'nock'
import { onTestFinished } from 'vitest'

// While nock is active it intercepts every connection of the process, and holds requests back until they are whole:
// tests that send half a request use `startRawServer` instead. It becomes active when it is imported.
nock.restore()
nock.disableNetConnect()
nock.enableNetConnect('127.0.0.1')

/** A call of v1 by the gateway. */
export interface Asked {
  readonly method: string
  /** From the root, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Text and bytes are sent unchanged, anything else as JSON. */
export interface V1Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: unknown
}

export interface V1StandIn {
  readonly url: string
  /** All calls, in order. */
  readonly asked: readonly Asked[]
}

/** An address for documentation (RFC 5737), because a name would be looked up. */
export const V1_URL = 'http://192.0.2.1'

type AnswerV1 = (asked: Asked, number: number) => V1Answer | Promise<V1Answer>

/** Stands in for v1 at `V1_URL` until the test has finished: `answer` answers every call, whatever its path. */
export function standInForV1(answer: AnswerV1): V1StandIn {
  const { stop, ...standIn } = startStandInForV1(answer)
  onTestFinished(stop)
  return standIn
}

/** Stands in for v1 at `V1_URL` until it is stopped. */
export function startStandInForV1(answer: AnswerV1): V1StandIn & { stop(): void } {
  if (!nock.isActive()) nock.activate()
  const calls: Asked[] = []
  const scope = nock(V1_URL).persist()
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD']) {
    scope.intercept(/.*/, method).reply(async (request: Request) => {
      const { pathname, search } = new URL(request.url)
      const asked: Asked = {
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      }
      calls.push(asked)
      const { status = 200, headers = {}, body = '' } = await answer(asked, calls.length)
      return [status, Buffer.from(isRaw(body) ? body : JSON.stringify(body)), { ...headers }] as const
    })
  }
  return {
    url: V1_URL,
    asked: calls,
    stop() {
      nock.cleanAll()
      nock.restore()
    },
  }
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}
