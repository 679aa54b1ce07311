import { MINUTE_MS } from '../../../common/time.ts'
import type { Window } from '../../rollout/plan.ts'

const DAY = 1_440
/** Clocks are changed at a multiple of this. */
const SLOT = 30
/** A week, and another in case the clocks skip the opening. */
const SLOTS = (15 * DAY) / SLOT

/** Whether a step may be taken now. The end is not part of the window. A window that begins before midnight belongs to the day on which it begins. */
export const isOpen = (window: Window, now: Date): boolean =>
  isOpenAt(window, minuteOf(now), offsetOf(window.zone, now))

/**
 * Returns when the window opens next, to the minute: now, if it is open. If the clocks go forward over the opening, it opens at that moment; if they
 * go back over it, it opens twice. Undefined if it never opens, because it names no day.
 */
export function nextOpening(window: Window, now: Date): Date | undefined {
  if (isOpen(window, now)) return now
  const known = found.get(window)
  if (known !== undefined && known.asked <= now && now < known.opens) return known.opens
  const opens = firstOpen(window, minuteOf(now))
  if (opens !== undefined) found.set(window, { asked: now, opens })
  return opens
}

/** The next opening is asked for every second, for days. So it is cached until it changes. */
const found = new WeakMap<Window, { readonly asked: Date; readonly opens: Date }>()

function firstOpen(window: Window, from: number): Date | undefined {
  const first = from - (from % SLOT)
  for (let slot = first; slot < first + SLOTS * SLOT; slot += SLOT) {
    const offset = offsetOf(window.zone, new Date(slot * MINUTE_MS))
    for (let minute = Math.max(slot, from); minute < slot + SLOT; minute++) {
      if (isOpenAt(window, minute, offset)) return new Date(minute * MINUTE_MS)
    }
  }
  return undefined
}

/** @param minute since the epoch @param offset of local time, in minutes */
function isOpenAt({ days, from, to }: Window, minute: number, offset: number): boolean {
  const local = minute + offset
  const time = local % DAY
  const today = weekday(local)
  const [opens, closes] = [minutesOf(from), minutesOf(to)]
  if (opens < closes) return days.includes(today) && opens <= time && time < closes
  return (days.includes(today) && opens <= time) || (days.includes(weekday(local - DAY)) && time < closes)
}

/** 1 (Monday) to 7 (Sunday); the epoch was a Thursday. */
const weekday = (local: number): number => ((Math.floor(local / DAY) + 3) % 7) + 1

const minuteOf = (time: Date): number => Math.floor(time.getTime() / MINUTE_MS)

/** `09:30` → 570 */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** How many minutes local time is ahead of UTC. */
function offsetOf(zone: string, time: Date): number {
  const text = formatterOf(zone).format(time)
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Cached, because creating one takes longer than everything else here. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, formatter)
  return formatter
}

/** `Monday 09:00 Europe/Istanbul` */
export function inWords(time: Date, zone: string): string {
  const local = new Date(time.getTime() + offsetOf(zone, time) * MINUTE_MS)
  return `${DAYS[local.getUTCDay()]} ${local.toISOString().slice(11, 16)} ${zone}`
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
