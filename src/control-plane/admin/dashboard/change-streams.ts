import type { Context } from 'hono'
import { MINUTE_MS } from '../../../common/time.ts'

/** Tells open pages that newer numbers exist, as server-sent events. */
export interface ChangeStreams {
  /** Answers with a stream that ends when the page leaves or the gateway stops, or with 503 if there are too many. */
  answer(c: Context): Response
  /** Ends all streams, and refuses new ones. */
  close(): void
}

/** One page that is looked at has one stream. The admin port serves 24 connections. */
const MOST_STREAMS = 8
/** A page takes up to 300 ms to make, so that pages renew themselves no more often. */
const EVERY_MS = 10_000

/** Proxies must pass each event on at once (`X-Accel-Buffering` is nginx's). */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

const encoder = new TextEncoder()
/** A line that browsers skip. It shows proxies that the stream is in use, and finds pages that have left. */
const STILL_HERE = encoder.encode(':\n\n')
const CHANGED = encoder.encode('event: changed\ndata:\n\n')

/**
 * @param mark returns a text that is another once numbers of this replica have changed. What other replicas count comes with time: each
 * minute counts as a change.
 */
export function changeStreams(mark: () => string, { everyMs = EVERY_MS, most = MOST_STREAMS } = {}): ChangeStreams {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let last = ''
  let isClosed = false
  let looking: NodeJS.Timeout | undefined
  const markNow = (): string => `${Math.floor(Date.now() / MINUTE_MS)} ${mark()}`
  const leave = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
    streams.delete(stream)
    if (streams.size === 0) clearInterval(looking)
  }
  const look = (): void => {
    const now = markNow()
    const says = now === last ? STILL_HERE : CHANGED
    last = now
    for (const stream of streams) stream.enqueue(says)
  }
  const join = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
    if (streams.size === 0) {
      last = markNow()
      looking = setInterval(look, everyMs).unref()
    }
    streams.add(stream)
    stream.enqueue(STILL_HERE)
  }
  return {
    answer(c) {
      if (isClosed || streams.size >= most) {
        return c.json({ message: 'No more pages are told of changes now: reload to see newer numbers.' }, 503)
      }
      // The body of an answer to HEAD is never read, so it would never end.
      if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
      let joined: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          joined = stream
          join(stream)
        },
        cancel: () => leave(joined),
      })
      return new Response(body, { headers: HEADERS })
    },
    close() {
      isClosed = true
      clearInterval(looking)
      for (const stream of streams) stream.close()
      streams.clear()
    },
  }
}
