import type { FaceName, Message } from './service.ts'
import type { FieldError } from './validation/validate-request.ts'

/**
 * All errors of the service by the code of v1, with their messages (docs/contract.md 9.2 and 9.3). *Assumed*: the wording,
 * and the codes that the contract does not name.
 *
 * v1 always answers in Turkish, except that validation messages follow the language; legacy translates all messages
 * (docs/contract.md 8.3). *Assumed*: also those of authorization.
 */
export const errorMessages = {
  VALIDATION_FAILED: { tr: 'Doğrulama başarısız oldu.', en: 'Validation failed.' },
  CLIENT_ID_OR_SECRET_INVALID: {
    tr: 'İstemci kimliği veya gizli anahtar geçersiz.',
    en: 'Client id or secret is invalid.',
  },
  /** The same error whether the token is missing, unknown, expired or for the other face. */
  UNAUTHORIZED: {
    tr: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
    en: 'Authorization failed: a valid access token is required.',
  },
  NOT_FOUND: { tr: 'İstenen kaynak bulunamadı.', en: 'The resource is not found.' },
  METHOD_NOT_ALLOWED: {
    tr: 'Bu adres bu yöntemi desteklemiyor.',
    en: 'This address does not support this method.',
  },
  PAYLOAD_TOO_LARGE: { tr: 'İstek gövdesi çok büyük.', en: 'The request body is too large.' },
  /** Only faults on demand answer with it. */
  TOO_MANY_REQUESTS: { tr: 'Çok fazla istek gönderildi.', en: 'Too many requests.' },
  DEPENDENCY_UNAVAILABLE: {
    tr: 'Hizmet geçici olarak kullanılamıyor.',
    en: 'The service is temporarily unavailable.',
  },
  // Business rules, which a valid request can break.
  BAD_REQUEST: {
    tr: 'Gönderici adresi kuruluşunuza ait değil.',
    en: 'The sender address does not belong to your organization.',
  },
  CARRIER_IS_NOT_FOUND: { tr: 'Taşıyıcı bulunamadı.', en: 'Carrier is not found.' },
  SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED: {
    tr: 'Gönderici adresinin vergi bilgileri tamamlanmamış.',
    en: 'Sender address tax information is not completed.',
  },
  SHIPMENT_DRAFT_IS_NOT_FOUND: { tr: 'Gönderi taslağı bulunamadı.', en: 'Shipment draft is not found.' },
  SINGLE_POINT_IMPORT_CHARGE_FAILED: {
    tr: 'Tek noktadan ithalat ücreti tahsil edilemedi.',
    en: 'Single point import charge failed.',
  },
  SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: {
    tr: 'Tek noktadan ithalat daha önce tamamlanmış.',
    en: 'Single point import has already been completed before.',
  },
  SINGLE_POINT_IMPORT_IS_NOT_FOUND: {
    tr: 'Tek noktadan ithalat bulunamadı.',
    en: 'Single point import is not found.',
  },
} as const satisfies Record<string, Message>

type ErrorCode = keyof typeof errorMessages

/** The statuses of errors. *Assumed*: those that the contract does not name. */
const statuses: Readonly<Partial<Record<ErrorCode, Readonly<Record<FaceName, number>>>>> = {
  VALIDATION_FAILED: { v1: 422, legacy: 400 },
  CLIENT_ID_OR_SECRET_INVALID: { v1: 401, legacy: 401 },
  UNAUTHORIZED: { v1: 401, legacy: 401 },
  NOT_FOUND: { v1: 404, legacy: 404 },
  METHOD_NOT_ALLOWED: { v1: 405, legacy: 405 },
  PAYLOAD_TOO_LARGE: { v1: 413, legacy: 413 },
  DEPENDENCY_UNAVAILABLE: { v1: 503, legacy: 500 },
  SINGLE_POINT_IMPORT_CHARGE_FAILED: { v1: 400, legacy: 500 },
}

const businessRule = { v1: 400, legacy: 406 }

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
  readonly status: Readonly<Record<FaceName, number>>
  readonly details: ErrorText['details']

  constructor(code: ErrorCode, details: ErrorText['details'] = {}) {
    super(errorMessages[code].en)
    this.code = code
    this.text = errorMessages[code]
    this.status = statuses[code] ?? businessRule
    this.details = details
  }
}

export function unauthorized(): ServiceError {
  return new ServiceError('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } })
}
