// How figures read: the same fact reads the same on every page, in every report, in the dossier and on the command line.

import { MINUTE_MS } from './time.ts'

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Formats a whole number: `12,345`. */
export const count = (value: number): string => WHOLE.format(value)

/** Returns a count with its noun: `1 call`, `12,345 calls`. */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : several}`

/** A number of different things. `estimated`: it is about that many. `atLeast`: there may be more. */
export interface Distinct {
  readonly distinct: number
  readonly estimated?: boolean | undefined
  readonly atLeast?: boolean | undefined
}

/** Formats a number of different things for a table: `40`, `≈ 4,870`, `≥ 1,000`. */
export const distinct = ({ distinct, estimated, atLeast }: Distinct): string =>
  `${estimated === true ? '≈ ' : atLeast === true ? '≥ ' : ''}${count(distinct)}`

/** Writes the same in a sentence: `40 units`, `about 4,870 units`, `at least 1,000 clients`. */
export const distinctInWords = ({ distinct, estimated, atLeast }: Distinct, one: string): string =>
  `${estimated === true ? 'about ' : atLeast === true ? 'at least ' : ''}${counted(distinct, one)}`

/** Lists texts: `a`, `a and b`, `a, b and c`. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** Lists the first texts, and counts the others: `a, b and 3 others`. */
export const listedUpTo = (most: number, parts: readonly string[]): string =>
  parts.length <= most
    ? listed(parts)
    : `${parts.slice(0, most).join(', ')} and ${counted(parts.length - most, 'other')}`

/** Undoes what floating point adds: 0.29 × 100 is 28.999999999999996. */
const exact = (value: number): number => Number(value.toPrecision(12))

/** A share has this many decimals, or those of its limit if these are more. */
const DECIMALS = 2
const MOST_DECIMALS = 10

/** Formats a share that someone chose, with the digits that it has: `95 %`, `99.985 %`. */
export const chosenPercent = (share: number): string =>
  `${exact(share * 100)
    .toFixed(MOST_DECIMALS)
    .replace(/\.?0+$/, '')} %`

/**
 * Formats a measured share: `20 %`, `74.99 %`. It never says more than there is: it rounds down, only 1 is `100 %`, and a share below its
 * limit never reads like the limit. Nor does it say that there is nothing: above 0, the least is `< 0.01 %`.
 * @param limit what the share must reach, if anything. If it has more decimals, so has the share.
 */
export function percent(share: number, limit = 1): string {
  const decimals = Math.max(DECIMALS, chosenPercent(limit).match(/\.(\d+)/)?.[1]?.length ?? 0)
  const inUnits = (one: number): number => Math.floor(exact(one * 100 * 10 ** decimals))
  const below = (most: number): number => (share < most ? inUnits(most) - 1 : Number.POSITIVE_INFINITY)
  const units = Math.min(inUnits(share), below(limit), below(1))
  return share > 0 && units <= 0 ? `< ${written(1, decimals)}` : written(units, decimals)
}

/** Formats a share that is better small: `0.79 %`. It never says less than there is: it rounds up, and only 0 is `0 %`. */
export const percentAtMost = (share: number): string =>
  written(Math.max(Math.ceil(exact(share * 100 * 10 ** DECIMALS)), share > 0 ? 1 : 0), DECIMALS)

function written(units: number, decimals: number): string {
  const unit = 10 ** decimals
  return `${units % unit === 0 ? units / unit : (units / unit).toFixed(decimals)} %`
}

/** Formats a duration: `0.8 ms`, `12 ms`, `1.25 s`; a dash for none. */
export function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 999.5 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`
}

/** Formats three quantiles: `3.1 ms, 5.0 ms, 12 ms`. */
export const quantiles = ({ p50, p95, p99 }: Readonly<Record<'p50' | 'p95' | 'p99', number>>): string =>
  [p50, p95, p99].map(duration).join(', ')

/** How many operations are proven: their verdict is `ready`. */
interface Proven {
  /** The number of operations that can be compared, and of those that are proven, each by itself. */
  readonly of: number
  readonly ready: number
  /** How many have enough units for all operations to hold at once. */
  readonly together: number
  readonly confidence: number
}

/** Says how many operations are proven. */
export function provenInWords({ of, ready, together, confidence }: Proven): string {
  if (of === 0) return 'No operation can be compared.'
  const sure = `with ${chosenPercent(confidence)} confidence`
  const all = counted(of, 'operation')
  if (together === of) return `All ${all} that can be compared are proven, each and all at once, ${sure}.`
  if (ready === 0) return `None of the ${all} that can be compared is proven.`
  const proven = `${count(ready)} of the ${all} that can be compared ${ready === 1 ? 'is' : 'are'} proven, each ${sure}.`
  const have = together === 1 ? 'has' : 'have'
  const some =
    together < ready ? `${count(together)} of the ${count(ready)}` : ready === 1 ? '1' : `all ${count(ready)}`
  const enough = together === 0 ? 'none has' : `${some} ${have}`
  return `${proven} To be as sure of all ${count(of)} at once, each needs more units: ${enough} enough.`
}

/** Formats a time that still has to pass: `1 minute`, `14 minutes`; from two hours up, `3 hours`; from three days up, `8 days`. Rounded up. */
export const inDuration = (minutes: number): string => inWords(minutes, Math.ceil)

/** Formats a time that has passed, in the same units. Rounded down. */
export const inElapsed = (minutes: number): string => inWords(minutes, Math.floor)

function inWords(minutes: number, round: (value: number) => number): string {
  const hours = minutes / 60
  if (hours <= 2) return counted(round(minutes), 'minute')
  return hours <= 72 ? counted(round(hours), 'hour') : counted(round(hours / 24), 'day')
}

/** Formats a time, in UTC: `2025-01-31 10:24:19`. */
export const timeInWords = (at: number | string): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** Writes a time in the zone of another that someone wrote, and names the zone: `2027-05-03 09:00:00 +03:00`, `2027-05-03 06:00:00 UTC`. */
export function timeInZoneOf(at: string, written: string): string {
  const [zone, sign, hours, minutes] = written.match(/([+-])(\d\d):(\d\d)$/) ?? ['UTC', '+', '0', '0']
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1)
  return `${timeInWords(Date.parse(at) + ahead)} ${zone}`
}
