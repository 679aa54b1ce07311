import type { Reader } from './reader.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** An ISO 8601 date and time, extended or basic format. A space may replace the T. Without an offset it is UTC. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2}|\d{8})[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Reads `YYYY-MM-DD` or any ISO 8601 timestamp, and sends its calendar date in UTC. Refuses anything else: 400 at the
 * legacy member.
 *
 * @example
 * 'dateAtBetween.startAt': query(calendarDate, 'dateFrom'),   // "2025-01-31" becomes ?dateFrom=2025-01-31
 * 'dateAtBetween.endAt': query(calendarDate, 'dateTo')        // "2025-01-31T23:00:00-03:00" becomes ?dateTo=2025-02-01
 */
export const calendarDate: Reader = {
  says: 'a date YYYY-MM-DD or an ISO 8601 timestamp; sent as the calendar date in UTC',
  accepts: { type: 'date' },
  read: (value) => {
    const date = value.type === 'string' ? utcDate(value.text) : undefined
    return date === undefined ? { refuse: 'not-a-date' } : { send: date }
  },
}

function utcDate(written: string): string | undefined {
  if (DATE.test(written)) return isCalendarDate(written) ? written : undefined
  const parts = DATE_TIME.exec(written)
  if (parts === null) return undefined
  const [, day = '', hour = '', minute = '00', second = '00', zone = 'Z'] = parts
  const date = day.length === 8 ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  if (!isCalendarDate(date)) return undefined
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const instant = new Date(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}${offset}`)
  if (Number.isNaN(instant.getTime())) return undefined
  const utc = instant.toISOString()
  // A year before 0 or after 9999 is written differently, and cannot be sent.
  return DATE.test(utc.slice(0, 10)) ? utc.slice(0, 10) : undefined
}

function isCalendarDate(date: string): boolean {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8))
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month] ?? 0))
}

/** The days of each month, by its number from 1. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
