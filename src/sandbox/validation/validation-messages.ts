import type { z } from 'zod'
import type { Message } from '../service.ts'

/** The messages for violations of a field, in both languages. *Assumed*: the wording (docs/contract.md 13.5). */
export const messages = {
  required: { tr: 'Bu alan zorunludur.', en: 'This field is required.' },
  empty: { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' },
  notNull: { tr: 'null olamaz.', en: 'Must not be null.' },
  text: { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' },
  number: { tr: 'Bir sayı olmalıdır.', en: 'Must be a number.' },
  wholeNumber: { tr: 'Bir tam sayı olmalıdır.', en: 'Must be a whole number.' },
  bool: { tr: 'true veya false olmalıdır.', en: 'Must be true or false.' },
  list: { tr: 'Bir dizi olmalıdır.', en: 'Must be an array.' },
  object: { tr: 'Bir nesne olmalıdır.', en: 'Must be an object.' },
  unsupported: { tr: 'Bu alan desteklenmiyor.', en: 'This field is not supported.' },
  unknown: { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' },
  notServed: { tr: 'Bu ülkeye taşıma hizmeti yok.', en: 'Carriers do not go to this country.' },
  noCity: { tr: 'Bir şehir adı olmalıdır.', en: 'Must be the name of a city.' },
  noZipCode: { tr: 'Ülkenin posta koduna uymuyor.', en: "Is not a zip code of the destination's country." },
  cityMismatch: { tr: 'Şehir ilçeyle eşleşmiyor.', en: 'The city does not match the county.' },
  alreadyUsed: { tr: 'Bu değer zaten kullanılıyor.', en: 'This value is already in use.' },
  jsonObject: { tr: 'İstek gövdesi bir JSON nesnesi olmalıdır.', en: 'The request body must be a JSON object.' },
  date: {
    tr: 'YYYY-MM-DD biçiminde gerçek bir tarih olmalıdır.',
    en: 'Must be a real date of the form YYYY-MM-DD.',
  },
  day: {
    tr: 'YYYY-MM-DD biçiminde bir tarih veya ISO 8601 zaman damgası olmalıdır.',
    en: 'Must be a date of the form YYYY-MM-DD or an ISO 8601 timestamp.',
  },
  ids: {
    tr: '1 veya daha büyük tam sayılardan oluşan, virgülle ayrılmış bir liste olmalıdır.',
    en: 'Must be a list of whole numbers of at least 1, separated by commas.',
  },
  invalid: { tr: 'Geçersiz değer.', en: 'Invalid value.' },
} satisfies Record<string, Message>

const oneOf = (values: string): Message => ({
  tr: `Şunlardan biri olmalıdır: ${values}.`,
  en: `Must be one of: ${values}.`,
})

const tooLong = (maximum: string): Message => ({
  tr: `En fazla ${maximum} karakter olabilir.`,
  en: `Must be at most ${maximum} characters long.`,
})

const atLeast = (minimum: string): Message => ({
  tr: `En az ${minimum} olmalıdır.`,
  en: `Must be at least ${minimum}.`,
})

const atMost = (maximum: string): Message => ({
  tr: `En fazla ${maximum} olabilir.`,
  en: `Must be at most ${maximum}.`,
})

const tooManyItems = (maximum: string): Message => ({
  tr: `En fazla ${maximum} öğe içerebilir.`,
  en: `Must have at most ${maximum} items.`,
})

export const codesOf = (maximum: number): Message => ({
  tr: `Her biri en fazla ${maximum} karakter olan, virgülle ayrılmış bir liste olmalıdır.`,
  en: `Must be a list of codes of at most ${maximum} characters each, separated by commas.`,
})

export function wholeNumberFrom(minimum: number, maximum: number | undefined): Message {
  if (maximum === undefined) {
    return {
      tr: `${minimum} veya daha büyük bir tam sayı olmalıdır.`,
      en: `Must be a whole number of at least ${minimum}.`,
    }
  }
  return {
    tr: `${minimum} ile ${maximum} arasında bir tam sayı olmalıdır.`,
    en: `Must be a whole number from ${minimum} to ${maximum}.`,
  }
}

/** Returns the message for a violation that zod found. Refinements have their message as `params`. */
export function messageFor(issue: z.core.$ZodRawIssue): Message {
  if (issue.code === 'invalid_type' && issue.expected === 'never') return messages.unsupported
  if (issue.input === undefined || issue.input === null) return messages.required
  if (issue.input === '') return messages.empty
  switch (issue.code) {
    case 'invalid_type':
      return messageForType(issue.expected)
    case 'invalid_value':
      return Array.isArray(issue.input) ? messages.text : oneOf(issue.values.map(String).join(', '))
    case 'too_small':
      return issue.origin === 'array' ? messages.empty : atLeast(String(issue.minimum))
    case 'too_big':
      return messageForExcess(issue.origin, String(issue.maximum))
    case 'invalid_format':
      return issue.format === 'date' ? messages.date : messages.invalid
    case 'custom':
      return (issue.params as Message | undefined) ?? messages.invalid
    default:
      return messages.invalid
  }
}

function messageForType(expected: string): Message {
  switch (expected) {
    case 'number':
      return messages.number
    case 'int':
      return messages.wholeNumber
    case 'boolean':
      return messages.bool
    case 'array':
      return messages.list
    case 'object':
      return messages.object
    default:
      return messages.text
  }
}

function messageForExcess(origin: string, maximum: string): Message {
  if (origin === 'string') return tooLong(maximum)
  return origin === 'array' ? tooManyItems(maximum) : atMost(maximum)
}
