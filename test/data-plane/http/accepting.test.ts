import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Listener, listen } from '../../../src/data-plane/http/listen.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { until } from '../../support/start-gateway.ts'

const open = async (port: number, sockets: number): Promise<Listener> => {
  const listener = await listen(
    (_, response) => setTimeout(() => response.end('served'), 20),
    '127.0.0.1',
    port,
    'HOST, PORT',
    {
      keepAliveMs: 75_000,
      sockets,
    },
  )
  closeAtEnd(() => listener.close(0))
  return listener
}

/** Opens connections that each make one call, and returns their answers. */
const callAll = (port: number, count: number): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1')
      closeAtEnd(() => socket.destroy())
      let answer = ''
      socket.on('data', (text: string) => {
        answer += text
      })
      socket.write('GET / HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n')
      await once(socket, 'end')
      socket.end()
      return answer
    }),
  )

/** Holds each turn of the event loop for a while, and counts those in which connections wait to be accepted. */
async function turnsToAccept(listener: Listener, count: number): Promise<number> {
  const turns: number[] = []
  let isOver = false
  const hold = (): void => {
    if (isOver) return
    turns.push(listener.connections().open)
    for (const end = performance.now() + 1; performance.now() < end; );
    setImmediate(hold)
  }
  const answers = callAll(listener.port, count)
  hold()
  expect((await answers).every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true)
  isOver = true
  return turns.length
}

test.runIf(process.platform === 'linux')(
  'a busy process accepts many connections in a turn of its event loop',
  async () => {
    const [one, many] = [await open(0, 1), await open(0, 16)]
    const turns = { one: await turnsToAccept(one, 320), many: await turnsToAccept(many, 320) }
    expect(turns.one).toBeGreaterThan(320)
    expect(turns.many).toBeLessThan(turns.one / 3)
  },
)

test.runIf(process.platform === 'linux')('a port of several sockets is exclusive all the same', async () => {
  const { port } = await open(0, 16)
  const inUse = `HOST, PORT: 127.0.0.1:${port} is in use`
  await expect(open(port, 16)).rejects.toThrow(inUse)
  await expect(open(port, 1)).rejects.toThrow(inUse)
})

test('closing answers the calls under way of all sockets, and then frees the port', async () => {
  const listener = await open(0, 16)
  const calls = callAll(listener.port, 64)
  await until(() => listener.connections().open > 0)
  await listener.close(10_000)
  expect((await calls).filter((answer) => !answer.endsWith('served'))).toEqual([])
  expect((await open(listener.port, 16)).port).toBe(listener.port)
})
