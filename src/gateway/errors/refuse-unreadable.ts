import { randomUUID } from 'node:crypto'

/**
 * Returns what answers a request that the server cannot understand, such as one with an invalid Host header, before any
 * operation is looked up: a 400 with a message and the headers of every answer.
 */
export function unreadableRefuser(headers: Readonly<Record<string, string>>): () => Response {
  return () =>
    new Response('{"message":"The request could not be understood."}', {
      status: 400,
      headers: { ...headers, 'content-type': 'application/json', 'x-request-id': randomUUID() },
    })
}
