import { itemsPath } from '../diff/path.ts'
import type { IgnoreRule } from '../expected/ignore-rule.ts'
import { OTHER } from './bounds.ts'
import type { DifferenceClass, Reasons } from './difference-classes.ts'
import type { Pattern } from './patterns.ts'

/** The rules that excuse a difference that counts as it was seen, and nothing else. */
export interface Excusing {
  /** The narrowest rules: one per change that a rule can name exactly. A person has to write their `why`. */
  readonly rules: readonly IgnoreRule[]
  /** How many exchanges would no longer be mismatched, because they show nothing else that counts. */
  readonly requests: number
  /** Why no rule is offered for some of its changes, or for any, in sentences; unset: the rules excuse all of them. */
  readonly without?: readonly string[]
}

/** What is offered for the classes of difference at one place. */
export interface Offer extends Required<Pick<Excusing, 'rules' | 'without'>> {
  /** The classes that the rules excuse. */
  readonly excused: readonly DifferenceClass[]
}

/**
 * Offers the narrowest rules: one per change, for calls like those that show it. A rule names the members that all these calls
 * send, and those that none of them sends, but other calls do.
 * @param counting all classes at the place that count.
 * @param everSent the members of the request that any compared call sent.
 */
export function offerFor(operation: string, counting: readonly DifferenceClass[], everSent: readonly string[]): Offer {
  const excused = counting.filter((found) => whyInexact(found) === undefined)
  return {
    rules: Array.from(
      Map.groupBy(excused, ({ detail }) => detail),
      ([details, [first, ...others]]) => {
        const { path, kind } = first as DifferenceClass
        const when = kind === 'dropped' ? {} : whenOf([first as DifferenceClass, ...others], everSent)
        return { operation, path, kind, details, ...when, why: '' }
      },
    ),
    excused,
    without: [...new Set(counting.flatMap((found) => whyInexact(found) ?? []))],
  }
}

/** Returns what tells the calls that show some classes from other calls: members of the request. */
function whenOf(alike: readonly DifferenceClass[], everSent: readonly string[]): Pick<IgnoreRule, 'when'> {
  const sentBy = alike.flatMap(({ sent }) => (sent === undefined ? [] : [sent]))
  if (sentBy.length < alike.length) return {}
  const sentByAll = (sentBy[0] ?? []).filter((member) => sentBy.every((sent) => sent.includes(member)))
  const sentByNone = everSent.filter((member) => sentBy.every((sent) => !sent.includes(member)))
  const when = [...sentByAll.map((member) => [member, true]), ...sentByNone.map((member) => [member, false])]
  return when.length === 0 ? {} : { when: Object.fromEntries(when) }
}

/** Stands in details for what must not be shown; see `compareHeaders`. */
const HIDDEN = '…'
const ITEMS = itemsPath('')

/** Returns why every rule for a class would also excuse what was not seen; undefined: a rule can name the class exactly. */
function whyInexact({ kind, path, from, detail, isPure }: DifferenceClass): string | undefined {
  if (from !== undefined) {
    return 'Its answers did not come from v1. A rule would also excuse such a difference of v1’s: correct the mapping.'
  }
  if (kind === 'dropped' && path === '') return 'The further names are not kept, so no rule can name them.'
  if (detail === OTHER) return 'There are more different changes here than are kept one by one.'
  const isOfRows = path.endsWith(ITEMS)
  switch (kind) {
    case 'changed':
      return 'A rule would excuse every other wrong value here. If numbers may differ a little, a rule with a tolerance says how far.'
    case 'missing':
      return isOfRows
        ? 'A rule would excuse every other row that v1 loses.'
        : 'A rule would excuse it whatever value legacy has. If v1 no longer has the member, declare the loss in the mapping.'
    case 'extra':
      return isOfRows
        ? 'A rule would excuse every other row that v1 adds.'
        : 'A rule would excuse it whatever value v1 adds.'
    case 'order':
      return 'A rule would excuse every other wrong order. A rule that is unordered does so on purpose.'
    case 'length':
      return isPure === true && isLonger(detail ?? '')
        ? undefined
        : 'Items are missing, or not in the same order. A rule would excuse every other loss of as many.'
    case 'header':
      return detail?.includes(HIDDEN) === true
        ? 'A part of the header is not shown. A rule would excuse whatever stands there.'
        : undefined
    default:
      return undefined
  }
}

const isLonger = (detail: string): boolean => {
  const [was, is] = detail.split(' → ').map(Number)
  return Number(is) > Number(was)
}

/** Counts, by key, the exchanges in which only classes of one key count; a class without a key is of no other's. */
export function aloneOf(
  patterns: Iterable<Pattern>,
  reasons: Reasons,
  keyOf: (found: DifferenceClass) => string | undefined,
): ReadonlyMap<string, number> {
  const alone = new Map<string, number>()
  for (const { classes, requests } of patterns) {
    const key = onlyKeyOf(classes, reasons, keyOf)
    if (key !== undefined) alone.set(key, (alone.get(key) ?? 0) + requests)
  }
  return alone
}

/** Returns the key that all counting classes share; undefined: they have several keys or none, or no class counts. */
function onlyKeyOf(
  classes: readonly DifferenceClass[],
  reasons: Reasons,
  keyOf: (found: DifferenceClass) => string | undefined,
): string | undefined {
  let only: string | undefined
  for (const found of classes) {
    if (reasons.get(found) !== null) continue
    const key = keyOf(found)
    if (key === undefined || (only !== undefined && only !== key)) return undefined
    only = key
  }
  return only
}
