import type { CutoverReport } from '../../../../src/control-plane/cutover/cutover.ts'
import { type HttpServer, startHttpServer } from '../../../support/http-server.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { type CutoverGateway, QUICK } from './cutover-bed.ts'

/** A gate of plans on loopback. */
export interface Gate extends HttpServer {
  /** What it answers from now on; undefined: nothing. */
  answer: { readonly status: number; readonly why?: string } | undefined
  /** What it was asked, oldest first. */
  asked(): readonly Readonly<Record<string, unknown>>[]
}

/** Starts a gate that answers with this status, and with this reason. */
export async function startGate(status: number, why?: string): Promise<Gate> {
  const server = await startHttpServer((_, response) => {
    const { answer } = gate
    if (answer !== undefined) response.writeHead(answer.status).end(answer.why && JSON.stringify({ why: answer.why }))
  })
  const gate: Gate = {
    ...server,
    answer: { status, ...(why !== undefined && { why }) },
    asked: () => server.received.map(({ body }) => JSON.parse(body)),
  }
  return gate
}

/** A quick plan of two steps with this gate, whose path and query are secrets. */
export const planOf = (gate: Pick<Gate, 'url'>, more: object = {}): object => ({
  ...{ steps: [5, 50], ...QUICK, gate: { url: `${gate.url}/path-secret?key=secret`, timeoutMs: 2_000 } },
  ...more,
})

/** Returns what the admin port answers to a program. */
export const read = async (gateway: CutoverGateway, path: string): Promise<string> =>
  (await callLegacy(gateway.adminUrl, { path })).text

/** Returns what `GET /cutover` says of an operation's plan. */
export const reportAt = async (
  gateway: CutoverGateway,
  operation = 'invoice-list',
): Promise<CutoverReport | undefined> =>
  (JSON.parse(await read(gateway, '/cutover')) as CutoverReport[]).find((report) => report.operation === operation)
