import type { ServerResponse } from 'node:http'
import { startHttpServer } from './http-server.ts'
import { until } from './start-gateway.ts'

/** A v1 that answers logins, each when it is told to. */
export async function startHoldingV1() {
  const held: ServerResponse[] = []
  const { url } = await startHttpServer((_, response) => held.push(response))
  return {
    url,
    isAsked: (): Promise<void> => until(() => held.length > 0),
    answer() {
      for (const response of held.splice(0)) {
        response.setHeader('content-type', 'application/json')
        response.end('{"success":true,"message":"","data":{"token":"held"}}')
      }
    },
  }
}

/** Logs in as the sandbox's demo account. */
export const logInAt = (legacy: string): Promise<Response> =>
  fetch(`${legacy}/auth/application`, { method: 'POST', body: '{"clientId":"demo-client","secretKey":"demo-secret"}' })
