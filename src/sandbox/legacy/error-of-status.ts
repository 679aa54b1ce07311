import { languageOf } from '../language.ts'
import { LegacyError, notFound, unauthorized, unexpected } from './legacy-error.ts'

/** How the legacy face words an error that is ordered (docs/sandbox.md "Faults on demand"); its own status, and no cause in the request. */
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
