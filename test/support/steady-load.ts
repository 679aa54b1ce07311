import { connect, type Socket } from 'node:net'
import { type HttpMessage, messagesIn } from './http-message.ts'

/** One call as its client saw it. Times are from `performance.now()`. */
export interface LoadedCall {
  readonly id: string
  /** Whether its connection had served earlier calls. */
  readonly isKept: boolean
  /** When the system had accepted all its bytes; undefined: there was no connection. */
  writtenAt: number | undefined
  /** When the last byte arrived, or the connection was closed. */
  endedAt: number
  /** Undefined without a whole answer. */
  answer: HttpMessage | undefined
  /** How much of an answer arrived. */
  bytes: number
}

export interface Load {
  readonly calls: readonly LoadedCall[]
  /** Makes no further calls, and waits until all of them have ended. */
  stop(): Promise<void>
}

/** What a machine that stood still has missed beyond this is not made up for: thousands of calls at once are another load. */
const MOST_BEHIND_MS = 250
/** A machine that cannot keep up gets fewer calls, and not a queue of them. */
const MOST_UNDER_WAY = 200

/**
 * Makes this many calls a second, on kept and on new connections in turn, or fewer on a machine that is too slow for them.
 * `request` returns the bytes of a call.
 * @param addresses the addresses of this machine from which to connect, in turn; none: the system chooses.
 */
export function startLoad(
  url: string,
  perSecond: number,
  request: (id: string, number: number) => string,
  addresses: readonly string[] = [],
): Load {
  const { hostname, port } = new URL(url)
  const calls: LoadedCall[] = []
  const idle = new Set<Socket>()
  const underWay = new Set<Promise<void>>()

  const open = (number: number): Socket => {
    const localAddress = addresses[number % addresses.length]
    const socket = connect({ port: Number(port), host: hostname, ...(localAddress !== undefined && { localAddress }) })
    // Errors of a connection show in the bytes that arrived over it.
    return socket.on('error', () => undefined).on('close', () => idle.delete(socket))
  }
  const make = (number: number): void => {
    const wantsKept = number % 2 === 0
    const [kept] = wantsKept ? idle : []
    if (kept !== undefined) idle.delete(kept)
    const socket = kept ?? open(number)
    const call = newCall(number, kept !== undefined)
    calls.push(call)
    const ended = exchange(socket, request(call.id, number), call).then(() => {
      if (wantsKept && !socket.destroyed) idle.add(socket)
      else socket.destroy()
      underWay.delete(ended)
    })
    underWay.add(ended)
  }

  let last = performance.now()
  let due = 0
  const timer = setInterval(() => {
    const now = performance.now()
    due += (Math.min(now - last, MOST_BEHIND_MS) / 1_000) * perSecond
    last = now
    for (; due >= 1 && underWay.size < MOST_UNDER_WAY; due--) make(calls.length)
    due = Math.min(due, (MOST_BEHIND_MS / 1_000) * perSecond)
  }, 5)
  return {
    calls,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      for (const socket of idle) socket.destroy()
    },
  }
}

/** Makes one call after the other on each of this many connections, without a pause, for as long as they are open. */
export function startBusyClients(
  url: string,
  connections: number,
  request: (id: string, number: number) => string,
): Load {
  const { hostname, port } = new URL(url)
  const calls: LoadedCall[] = []
  let isStopped = false
  const client = async (): Promise<void> => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    for (let isKept = false; !isStopped && !socket.destroyed; isKept = true) {
      const call = newCall(calls.length, isKept)
      calls.push(call)
      await exchange(socket, request(call.id, calls.length), call)
    }
    socket.destroy()
  }
  const clients = Array.from({ length: connections }, client)
  return {
    calls,
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

const newCall = (number: number, isKept: boolean): LoadedCall => ({
  ...{ id: `call-${number}`, isKept, writtenAt: undefined, endedAt: 0, answer: undefined, bytes: 0 },
})

/** Writes a request, and waits for its answer or the end of the connection. */
function exchange(socket: Socket, request: string, call: LoadedCall): Promise<void> {
  return new Promise((resolve) => {
    let received = ''
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      call.bytes = received.length
      call.answer = messagesIn(received).messages[0]
      if (call.answer !== undefined) done()
    }
    const done = (): void => {
      socket.off('data', onData).off('close', done)
      call.endedAt = performance.now()
      resolve()
    }
    socket.on('data', onData).on('close', done)
    socket.write(request, (error) => {
      if (error === undefined || error === null) call.writtenAt = performance.now()
    })
  })
}
