import type { Fault } from './faults.ts'
import { type RawServer, startRawServer } from './raw-server.ts'

/** A service that fails in the way that a call's id asks for, and answers other calls. */
export interface FaultyServer extends RawServer {
  /** The id of a call that shall fail like this. */
  idFor(fault: Fault): string
}

/** Listens on loopback until the file's tests have run. `answer` is what other calls get. */
export async function startFaultyServer(faults: readonly Fault[], answer: Uint8Array): Promise<FaultyServer> {
  const server: RawServer = await startRawServer((socket, number) => {
    const [, index] = /^x-request-id: fault-(\d+)\r$/im.exec(server.requests[number - 1] ?? '') ?? []
    const fault = faults[Number(index)]
    if (fault === undefined) socket.write(answer)
    else fault.answer(socket, number)
  })
  return { ...server, idFor: (fault) => `fault-${faults.indexOf(fault)}` }
}
