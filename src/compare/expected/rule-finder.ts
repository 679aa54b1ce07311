import { isBody, type Kind, type Where } from '../diff/difference.ts'
import { isWhole } from '../diff/path.ts'
import { coversPlace, endOf, holdsFor, type IgnoreRule, kindOf, needsValues } from '../rollout/ignore-rule.ts'

/** Finds the first rule that covers a class of difference; undefined: none does. */
export type FindRule = (where: Where) => IgnoreRule | undefined

/**
 * Finds the rules that hold now by the class of a difference, in a time that does not depend on their number. Leaves out rules
 * that need values: they acted during the comparison.
 * @param now ms since the epoch.
 */
export function ruleFinder(rules: readonly IgnoreRule[], now: () => number): FindRule {
  const byClass = rules.filter((rule) => !needsValues(rule))
  let find: FindRule = () => undefined
  /** When the next of the rules ends. */
  let until = Number.NEGATIVE_INFINITY
  return (where) => {
    const at = now()
    if (at >= until) {
      const holding = byClass.filter((rule) => at < endOf(rule))
      until = Math.min(...holding.map(endOf))
      find = finderOf(holding)
    }
    return find(where)
  }
}

/** Only a rule of its own kind covers a status, a failure or a header. */
function finderOf(rules: readonly IgnoreRule[]): FindRule {
  /** The numbers of the rules for the same class, which differ only in `when`. */
  const orders = new Map<string, number[]>()
  const keyOf = (kind: Kind | undefined, details: string | undefined, path: string): string =>
    `${kind ?? ''} ${path}\t${details ?? ''}`
  for (const [order, rule] of rules.entries()) {
    const key = keyOf(kindOf(rule), rule.details, rule.path)
    const alike = orders.get(key)
    if (alike === undefined) orders.set(key, [order])
    // A rule behind one that always holds never comes first.
    else if (rules[alike.at(-1) as number]?.when !== undefined) alike.push(order)
  }
  const paths = new Set(rules.map(({ path }) => path))
  const longest = rules.reduce((most, { path }) => Math.max(most, path.length), 0)
  return (where) => {
    const { part, kind, path, detail, sent } = where
    const asked: (readonly [Kind | undefined, string | undefined])[] = [
      [kind, undefined],
      [kind, detail],
    ]
    if (isBody(part)) asked.push([undefined, undefined])
    let first = rules.length
    // The place may be much deeper than any rule's path.
    for (let end = 0; end <= Math.min(path.length, longest); end++) {
      if (!isWhole(path, end)) continue
      const above = path.slice(0, end)
      // Most paths have no rule.
      if (!paths.has(above)) continue
      for (const [one, details] of asked) {
        const order = orders.get(keyOf(one, details, above))?.find((at) => {
          const rule = rules[at] as IgnoreRule
          return holdsFor(rule, sent) && coversPlace(rule, where)
        })
        first = Math.min(first, order ?? first)
      }
    }
    return rules[first]
  }
}
