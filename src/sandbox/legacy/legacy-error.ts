import { type BusinessCode, type BusinessError, businessMessages } from '../business-error.ts'
import type { Language } from '../language.ts'
import type { FieldError } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import type { Answer } from './operation.ts'

/** An error of docs/contract.md 9.3 as the answer to a request. May be thrown anywhere; the face writes the answer. */
export class LegacyError extends Error {
  readonly status: number
  readonly details: {
    /** Only for a validation error. */
    readonly violations?: readonly FieldError[]
    readonly params?: BusinessError['params']
    readonly headers?: Readonly<Record<string, string>>
  }

  constructor(status: number, message: string, details: LegacyError['details'] = {}) {
    super(message)
    this.status = status
    this.details = details
  }

  /** Builds the answer: `message`, and `violations` for a validation error, but no code. */
  answer(): Answer {
    const { violations, params, headers } = this.details
    const body = {
      message: this.message,
      ...(params && { params }),
      ...(violations && {
        violations: violations.map(({ path, message }) => ({ propertyPath: path, message })),
      }),
    }
    return { status: this.status, body, ...(headers && { headers }) }
  }
}

/*
 * docs/contract.md 9.3. Messages follow the language. *Assumed*: the wording of all messages; that authorization
 * messages are translated like those of business rules; the statuses that are not named there.
 */

export function validationFailed(language: Language, violations: readonly FieldError[]): LegacyError {
  const message = { tr: 'Doğrulama başarısız oldu.', en: 'Validation failed.' }
  return new LegacyError(400, message[language], { violations })
}

/** *Assumed*: if the fields of a body cannot be read, the body itself is the violation, at the empty path. */
export function bodyUnreadable(language: Language): LegacyError {
  return validationFailed(language, [{ path: '', message: messages.jsonObject[language] }])
}

/**
 * Codes for which legacy sends the message of another code: a completed import is not found (docs/contract.md 6.5).
 */
const saidAs: { readonly [Code in BusinessCode]?: BusinessCode } = {
  SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: 'SINGLE_POINT_IMPORT_IS_NOT_FOUND',
}

/**
 * A business rule error is a 406 with a translated message; *assumed*: with the valid alternatives, as in v1. A charge
 * that fails is a 500 (docs/contract.md 6.6); *assumed*: with the same message as every 500.
 */
export function businessRuleBroken({ code, params }: BusinessError, language: Language): LegacyError {
  if (code === 'SINGLE_POINT_IMPORT_CHARGE_FAILED') return unexpected(language)
  return new LegacyError(406, businessMessages[saidAs[code] ?? code][language], { params })
}

export function credentialsInvalid(language: Language): LegacyError {
  const message = { tr: 'İstemci kimliği veya gizli anahtar geçersiz.', en: 'Client id or secret is invalid.' }
  return new LegacyError(401, message[language])
}

/** The same error whether the token is missing, unknown, expired or for the other face. */
export function unauthorized(language: Language): LegacyError {
  const message = {
    tr: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
    en: 'Authorization failed: a valid access token is required.',
  }
  return new LegacyError(401, message[language], { headers: { 'WWW-Authenticate': 'Bearer' } })
}

export function notFound(language: Language): LegacyError {
  const message = { tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' }
  return new LegacyError(404, message[language])
}

export function methodNotAllowed(language: Language, allowed: readonly string[]): LegacyError {
  const message = {
    tr: 'Bu adres bu yöntemi desteklemiyor.',
    en: 'This address does not support this method.',
  }
  return new LegacyError(405, message[language], { headers: { Allow: allowed.join(', ') } })
}

export function payloadTooLarge(language: Language): LegacyError {
  const message = { tr: 'İstek gövdesi çok büyük.', en: 'The request body is too large.' }
  return new LegacyError(413, message[language])
}

/** Temporary unavailability and all other errors: 500 with the unexpected-error message. */
export function unexpected(language: Language): LegacyError {
  const message = { tr: 'Beklenmeyen bir hata oluştu.', en: 'An unexpected error occurred.' }
  return new LegacyError(500, message[language])
}
