import type { Language } from './language.ts'

/**
 * The messages of all business rules that a request can break, by code, in both languages. v1 always answers in
 * Turkish; the legacy interface translates (docs/contract.md 8.3). *Assumed*: the wording, and the codes that are not
 * in docs/contract.md 9.2 (SINGLE_POINT_IMPORT_IS_NOT_FOUND, SHIPMENT_DRAFT_IS_NOT_FOUND).
 */
export const businessMessages = {
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
} as const satisfies Record<string, Record<Language, string>>

export type BusinessCode = keyof typeof businessMessages

/** A valid request breaks a business rule. The service throws it, and each face answers it in its own form. */
export class BusinessError extends Error {
  readonly code: BusinessCode
  /** The valid alternatives. */
  readonly params: { readonly options: object } | undefined

  constructor(code: BusinessCode, options?: object) {
    super(businessMessages[code].en)
    this.code = code
    this.params = options && { options }
  }
}
