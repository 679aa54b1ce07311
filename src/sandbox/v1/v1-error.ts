import { type BusinessError, businessMessages } from '../business-error.ts'
import type { Language } from '../language.ts'
import type { FieldError } from '../validation/validate.ts'
import type { Answer } from './endpoint.ts'

/** An error of docs/contract.md 9.2 as the answer to a request. May be thrown anywhere; the face writes the answer. */
export class V1Error extends Error {
  readonly status: number
  readonly code: string
  readonly details: {
    readonly params?: BusinessError['params']
    readonly errors?: readonly FieldError[]
    readonly headers?: Readonly<Record<string, string>>
  }

  constructor(status: number, code: string, message: string, details: V1Error['details'] = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }

  /** Builds the v1 error envelope. */
  answer(): Answer {
    const { params, errors, headers } = this.details
    const body = {
      success: false,
      code: this.code,
      message: this.message,
      ...(params && { params }),
      ...(errors && { errors }),
    }
    return { status: this.status, body, ...(headers && { headers }) }
  }
}

// docs/contract.md 9.2. Validation messages follow the language; all others are Turkish.

export function validationFailed(language: Language, errors: readonly FieldError[]): V1Error {
  const message = language === 'en' ? 'Validation failed.' : 'Doğrulama başarısız oldu.'
  return new V1Error(422, 'VALIDATION_FAILED', message, { errors })
}

/** A business rule error that is not about a field. */
export function businessRuleBroken({ code, params }: BusinessError): V1Error {
  return new V1Error(400, code, businessMessages[code].tr, { params })
}

export function credentialsInvalid(): V1Error {
  return new V1Error(401, 'CLIENT_ID_OR_SECRET_INVALID', 'İstemci kimliği veya gizli anahtar geçersiz.')
}

/** *Assumed*: the code, and the same error whether the token is missing, unknown or expired (docs/contract.md 13.4). */
export function unauthorized(): V1Error {
  const message = 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.'
  return new V1Error(401, 'UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** *Assumed*: code and message (docs/contract.md 13.5). */
export function notFound(): V1Error {
  return new V1Error(404, 'NOT_FOUND', 'İstenen kaynak bulunamadı.')
}

/** *Assumed*: code and message (docs/contract.md 13.5). */
export function methodNotAllowed(allowed: readonly string[]): V1Error {
  const headers = { Allow: allowed.join(', ') }
  return new V1Error(405, 'METHOD_NOT_ALLOWED', 'Bu adres bu yöntemi desteklemiyor.', { headers })
}

/** *Assumed*: code and message (docs/contract.md 13.5). */
export function payloadTooLarge(): V1Error {
  return new V1Error(413, 'PAYLOAD_TOO_LARGE', 'İstek gövdesi çok büyük.')
}

export function unavailable(): V1Error {
  return new V1Error(503, 'DEPENDENCY_UNAVAILABLE', 'Hizmet geçici olarak kullanılamıyor.')
}
