import { randomUUID } from 'node:crypto'

/**
 * Answers a request that the server could not make sense of before any operation was looked for, such as one with a Host
 * header that is no host: a 400 with a message, under the headers of every answer.
 */
export function unreadableRefuser(headers: Readonly<Record<string, string>>): () => Response {
  return () =>
    new Response('{"message":"The request could not be understood."}', {
      status: 400,
      headers: { ...headers, 'content-type': 'application/json', 'x-request-id': randomUUID() },
    })
}
