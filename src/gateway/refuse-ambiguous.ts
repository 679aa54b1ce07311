import type { IncomingMessage } from 'node:http'
import { Refusal } from './errors/refusal.ts'

/** Refuses a request that a server in between may have understood differently. @throws Refusal. */
export function refuseAmbiguous(incoming: IncomingMessage): void {
  // RFC 9112 section 3.2: a proxy in between may have used the other one.
  if (hasTwo(incoming, 'host')) throw new Refusal(400, 'not-valid')
  // RFC 9112 section 6.1: Node decodes chunks, but passes on any other transfer coding as if it were the body.
  const coding = incoming.headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked'
  if (coding !== 'chunked') throw new Refusal(415, 'transfer-coding', { headers: { connection: 'close' } })
}

/** Whether a request has several headers of a name, which is given in lower case. */
export function hasTwo({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === header.length && name.toLowerCase() === header) times++
  }
  return times > 1
}
