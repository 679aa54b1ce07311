import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { closeAtEnd } from './clean-up.ts'

/** A request as written to the wire. */
export interface WrittenRequest {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body without its content coding. */
  readonly text: string
}

/** A request that is not answered within this time counts as unanswered. */
const PATIENCE_MS = 20_000

/** Sends requests over kept connections, until the file's tests have run. Rejects without a whole answer. */
export function openSender(url: string): (request: WrittenRequest) => Promise<Answer> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  closeAtEnd(() => agent.destroy())
  return ({ method, path, query, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { hostname, port, agent, method, path: path + query, headers: { ...headers, ...length } }
      const sent = request({ ...options, timeout: PATIENCE_MS }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = decoded(Buffer.concat(chunks), answer.headers['content-encoding'])
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        })
      })
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} is not answered`)))
      sent.end(body)
    })
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'gzip') return gunzipSync(body).toString()
  if (coding === 'br') return brotliDecompressSync(body).toString()
  return body.toString()
}
