import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { invoices, TOKEN } from './work.ts'

/** Load from one address of loopback. */
export interface RawLoad {
  readonly url: string
  /** The source address of the calls: each address is a client of its own. */
  readonly from: string
  /** In a closed loop each connection calls again as soon as it is answered. In an open one this is their limit. */
  readonly connections: number
  /** Calls a second, answered or not; undefined: a closed loop. */
  readonly rate?: number | undefined
  /** About how long each body is, by a member that no mapping knows; undefined: as short as it is. */
  readonly bodyBytes?: number | undefined
  /** The path to call; undefined: a list of one invoice. */
  readonly path?: string | undefined
  readonly warmUpSeconds: number
  readonly seconds: number
}

/** The results of the calls that ended while measuring; times in ms. */
export interface RawFigures {
  /** Calls answered 200 within two seconds, per second. */
  readonly goodput: number
  /** Of all calls answered 200. */
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** Calls answered 200 later than that, and those answered otherwise, per second. */
  readonly late: number
  readonly refused: number
  /** Calls whose connection ended before the answer, or in an open loop without a free connection; per second. */
  readonly failed: number
}

/** The call that a load repeats. */
export function requestOf({ path, bodyBytes = 0 }: Pick<RawLoad, 'path' | 'bodyBytes'>) {
  const { method, path: ofInvoices, body: short = '{}' } = invoices(1)
  const body = bodyBytes === 0 ? short : `{"unknown":"${'a'.repeat(bodyBytes)}",${short.slice(1)}`
  return {
    method,
    path: path ?? ofInvoices,
    headers: { Authorization: TOKEN, 'Content-Type': 'application/json' },
    body,
  }
}

const USEFUL_MS = 2_000
/** How many connections are opened at a time: no more than the accept queue holds. */
const AT_ONCE = 200
const OPEN_EVERY_MS = 20
/** After this time a client comes back whose connection was closed without an answer. */
const BACK_MS = 1_000

/** Generates load with bare sockets, so that the load generator is not what is measured. */
export async function makeLoad(load: RawLoad): Promise<RawFigures> {
  const { url, from, connections, rate, warmUpSeconds, seconds } = load
  const { hostname, port } = new URL(url)
  const { method, path, headers, body } = requestOf(load)
  const lines = Object.entries({ Host: 'a', ...headers, 'Content-Length': Buffer.byteLength(body) })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  const took: number[] = []
  const counts = { useful: 0, late: 0, refused: 0, failed: 0 }
  const idle: Socket[] = []
  const all = new Set<Socket>()
  let isMeasured = false

  const open = (): void => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: from, noDelay: true })
    all.add(socket)
    let sentAt = 0
    let status = 0
    let missing = 0
    let wasAnswered = false
    const send = (): void => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', rate === undefined ? send : () => idle.push(socket)).on('send', send)
    socket.on('data', (chunk) => {
      // A connection that has sent nothing for long is told so, and closed.
      if (sentAt === 0) return
      if (missing === 0) {
        const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2_048))
        status = Number(head.slice(9, 12))
        missing = head.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
      }
      missing -= chunk.length
      if (missing > 0) return
      missing = 0
      wasAnswered = true
      if (isMeasured) count(status, performance.now() - sentAt)
      sentAt = 0
      if (rate === undefined) send()
      else idle.push(socket)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (sentAt !== 0 && isMeasured && !isOver) counts.failed++
      // The timer opens another one then. This one may still be among the idle ones, where `call` passes over it.
      if (wasAnswered) all.delete(socket)
      else setTimeout(() => all.delete(socket), BACK_MS).unref()
    })
  }
  const count = (status: number, milliseconds: number): void => {
    if (status !== 200) counts.refused++
    else {
      took.push(milliseconds)
      if (milliseconds <= USEFUL_MS) counts.useful++
      else counts.late++
    }
  }
  const call = (): void => {
    let socket = idle.pop()
    while (socket?.destroyed === true) socket = idle.pop()
    if (socket !== undefined) socket.emit('send')
    else if (isMeasured) counts.failed++
  }

  let isOver = false
  const opening = setInterval(() => {
    for (let i = 0; i < AT_ONCE && all.size < connections; i++) open()
  }, OPEN_EVERY_MS)
  // Opening thousands of connections costs more than calling on them, so an open loop opens them before the first call.
  while (rate !== undefined && idle.length < connections) await wait(OPEN_EVERY_MS)
  const started = performance.now()
  let made = 0
  const calling = setInterval(() => {
    for (const due = ((performance.now() - started) / 1_000) * (rate ?? 0); made < due; made++) call()
  }, 2)
  return new Promise((resolve) => {
    setTimeout(() => {
      isMeasured = true
    }, warmUpSeconds * 1_000)
    setTimeout(
      () => {
        isOver = true
        clearInterval(opening)
        clearInterval(calling)
        // Without a reset their ports would stay in use for a minute, and there are not enough of them.
        for (const socket of all) socket.resetAndDestroy()
        took.sort((a, b) => a - b)
        const at = (share: number): number => took[Math.max(Math.ceil(took.length * share) - 1, 0)] ?? Number.NaN
        resolve({
          goodput: counts.useful / seconds,
          ...{ p50: at(0.5), p99: at(0.99), most: at(1) },
          ...{ late: counts.late / seconds, refused: counts.refused / seconds, failed: counts.failed / seconds },
        })
      },
      (warmUpSeconds + seconds) * 1_000,
    )
  })
}

if (import.meta.main && process.send !== undefined) {
  process.send(await makeLoad(JSON.parse(process.argv[2] ?? '') as RawLoad))
}
