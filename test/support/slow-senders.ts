import { connect, type Socket } from 'node:net'

/** Clients that send slowly. */
export interface SlowSenders {
  /** The answer that each of them has so far. */
  answers(): readonly string[]
  /** The number of bytes that each of them has sent slowly. */
  sent(): number
  /** The number of open connections. */
  open(): number
  /** Makes all of them send the rest at once. */
  finish(): void
  stop(): void
}

/** Opens this many connections. Each sends `start` at once, and then a byte of `slowly` every `everyMs`. */
export async function startSlowSenders(
  url: string,
  count: number,
  { start, slowly, everyMs = 1_000 }: { readonly start: string; readonly slowly: string; readonly everyMs?: number },
): Promise<SlowSenders> {
  const { hostname, port } = new URL(url)
  const clients = Array.from({ length: count }, () => ({ socket: connect(Number(port), hostname), answer: '' }))
  for (const client of clients) {
    client.socket.on('error', () => undefined)
    client.socket.on('data', (chunk) => {
      client.answer += chunk.toString('latin1')
    })
  }
  await Promise.all(clients.map(({ socket }) => written(socket, start)))
  let sent = 0
  const send = (text: string): void => {
    sent += text.length
    for (const { socket } of clients) if (socket.writable) socket.write(text, 'latin1')
  }
  const timer = setInterval(() => send(slowly.slice(sent, sent + 1)), everyMs)
  return {
    answers: () => clients.map(({ answer }) => answer),
    sent: () => sent,
    open: () => clients.filter(({ socket }) => !socket.destroyed).length,
    finish() {
      clearInterval(timer)
      send(slowly.slice(sent))
    },
    stop() {
      clearInterval(timer)
      for (const { socket } of clients) socket.destroy()
    },
  }
}

const written = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.write(text, 'latin1', () => {
      socket.off('error', reject)
      resolve()
    })
  })

/**
 * Ways to send an empty object to a route: a start that is sent at once, and `bytes` or more that follow one by one.
 */
export function waysToBeSlow(route: string, bytes = 8) {
  const head = (...more: readonly string[]): string => [`${route} HTTP/1.1`, 'Host: gateway', ...more, ''].join('\r\n')
  return [
    { where: 'in its headers', start: head(), slowly: `X: ${'x'.repeat(bytes)}\r\nContent-Length: 2\r\n\r\n{}` },
    {
      where: 'in its body',
      start: `${head(`Content-Length: ${bytes}`)}\r\n`,
      slowly: `{${' '.repeat(bytes - 2)}}`,
    },
    {
      where: 'between its chunks',
      start: `${head('Transfer-Encoding: chunked')}\r\n`,
      slowly: `${'1\r\n \r\n'.repeat(bytes)}2\r\n{}\r\n0\r\n\r\n`,
    },
  ] as const
}
