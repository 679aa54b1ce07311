import type { Reader } from './reader.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** An ISO 8601 date and time, extended or basic format. A space may replace the T. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2}|\d{8})[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/** Where a day begins and ends. */
interface Days {
  /** A zone of the IANA database. Unset: UTC. */
  readonly zone?: string
}

const IN_UTC = readerOf((instant) => instant.toISOString().slice(0, 10))

/**
 * Reads `YYYY-MM-DD` or any ISO 8601 timestamp, and sends its calendar date in UTC, or in the `zone` that is given. There, a timestamp
 * without an offset is local time. Refuses anything else: 400 at the legacy member.
 *
 * @example
 * 'dateAtBetween.startAt': query(calendarDate(), 'dateFrom'),   // "2025-01-31" becomes ?dateFrom=2025-01-31
 * 'dateAtBetween.endAt': query(calendarDate(), 'dateTo'),       // "2025-01-31T23:00:00-03:00" becomes ?dateTo=2025-02-01
 * startAt: query(calendarDate({ zone: 'Europe/Istanbul' }), 'dateFrom')
 *                                                             // "2025-06-01T00:00:00+03:00" becomes ?dateFrom=2025-06-01
 */
export const calendarDate = ({ zone }: Days = {}): Reader =>
  zone === undefined ? IN_UTC : readerOf((instant) => dateIn(zone, instant), zone)

/** @param dateOf returns the date of an instant; anything but `YYYY-MM-DD` cannot be sent. */
function readerOf(dateOf: (instant: Date) => string, zone?: string): Reader {
  const where = zone === undefined ? 'UTC' : `${zone}, where a timestamp without an offset is local time`
  return {
    says: `a date YYYY-MM-DD or an ISO 8601 timestamp; sent as the calendar date in ${where}`,
    accepts: { type: 'date' },
    read: (value) => {
      const date = value.type === 'string' ? sentDate(value.text, dateOf) : undefined
      return date === undefined ? { refuse: 'not-a-date' } : { send: date }
    },
    ...(zone !== undefined && { zone }),
  }
}

/** Formats by zone: one takes much longer to make than to use. */
const formats = new Map<string, Intl.DateTimeFormat>()

function dateIn(zone: string, instant: Date): string {
  const format = formats.get(zone) ?? formatOf(zone)
  formats.set(zone, format)
  // Swedish writes the year, the month and the day in this order.
  return format.format(instant)
}

const formatOf = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })

/** Whether there is a time zone of this name. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

function sentDate(written: string, dateOf: (instant: Date) => string): string | undefined {
  if (DATE.test(written)) return isCalendarDate(written) ? written : undefined
  const parts = DATE_TIME.exec(written)
  if (parts === null) return undefined
  const [, day = '', hour = '', minute = '00', second = '00', zone] = parts
  const date = day.length === 8 ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  if (!isCalendarDate(date)) return undefined
  const instant = new Date(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}${offsetOf(zone)}`)
  if (Number.isNaN(instant.getTime())) return undefined
  // Without an offset it is local time, so its date is the one that it is written with.
  const sent = zone === undefined ? instant.toISOString().slice(0, 10) : dateOf(instant)
  // A year before 0 or after 9999 is written differently, and cannot be sent.
  return DATE.test(sent) ? sent : undefined
}

/** Returns an offset as `Date` reads it; undefined: UTC. */
function offsetOf(zone = 'Z'): string {
  return zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
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
