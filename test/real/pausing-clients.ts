import { connect } from 'node:net'
import { closeAtEnd } from '../support/clean-up.ts'
import { type HttpMessage, messagesIn, statusOf } from '../support/http-message.ts'

/** Clients that each keep a connection and all call at once. */
export interface PausingClients {
  /**
   * Makes every client write a request before it returns. Resolves with the statuses when all are answered; `cut off`
   * stands for a connection that was closed without an answer.
   */
  call(): Promise<readonly (number | 'cut off')[]>
}

/** Opens the clients until the file's tests have run. @param request its bytes on the wire. */
export function openPausingClients(url: string, count: number, request: string): PausingClients {
  const clients = Array.from({ length: count }, () => openClient(url, request))
  return { call: () => Promise.all(clients.map((ask) => ask())) }
}

function openClient(url: string, request: string): () => Promise<number | 'cut off'> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  closeAtEnd(() => socket.destroy())
  let received = ''
  let resolveNext: (answer: HttpMessage | undefined) => void = () => undefined
  socket.setEncoding('latin1').on('data', (chunk) => {
    const { messages, rest } = messagesIn(received + chunk)
    received = rest
    for (const message of messages) resolveNext(message)
  })
  socket.on('error', () => undefined).on('close', () => resolveNext(undefined))
  return () =>
    new Promise((resolve) => {
      resolveNext = (answer) => resolve(answer === undefined ? 'cut off' : statusOf(answer))
      if (socket.destroyed) resolve('cut off')
      else socket.write(request)
    })
}
