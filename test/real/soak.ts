import { Agent, request } from 'node:http'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { wholeToken } from '../support/whole-token.ts'

/** The results of many calls. */
export interface SoakResult {
  /** Answers by legacy path and status, for instance `/api/invoice/list 200`. */
  readonly answers: Readonly<Record<string, number>>
  /** Calls without an answer, with the reason. */
  readonly failures: readonly string[]
  /** The ids of the created shipments, in the order of their answers. */
  readonly shipments: readonly number[]
}

export type Call = readonly [method: 'GET' | 'POST', path: string, body?: object]

const bodyOf = (path: string): object => GOOD_BODIES[path]?.[0] ?? {}

/** Large pages only, so that reads for different answers interleave. */
export const LARGE_PAGES: readonly Call[] = [['POST', '/api/invoice/list', { perPage: 200 }]]

/** Pages of one and of several calls of v1, kept lists, calculations, writes, refusals, and passed-on calls. */
export const MIXED: readonly Call[] = [
  ['POST', '/api/invoice/list', { perPage: 200 }],
  ['POST', '/api/consignment/package/advance', bodyOf('/api/consignment/package/advance')],
  ['POST', '/api/invoice/list', {}],
  ['GET', '/country/all'],
  ['POST', '/api/calculate/price', bodyOf('/api/calculate/price')],
  ['POST', '/api/consignment/document', bodyOf('/api/consignment/document')],
  ['POST', '/api/invoice/list', { perPage: 500 }],
  ['POST', '/api/transaction/charge/list', {}],
  ['POST', '/api/invoice/list', { number: 'far too long for a number' }],
  ['GET', '/api/unit/of/measure/all'],
]

/** How long an answer may take: many times what it takes on a busy machine. */
const PATIENCE_MS = 30_000

/** Makes this many calls, cycling through these legacy ones, `callers` at a time. */
export async function soak(url: string, calls: readonly Call[], callers: number, count: number): Promise<SoakResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const answers: Record<string, number> = {}
  const failures: string[] = []
  const shipments: number[] = []
  const token = await wholeToken(() => send(url, agent, ['POST', '/auth/application', bodyOf('/auth/application')]))
  let made = 0
  const caller = async (): Promise<void> => {
    while (made < count) {
      const call = calls[made++ % calls.length] as Call
      try {
        const { status, text } = await send(url, agent, call, token)
        const outcome = `${call[1]} ${status}`
        answers[outcome] = (answers[outcome] ?? 0) + 1
        if (call[1].includes('consignment') && status === 200) shipments.push((JSON.parse(text) as { id: number }).id)
      } catch (error) {
        failures.push(`${call[1]}: ${String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  agent.destroy()
  return { answers, failures, shipments }
}

/** Makes one legacy call. Rejects when no whole answer arrives in time. */
export function send(
  url: string,
  agent: Agent,
  [method, path, body]: Call,
  token?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const sent = request(`${url}${path}`, { method, agent, headers, timeout: PATIENCE_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
