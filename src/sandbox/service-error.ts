import type { Message } from './service.ts'
import type { FieldError } from './validation/validate-request.ts'

/**
 * All errors of the service by the code of v1, with the status of each face (docs/contract.md 9.2 and 9.3). *Assumed*: the
 * wording, and the codes and statuses that the contract does not name.
 *
 * v1 always answers in Turkish, except that validation messages follow the language; legacy translates all messages
 * (docs/contract.md 8.3). *Assumed*: also those of authorization.
 */
export const serviceErrors = {
  VALIDATION_FAILED: { v1: 422, legacy: 400, tr: 'Doğrulama başarısız oldu.', en: 'Validation failed.' },
  CLIENT_ID_OR_SECRET_INVALID: {
    v1: 401,
    legacy: 401,
    tr: 'İstemci kimliği veya gizli anahtar geçersiz.',
    en: 'Client id or secret is invalid.',
  },
  /** The same error whether the token is missing, unknown, expired or for the other face. */
  UNAUTHORIZED: {
    v1: 401,
    legacy: 401,
    tr: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
    en: 'Authorization failed: a valid access token is required.',
  },
  NOT_FOUND: { v1: 404, legacy: 404, tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' },
  METHOD_NOT_ALLOWED: {
    v1: 405,
    legacy: 405,
    tr: 'Bu adres bu yöntemi desteklemiyor.',
    en: 'This address does not support this method.',
  },
  PAYLOAD_TOO_LARGE: {
    v1: 413,
    legacy: 413,
    tr: 'İstek gövdesi çok büyük.',
    en: 'The request body is too large.',
  },
  /** Only faults on demand answer with it. */
  TOO_MANY_REQUESTS: { v1: 429, legacy: 429, tr: 'Çok fazla istek gönderildi.', en: 'Too many requests.' },
  /** Legacy has the same message for all errors of its own. */
  DEPENDENCY_UNAVAILABLE: {
    v1: 503,
    legacy: 500,
    tr: 'Hizmet geçici olarak kullanılamıyor.',
    en: 'The service is temporarily unavailable.',
  },

  // Business rules, which a valid request can break.
  BAD_REQUEST: {
    v1: 400,
    legacy: 406,
    tr: 'Gönderici adresi kuruluşunuza ait değil.',
    en: 'The sender address does not belong to your organization.',
  },
  CARRIER_IS_NOT_FOUND: { v1: 400, legacy: 406, tr: 'Taşıyıcı bulunamadı.', en: 'Carrier is not found.' },
  SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED: {
    v1: 400,
    legacy: 406,
    tr: 'Gönderici adresinin vergi bilgileri tamamlanmamış.',
    en: 'Sender address tax information is not completed.',
  },
  SHIPMENT_DRAFT_IS_NOT_FOUND: {
    v1: 400,
    legacy: 406,
    tr: 'Gönderi taslağı bulunamadı.',
    en: 'Shipment draft is not found.',
  },
  SINGLE_POINT_IMPORT_CHARGE_FAILED: {
    v1: 400,
    legacy: 500,
    tr: 'Tek noktadan ithalat ücreti tahsil edilemedi.',
    en: 'Single point import charge failed.',
  },
  SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: {
    v1: 400,
    legacy: 406,
    tr: 'Tek noktadan ithalat daha önce tamamlanmış.',
    en: 'Single point import has already been completed before.',
  },
  SINGLE_POINT_IMPORT_IS_NOT_FOUND: {
    v1: 400,
    legacy: 406,
    tr: 'Tek noktadan ithalat bulunamadı.',
    en: 'Single point import is not found.',
  },
} as const satisfies Record<string, Message & { v1: number; legacy: number }>

/** The message of an error that nobody foresaw. */
export const unexpectedMessage: Message = { tr: 'Beklenmeyen bir hata oluştu.', en: 'An unexpected error occurred.' }

/** An error in words: what a face needs to write it. */
export interface ErrorText {
  readonly code: string
  readonly text: Message
  readonly details: {
    /** The first violation of each field, for a validation error. */
    readonly violations?: readonly FieldError[]
    /** The valid alternatives, for a business rule. */
    readonly params?: { readonly options: object }
    readonly headers?: Readonly<Record<string, string>>
  }
}

/** An error answer to a request. May be thrown anywhere; each face writes it in its own form. */
export class ServiceError extends Error implements ErrorText {
  readonly code: string
  readonly text: Message
  readonly status: { readonly v1: number; readonly legacy: number }
  readonly details: ErrorText['details']

  constructor(code: keyof typeof serviceErrors, details: ErrorText['details'] = {}) {
    super(serviceErrors[code].en)
    this.code = code
    this.text = serviceErrors[code]
    this.status = serviceErrors[code]
    this.details = details
  }
}

export function unauthorized(): ServiceError {
  return new ServiceError('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } })
}
