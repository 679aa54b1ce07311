import type { z } from 'zod'
import type { Language } from '../language.ts'

type Message = Readonly<Record<Language, string>>

/** What is wrong with a field, in both languages. *Assumed*: the wording (contract: not shown). */
export const messages = {
  required: { tr: 'Bu alan zorunludur.', en: 'This field is required.' },
  empty: { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' },
  text: { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' },
  jsonObject: { tr: 'İstek gövdesi bir JSON nesnesi olmalıdır.', en: 'The request body must be a JSON object.' },
  date: {
    tr: 'YYYY-MM-DD biçiminde gerçek bir tarih olmalıdır.',
    en: 'Must be a real date of the form YYYY-MM-DD.',
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

const wholeNumberFrom = (minimum: string): Message => ({
  tr: `${minimum} veya daha büyük bir tam sayı olmalıdır.`,
  en: `Must be a whole number of at least ${minimum}.`,
})

const wholeNumberBetween = (minimum: string, maximum: string): Message => ({
  tr: `${minimum} ile ${maximum} arasında bir tam sayı olmalıdır.`,
  en: `Must be a whole number from ${minimum} to ${maximum}.`,
})

/** What a rule of our own, a `refine`, hands over in its `params` so that its message can be written. */
export type Rule = { rule: 'empty' } | { rule: 'wholeNumber'; minimum: number; maximum?: number }

/** The message for a violation that zod found. */
export function describeIssue(issue: z.core.$ZodRawIssue, language: Language): string {
  return messageFor(issue)[language]
}

function messageFor(issue: z.core.$ZodRawIssue): Message {
  if (issue.input === undefined || issue.input === null) return messages.required
  if (issue.input === '') return messages.empty
  if (Array.isArray(issue.input)) return messages.text
  switch (issue.code) {
    case 'invalid_type':
      return messages.text
    case 'invalid_value':
      return oneOf(issue.values.map(String).join(', '))
    case 'too_big':
      return tooLong(String(issue.maximum))
    case 'invalid_format':
      return issue.format === 'date' ? messages.date : messages.invalid
    case 'custom':
      return messageForRule(issue.params as Rule | undefined)
    default:
      return messages.invalid
  }
}

function messageForRule(rule: Rule | undefined): Message {
  if (rule === undefined) return messages.invalid
  if (rule.rule === 'empty') return messages.empty
  if (rule.maximum === undefined) return wholeNumberFrom(String(rule.minimum))
  return wholeNumberBetween(String(rule.minimum), String(rule.maximum))
}
