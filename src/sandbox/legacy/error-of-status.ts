import { languageOf } from '../language.ts'
import { LegacyError, notFound, unauthorized, unexpected } from './legacy-error.ts'

/**
 * Builds the legacy face's answer for a fault with this status (docs/sandbox.md "Faults on demand"). The request did
 * not cause it.
 */
export function legacyErrorOf(status: number, request: Request): Response {
  const language = languageOf(request.headers.get('Accept-Language') ?? undefined)
  const { headers, body } = errorOf(status, language).answer()
  return Response.json(body, { status, ...(headers && { headers }) })
}

function errorOf(status: number, language: 'tr' | 'en'): LegacyError {
  if (status === 401) return unauthorized(language)
  if (status === 404) return notFound(language)
  if (status === 429)
    return new LegacyError(429, { tr: 'Çok fazla istek gönderildi.', en: 'Too many requests.' }[language])
  return unexpected(language)
}
