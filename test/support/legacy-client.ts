import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

/** A legacy call; text and bytes are sent unchanged. */
export interface LegacyCall {
  readonly method?: string
  /** As written in the request line. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

/** A legacy answer as it arrived. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The size of all header lines, as the peer sent them. */
  readonly headerBytes: number
  readonly text: string
}

/** Makes one call, on a connection of its own unless an agent has some. A connection that breaks after the answer is not an error. */
export function callLegacy(
  url: string,
  { method, path, headers = {}, body }: LegacyCall,
  agent: Agent | false = false,
): Promise<Reply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(
      {
        hostname,
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...length, ...(headers as Record<string, string | string[]>) },
        agent,
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            headerBytes: answer.rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1') + 2, 0),
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Writes bytes to a socket. Returns everything that arrives until the peer closes it. */
export function sendBytes(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece)
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', (error) => {
      // An answer counts even when the peer resets the connection after it.
      if (chunks.length > 0) resolve(Buffer.concat(chunks).toString())
      else reject(error)
    })
  })
}
