import { notFound, unauthorized, unavailable, V1Error } from './v1-error.ts'

/**
 * Builds the v1 face's answer for a fault with this status (docs/sandbox.md "Faults on demand"). *Assumed*: codes that
 * are not in docs/contract.md 9.2.
 */
export function v1ErrorOf(status: number): Response {
  const { headers, body } = errorOf(status).answer()
  return Response.json(body, { status, ...(headers && { headers }) })
}

function errorOf(status: number): V1Error {
  if (status === 401) return unauthorized()
  if (status === 404) return notFound()
  if (status === 429) return new V1Error(429, 'TOO_MANY_REQUESTS', 'Çok fazla istek gönderildi.')
  if (status === 503) return unavailable()
  return new V1Error(status, `STATUS_${status}`, 'Beklenmeyen bir hata oluştu.')
}
