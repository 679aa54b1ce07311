import { chosenPercent, counted } from '../../common/figures.ts'
import type { Corrections } from '../../mapping/corrections/corrections.ts'
import { daysText, gateName, type Plan } from './plan.ts'
import type { Rollout } from './rollout.ts'

/** The most lines, and the most characters of each value. */
const MOST_LINES = 50
const LONGEST_VALUE = 120

/**
 * Returns the changes between two versions of the rollout file, one line per member:
 * `invoice-list: plan.steps 1, 5, 100 -> 1, 100`. Empty: the versions say the same. At most 51 lines; the last one then counts the others.
 */
export const rolloutDiff = (before: Rollout, after: Rollout): readonly string[] =>
  bounded((say) => {
    sayByOperation(before.said, after.said, say)
    for (const list of ['ignore', 'waive', 'brownouts'] as const) {
      const [old, now] = [before[list].map(jsonOf), after[list].map(jsonOf)]
      for (const text of without(old, now)) say(`${list}: removed ${cut(text)}`)
      for (const text of without(now, old)) say(`${list}: added ${cut(text)}`)
    }
    for (const member of ['limits', 'confidence', 'unjudged', 'fresh'] as const) {
      sayChanges({ [member]: before[member] }, { [member]: after[member] }, [], say)
    }
  })

/**
 * Returns the changes between two versions of the mapping file, in the same form:
 * `invoice-list: response.data[].number.from not set -> items[].invoiceNumber`.
 */
export const correctionsDiff = (before: Corrections, after: Corrections): readonly string[] =>
  bounded((say) => sayByOperation(before.operations, after.operations, say))

type Say = (line: string) => void

/** Collects what is said, at most 50 lines and how many more there are. */
function bounded(tell: (say: Say) => void): readonly string[] {
  const lines: string[] = []
  let others = 0
  tell((line) => {
    if (lines.length < MOST_LINES) lines.push(line)
    else others++
  })
  return others === 0 ? lines : [...lines, `and ${others} more`]
}

function sayByOperation(
  before: Readonly<Record<string, object>>,
  after: Readonly<Record<string, object>>,
  say: Say,
): void {
  for (const operation of namesOf(before, after)) {
    sayChanges(before[operation] ?? {}, after[operation] ?? {}, [], (change) => say(`${operation}: ${change}`))
  }
}

/** Reports what differs between two objects, member by member, including nested objects. */
function sayChanges(before: object, after: object, path: readonly string[], say: Say): void {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  for (const member of namesOf(old, now)) {
    const place = [...path, member]
    const [from, to] = [own(old, member), own(now, member)]
    if (isObject(from) || isObject(to)) {
      sayChanges(isObject(from) ? from : {}, isObject(to) ? to : {}, place, say)
      continue
    }
    const texts = [textOf(from, place), textOf(to, place)]
    if (isGateUrl(place) ? from !== to : texts[0] !== texts[1])
      say(`${cut(place.join('.'))} ${texts.map(cut).join(' -> ')}`)
  }
}

const own = (object: Record<string, unknown>, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const namesOf = (...objects: readonly object[]): ReadonlySet<string> => new Set(objects.flatMap(Object.keys))

const jsonOf = (rule: object): string => JSON.stringify(rule)

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const there = new Set(others)
  return texts.filter((text) => !there.has(text))
}

/** Of a gate's URL only the origin is shown: the rest may be secret. */
const isGateUrl = (place: readonly string[]): boolean => place.at(-2) === 'gate' && place.at(-1) === 'url'

function textOf(value: unknown, place: readonly string[]): string {
  if (value === undefined) return 'not set'
  if (isGateUrl(place)) return `${gateName({ url: String(value) })}/…`
  if (!Array.isArray(value)) return String(value)
  if (value.length === 0) return 'none'
  return place.at(-1) === 'days' ? daysText(value) : value.join(', ')
}

const cut = (text: string): string => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text)

/**
 * Returns a plan in words: `v1 for 1, 5, then 100 % of clients; each step lasts at least 100 calls of v1 and 10 minutes; …`.
 */
export function planInWords(plan: Plan): string {
  const { steps, calls, minutes, approve, window, brake, gate, seed, withoutVerdict } = plan
  const parts = [
    `v1 for ${listed(steps, ', then ')} % of clients`,
    `each step lasts at least ${counted(calls, 'call')} of v1 and ${counted(minutes, 'minute')}`,
    ...(approve.length > 0 ? [`someone approves ${listed(approve, ' and ')} %`] : []),
    ...(window ? [`steps are taken ${daysText(window.days)} from ${window.from} to ${window.to}, ${window.zone}`] : []),
    ...(gate ? [`${gateName(gate)} is asked before each step, and every minute`] : []),
    ...(seed === undefined ? [] : [`the seed ${JSON.stringify(seed)} draws the clients: another one moves them`]),
    withoutVerdict === undefined ? 'only while the verdict is ready' : `without a verdict: ${withoutVerdict}`,
    `the brake trips if v1 fails ${chosenPercent(brake.errors)} more than legacy, or takes more than ${brake.slowdown} times as long`,
  ]
  return parts.join('; ')
}

const listed = (numbers: readonly number[], last: string): string =>
  [numbers.slice(0, -1).join(', '), String(numbers.at(-1))].filter((text) => text !== '').join(last)
