import { type IncomingHttpHeaders, request } from 'node:http'

/** A legacy answer as it arrived, with its content coding. */
export interface ByteReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** One GET on a connection of its own. */
export function callForBytes(url: string, headers: Readonly<Record<string, string>> = {}): Promise<ByteReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })
}
