import { setTimeout as wait } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Difference, Disturbance } from './fault.ts'
import { editAt, gone, readPath } from './member-path.ts'

/** Answers that must not have a body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const withoutBody = new Set([204, 205, 304])

const html = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>We will be back.</h1></body></html>'

/** A call to disturb: what the face would do and answer, and the connection. */
interface Disturbed {
  /** Carries out the call. Returns the usual answer, with the differences that are set. */
  readonly carryOut: () => Promise<Response>
  /** The face's own answer with an error status. */
  readonly errorOf: (status: number) => Response
  readonly connection: HttpBindings
}

/**
 * Answers a call with a disturbance. docs/sandbox.md "Faults on demand" says for each fault whether the call is carried
 * out.
 */
export async function disturb(fault: Disturbance, { carryOut, errorOf, connection }: Disturbed): Promise<Response> {
  switch (fault.kind) {
    case 'slow': {
      const answer = await carryOut()
      // Unreferenced, so that it does not delay the process's exit.
      await wait(fault.ms, undefined, { ref: false })
      return answer
    }
    case 'status': {
      const { status, retryAfter } = fault
      const answer = status < 400 ? withStatus(await carryOut(), status) : errorOf(status)
      if (retryAfter !== undefined) answer.headers.set('Retry-After', String(retryAfter))
      return answer
    }
    case 'cut':
      return fault.in === 'start' ? hangUp(connection) : cut(fault.in, await carryOut(), connection)
    case 'malformed':
      return fault.as === 'html' ? writeHtml(await carryOut()) : malform(fault.as, await carryOut())
  }
}

/** An answer, and the differences that changed it. */
interface Differing {
  readonly answer: Response
  readonly made: readonly Difference[]
}

/** Applies the differences to an answer. Leaves an answer that is not JSON unchanged. */
export async function differ(answer: Response, differences: readonly Difference[]): Promise<Differing> {
  if (!isJson(answer)) return { answer, made: [] }
  let body = await answer.text()
  const made: Difference[] = []
  for (const difference of differences) {
    const edit = () => (difference.kind === 'change' ? difference.to : gone)
    const edited = JSON.stringify(editAt(JSON.parse(body), readPath(difference.at), edit))
    if (edited !== body) made.push(difference)
    body = edited
  }
  return { answer: withBody(answer, body), made }
}

function isJson({ headers, body }: Response): boolean {
  return body !== null && (headers.get('Content-Type')?.startsWith('application/json') ?? false)
}

function withBody({ status, headers }: Response, body: string | null): Response {
  return new Response(body, { status, headers })
}

function withStatus({ headers, body }: Response, status: number): Response {
  return new Response(withoutBody.has(status) ? null : body, { status, headers })
}

async function writeHtml(answer: Response): Promise<Response> {
  await answer.body?.cancel()
  return new Response(html, { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** Malforms an answer: cuts its text in half, or removes the members that hold the result. */
async function malform(as: 'truncated' | 'bare', answer: Response): Promise<Response> {
  if (!isJson(answer)) return answer
  const text = await answer.text()
  if (as === 'truncated') return withBody(answer, text.slice(0, Math.floor(text.length / 2)))
  const { success, message } = JSON.parse(text) as Record<string, unknown>
  return withBody(answer, JSON.stringify({ success, message }))
}

/** Closes the connection without sending a byte. */
function hangUp({ outgoing }: HttpBindings): Response {
  outgoing.socket?.destroy()
  return RESPONSE_ALREADY_SENT
}

/** Closes the connection within the headers or halfway through the body. If there is no body, always within the headers. */
async function cut(place: 'headers' | 'body', answer: Response, { outgoing }: HttpBindings): Promise<Response> {
  const body = Buffer.from(await answer.arrayBuffer())
  const end = () => outgoing.socket?.destroy()
  if (place === 'headers' || body.length === 0) {
    outgoing.socket?.write(`HTTP/1.1 ${answer.status} ${answer.statusText}\r\nContent-Ty`, end)
  } else {
    outgoing.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length })
    outgoing.write(body.subarray(0, Math.ceil(body.length / 2)), end)
  }
  return RESPONSE_ALREADY_SENT
}
