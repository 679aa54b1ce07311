import { connect } from 'node:net'
import { type HttpMessage, messagesIn, statusOf } from './http-message.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { type Settings, startGateway } from './start-gateway.ts'

/** The outcome of bytes that were sent to a gateway. */
export interface Probed {
  /** The statuses that came back. */
  readonly statuses: readonly number[]
  readonly answers: readonly HttpMessage[]
  readonly v1: RecordingServer
  readonly legacy: RecordingServer
}

/** One route for each destination: v1, legacy because v1 has no equivalent, and legacy because the path is unknown. */
export const ROUTES = ['POST /api/invoice/list', 'POST /api/transaction/charge/list', 'POST /some/where'] as const

/** The requested page of v1 with a record beside it: an answer to any call. */
function anything({ line }: HttpMessage): string {
  const perPage = /perPage=(\d+)/.exec(line)?.[1] ?? '25'
  const meta = `{"page":1,"perPage":${perPage},"total":0,"pageCount":0}`
  return `{"success":true,"message":"","data":{"id":1,"token":"t"},"items":[],"meta":${meta}}`
}

/** After this time without an event, none is expected any more. */
const SETTLED_MS = 25
/** The limit for expected answers: longer than a busy machine takes. */
const PATIENCE_MS = 10_000
/** The limit for answers that must not arrive. */
const SILENT_MS = 1_000

/**
 * Sends pieces, a moment apart, to a new gateway in front of stand-ins that record every byte. Waits for the expected
 * number of answers or the end of the connection, and a little longer for unexpected events. If no answer is expected,
 * it waits a second for one.
 */
export async function probe(
  pieces: string | readonly string[],
  expected = 1,
  options: { readonly settings?: Partial<Settings>; readonly hasLegacy?: boolean } = {},
): Promise<Probed> {
  const [v1, legacy] = await Promise.all([startRecordingServer(anything), startRecordingServer()])
  const gateway = await startGateway(v1.url, {
    ...(options.settings !== undefined && { settings: options.settings }),
    ...(options.hasLegacy !== false && { legacyUrl: legacy.url }),
  })
  const text = await exchange(gateway.url, [pieces].flat(), expected)
  await wait(SETTLED_MS)
  const { messages: answers } = messagesIn(text)
  await gateway.close()
  return { statuses: answers.map(statusOf), answers, v1, legacy }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function exchange(url: string, pieces: readonly string[], expected: number): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname, async () => {
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await wait(SETTLED_MS)
        if (!socket.destroyed) socket.write(piece, 'latin1')
      }
    })
    const done = (): void => {
      clearTimeout(timeout)
      // Keeps the connection open while unexpected events could follow the answers.
      setTimeout(() => socket.destroy(), SETTLED_MS)
      resolve(received)
    }
    const timeout = setTimeout(done, expected === 0 ? SILENT_MS : PATIENCE_MS)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (expected > 0 && messagesIn(received).messages.length >= expected) done()
    })
    // A reset of the connection is a refusal.
    socket.on('error', () => undefined).on('close', done)
  })
}
