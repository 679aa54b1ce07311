import { z } from 'zod'
import type { Rule } from '../validation/validation-messages.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i

const noDay: Rule = { rule: 'day' }

/**
 * A filter's date as YYYY-MM-DD. v1 takes dates in that form only (docs/contract.md 6.8); *assumed*: legacy also takes an ISO
 * 8601 timestamp, a blank allowed for its T, and means its calendar date in UTC, which it is in when it names no offset.
 */
export function calendarDay() {
  return z
    .string()
    .refine((sent) => readDay(sent) !== undefined, { params: noDay })
    .transform((sent) => readDay(sent) ?? '')
}

function readDay(sent: string): string | undefined {
  if (day.test(sent)) return isRealDay(sent) ? sent : undefined
  const [, date, hours, minutes, seconds = '00', offset = 'Z'] = time.exec(sent) ?? []
  if (date === undefined || !isRealDay(date)) return undefined
  const [, sign, offsetHours, offsetMinutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  const zone = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`
  const at = new Date(`${date}T${hours}:${minutes}:${seconds}${zone}`)
  if (Number.isNaN(at.getTime())) return undefined
  const [inUtc = ''] = at.toISOString().split('T')
  return day.test(inUtc) ? inUtc : undefined
}

/** Date takes the 30th of February for a day of March. */
function isRealDay(date: string): boolean {
  return z.iso.date().safeParse(date).success
}
