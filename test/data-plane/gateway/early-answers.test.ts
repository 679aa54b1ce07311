import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { deadUrl } from '../../support/raw-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'

/*
 * Java's HttpClient sends the head of a request before its body, and asks to upgrade to HTTP/2 with every request. When
 * an answer arrives before it has sent the body, it sends the rest of the body and the next request together.
 */

const UPGRADE = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAA']
const BODY = '{"a":1}'

function head(path: string, length: number): string {
  return [`POST ${path} HTTP/1.1`, 'Host: legacy.test', ...UPGRADE, `Content-Length: ${length}`, '', ''].join('\r\n')
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL((await startGateway(await deadUrl())).url)
  return connect(Number(port), hostname)
}

// If an answer did not wait for the body, the server would lose the next request, and the program would wait in vain.
it.each(['/country/all', '/api/no/such/thing'])(
  'a refused call of %s is answered once its body has arrived, and so is the next one on the connection',
  async (path) => {
    const socket = await open()
    let text = ''
    socket.on('data', (piece: Buffer) => {
      text += piece.toString()
    })
    onTestFinished(() => void socket.destroy())
    const answers = () => text.match(/HTTP\/1\.1 40[45] /g)?.length ?? 0
    const next = head(path, BODY.length) + BODY
    socket.write(head(path, BODY.length))
    await new Promise((resolve) => setTimeout(resolve, 300))
    if (answers() === 0) {
      socket.write(BODY)
      await until(() => answers() === 1, 1_000)
      socket.write(next)
    } else {
      socket.write(BODY + next)
    }
    await until(() => answers() === 2, 1_000)
  },
)

// Java treats a reset while it still writes as a failure, and never reads the 413.
it('a program can send a body over the limit to its end', async () => {
  const socket = await open()
  const failure = new Promise<Error | undefined>((resolve) => {
    socket.once('error', resolve)
    socket.once('close', () => resolve(undefined))
  })
  const answer = new Promise((resolve) => socket.once('data', resolve))
  const body = Buffer.alloc(3_000_000, ' ')
  socket.write(head('/api/invoice/list', body.length))
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 413 /)
  socket.end(body)
  expect(await failure).toBeUndefined()
})
