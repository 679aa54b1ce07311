import { connect } from 'node:net'
import { closeAtEnd } from './clean-up.ts'
import { type HttpMessage, messagesIn, statusOf } from './http-message.ts'
import { type Arrived, type RecordingServer, startRecordingServer } from './recording-server.ts'
import { type Settings, type StartedGateway, startGateway } from './start-gateway.ts'

/** The outcome of bytes that were sent to a gateway. */
export interface Probed {
  /** The statuses that came back. */
  readonly statuses: readonly number[]
  readonly answers: readonly HttpMessage[]
  readonly v1: Arrived
  readonly legacy: Arrived
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
const SILENT_MS = 500

interface ProbeOptions {
  readonly settings?: Partial<Settings>
  readonly hasLegacy?: boolean
}

/** A gateway in front of stand-ins that record every byte. */
interface Bench {
  readonly gateway: StartedGateway
  readonly v1: RecordingServer
  readonly legacy: RecordingServer
}

/** Those that nobody uses now, by their options. */
const free = new Map<string, Bench[]>()

/**
 * Sends pieces, a moment apart, to a gateway in front of stand-ins that record every byte. Waits for the expected number of answers or the
 * end of the connection, and a little longer for unexpected events. If no answer is expected, it waits half a second for one. Probes may be
 * made at the same time: each has a gateway for itself, which the next one uses.
 */
export async function probe(
  pieces: string | readonly string[],
  expected = 1,
  options: ProbeOptions = {},
): Promise<Probed> {
  const unused = unusedWith(options)
  const bench = unused.pop() ?? (await startBench(options))
  const { messages: answers } = messagesIn(await exchange(bench.gateway.url, [pieces].flat(), expected))
  const [v1, legacy] = [bench.v1.take(), bench.legacy.take()]
  unused.push(bench)
  return { statuses: answers.map(statusOf), answers, v1, legacy }
}

function unusedWith(options: ProbeOptions): Bench[] {
  const key = JSON.stringify(options)
  // The gateways are closed after the tests of the file.
  if (free.size === 0) closeAtEnd(() => free.clear())
  const unused = free.get(key) ?? []
  free.set(key, unused)
  return unused
}

async function startBench({ settings, hasLegacy = true }: ProbeOptions): Promise<Bench> {
  const [v1, legacy] = await Promise.all([startRecordingServer(anything), startRecordingServer()])
  const gateway = await startGateway(v1.url, {
    ...(settings !== undefined && { settings }),
    ...(hasLegacy && { legacyUrl: legacy.url }),
  })
  return { gateway, v1, legacy }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Returns everything that came back. */
function exchange(url: string, pieces: readonly string[], expected: number): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let [received, isOver] = ['', false]
    const socket = connect(Number(port), hostname, async () => {
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await wait(SETTLED_MS)
        if (!socket.destroyed) socket.write(piece, 'latin1')
      }
    })
    const done = (): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timeout)
      // Keeps the connection open while unexpected events could follow the answers.
      setTimeout(() => {
        socket.destroy()
        resolve(received)
      }, SETTLED_MS)
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
