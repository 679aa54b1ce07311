import type { Direction, RewriteContext } from '../../../src/engine/rewrite/rewrite-plan.ts'
import type { Converter } from '../../../src/mapping/converter.ts'
import { timestampConverter } from '../../../src/mapping/converter.ts'
import type { Rule, Shape } from '../../../src/mapping/shape.ts'
import { arrayOf, isNull, leaf, objectOf, type Tree } from './json-tree.ts'

/** The expected rewrite, made the simple way from the tables only: from tree to tree, line by line. */
export function naiveRewrite(shape: Shape, direction: Direction, tree: Tree, context: RewriteContext): Tree {
  return rewriteObject(shape, direction, tree, { context, index: 0, count: 0 })
}

interface Place {
  readonly context: RewriteContext
  readonly index: number
  readonly count: number
}

function rewriteObject(shape: Shape, direction: Direction, tree: Tree, place: Place): Tree {
  if (tree.kind !== 'object') return tree
  const out = new Map<string, Tree>()
  const lines = Object.entries(shape.rules).map(([legacy, rule]) => {
    const v1 = rule.kind === 'field' ? (rule.v1 ?? legacy) : undefined
    return direction === 'toLegacy' ? { rule, source: v1, target: legacy } : { rule, source: legacy, target: v1 }
  })
  for (const { rule, source, target } of lines) {
    if (target === undefined) continue
    const value = source === undefined ? added(rule, direction, tree, place) : at(tree, source.split('.'))
    if (value !== undefined) put(out, target.split('.'), rewriteValue(rule, direction, value, place))
  }
  const mapped = lines.flatMap(({ source }) => (source === undefined ? [] : [source]))
  const dropped = direction === 'toLegacy' ? Object.keys(shape.v1Only) : []
  // A name of the target belongs to the table, even when the table has no value for it.
  const taken = new Set(lines.map(({ target }) => target?.split('.')[0]))
  const left = shape.closed ? [] : [...leftOf(tree, mapped, dropped)].filter(([name]) => !taken.has(name))
  return objectOf([...out, ...left])
}

function rewriteValue(rule: Rule, direction: Direction, value: Tree, place: Place): Tree {
  if (rule.kind === 'lost') return value
  if (rule.value.kind === 'converted') return converted(rule.value.by, direction, value)
  if (rule.value.kind === 'object') return rewriteObject(rule.value.shape, direction, value, place)
  if (rule.value.kind === 'as-is' || value.kind !== 'array') return value
  const { shape } = rule.value
  const count = value.items.length
  return arrayOf(value.items.map((item, index) => rewriteObject(shape, direction, item, { ...place, index, count })))
}

/** The value at a path; null when an object on the path is null, undefined when it is missing. */
function at(tree: Tree, path: readonly string[]): Tree | undefined {
  const [name, ...rest] = path
  if (name === undefined) return tree
  if (isNull(tree)) return tree
  const member = tree.kind === 'object' ? tree.members.get(name) : undefined
  return member === undefined ? undefined : at(member, rest)
}

function put(out: Map<string, Tree>, path: readonly string[], value: Tree): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    out.set(name, value)
    return
  }
  const existing = out.get(name)
  const inner = new Map(existing?.kind === 'object' ? existing.members : [])
  put(inner, rest, value)
  out.set(name, objectOf(inner))
}

/**
 * The members of an object that no path leads to. An object whose members were lifted is omitted when it is empty; one
 * that lost only v1's own members stays, even if empty.
 */
function leftOf(
  tree: Tree & { readonly kind: 'object' },
  known: readonly string[],
  gone: readonly string[],
): ReadonlyMap<string, Tree> {
  const left = new Map<string, Tree>()
  for (const [name, value] of tree.members) {
    const beneath = (paths: readonly string[]): readonly string[] =>
      paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    const isTakenApart = beneath(known).length > 0
    if (known.includes(name) || gone.includes(name)) continue
    if (value.kind === 'object') {
      const rest = leftOf(value, beneath(known), beneath(gone))
      if (rest.size > 0 || !isTakenApart) left.set(name, objectOf(rest))
    } else if (!isTakenApart || !isNull(value)) left.set(name, value)
  }
  return left
}

function added(
  rule: Rule,
  direction: Direction,
  tree: Tree & { readonly kind: 'object' },
  place: Place,
): Tree | undefined {
  if (direction === 'toV1') return undefined
  return rule.kind === 'context' ? fromContext(rule, tree, place) : leaf('null')
}

function fromContext(
  rule: Rule & { readonly kind: 'context' },
  tree: Tree & { readonly kind: 'object' },
  place: Place,
): Tree {
  const { source } = rule
  const { context, index, count } = place
  let found: Uint8Array | undefined
  if (source.from === 'request-row') found = context.requestRow?.(source.list, source.take, index, count)
  else {
    const sibling = tree.members.get(source.sibling)
    const isText = sibling?.kind === 'leaf' && sibling.text.startsWith('"')
    if (isText) found = context.reference?.(source.list, source.match, JSON.parse(sibling.text) as string, source.take)
  }
  return leaf(found === undefined ? 'null' : Buffer.from(found).toString())
}

const SECONDS = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)'
const V1_TIME = new RegExp(`^"(${SECONDS})(?:\\.\\d+)?Z"$`)
const LEGACY_TIME = new RegExp(`^"(${SECONDS})\\+00:00"$`)

function converted(by: Converter, direction: Direction, value: Tree): Tree {
  if (value.kind !== 'leaf') return value
  if (by === timestampConverter) {
    return leaf(
      direction === 'toLegacy'
        ? value.text.replace(V1_TIME, '"$1+00:00"')
        : value.text.replace(LEGACY_TIME, '"$1.000Z"'),
    )
  }
  if (by.legacy?.values !== undefined) return leaf(renamed(by, direction, value.text))
  if (by.legacy?.format === 'decimal') return leaf(inOtherUnits(scaleOf(by), direction, value.text))
  throw new Error(`the tests have no second way to do this conversion: ${by.says}`)
}

/** Every value of an enum is a sample. */
function renamed({ samples }: Converter, direction: Direction, text: string): string {
  const [own, other] = direction === 'toLegacy' ? (['v1', 'legacy'] as const) : (['legacy', 'v1'] as const)
  const decoded: unknown = JSON.parse(text)
  return samples.find((sample) => JSON.parse(sample[own]) === decoded)?.[other] ?? text
}

const scaleOf = ({ samples: [{ legacy }] }: Converter): number => legacy.length - legacy.indexOf('.') - 1

/** Computed with whole numbers; the implementation moves the point in a text. */
function inOtherUnits(scale: number, direction: Direction, text: string): string {
  const isText = text.startsWith('"')
  const parts = /^"?(-?)(0|[1-9]\d*)(\.\d+)?(?:[eE]([+-]?\d+))?"?$/.exec(text)
  if (parts === null || text === 'null') return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const moved = direction === 'toLegacy' ? -scale : scale
  const written =
    Math.abs(Number(exponent)) > 30
      ? `${sign}${whole}${fraction}e${Number(exponent) + moved}`
      : decimal(sign, BigInt(whole + fraction.slice(1)), Number(exponent) + moved - fraction.slice(1).length, moved)
  return isText ? `"${written}"` : written
}

/** `units` times 10 to the power `power`; in legacy (`moved` is negative) with at least that many decimals. */
function decimal(sign: string, units: bigint, power: number, moved: number): string {
  if (units === 0n) return moved < 0 ? `0.${'0'.repeat(-moved)}` : '0'
  const least = Math.max(-moved, 0)
  let [digits, behind] = power < 0 ? [units, -power] : [units * 10n ** BigInt(power), 0]
  while (behind > least && digits % 10n === 0n) [digits, behind] = [digits / 10n, behind - 1]
  while (behind < least) [digits, behind] = [digits * 10n, behind + 1]
  const text = String(digits).padStart(behind + 1, '0')
  const at = text.length - behind
  return `${sign}${text.slice(0, at)}${behind === 0 ? '' : `.${text.slice(at)}`}`
}
