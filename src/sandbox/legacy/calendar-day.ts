import { z } from 'zod'
import type { Rule } from '../validation/validation-messages.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i

const noDay: Rule = { rule: 'day' }

/**
 * A filter's date as YYYY-MM-DD, the only form that v1 accepts (docs/contract.md 6.8). *Assumed*: legacy also accepts an
 * ISO 8601 timestamp, with a blank allowed instead of T, and uses its calendar date in UTC. A timestamp without an offset
 * is in UTC.
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

/** Needed because `Date` reads the 30th of February as a day in March. */
function isRealDay(date: string): boolean {
  return z.iso.date().safeParse(date).success
}
