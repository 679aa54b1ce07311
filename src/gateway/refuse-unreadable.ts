/**
 * A request that the server could not make sense of before any operation was looked for, such as one with a Host header
 * that is no host: a 400 in the legacy shape.
 */
export function refuseUnreadable(): Response {
  return new Response('{"message":"The request could not be understood."}', {
    status: 400,
    headers: { 'content-type': 'application/json' },
  })
}
