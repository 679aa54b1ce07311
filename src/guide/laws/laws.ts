import { counted, listedUpTo } from '../../common/figures.ts'
import { oncePer } from '../../mapping/once-per.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Side } from '../examples/samples.ts'
import { type LawPart, lawParts } from './law-parts.ts'
import { seeded } from './law-values.ts'
import { compareWay, type SeenLoss, type UndeclaredLoss, type Way } from './there-and-back.ts'

/** A mapping's result for one law: what is translated there and back is the same, but for what the mapping declares as lost. */
export interface LawResult {
  readonly law: (typeof LAWS)[number]['law']
  /** How many made-up values went there and back. */
  readonly values: number
  /** The declared losses that they have shown. */
  readonly losses: readonly SeenLoss[]
  /** What was lost although nothing declares it; empty: the law holds. */
  readonly broken: readonly UndeclaredLoss[]
  /** The result in words. */
  readonly says: string
}

const LAWS = [
  { law: 'legacy → v1 → legacy', from: 'legacy', to: 'v1' },
  { law: 'v1 → legacy → v1', from: 'v1', to: 'legacy' },
] as const

/** How many values of each part are tried. */
const VALUES = 100

/**
 * Tries both laws of a mapping with values made up from its shapes and parameters, always the same for the same mapping. Empty if the
 * mapping translates nothing.
 */
export const lawsOf = oncePer((operation: Operation): readonly LawResult[] => {
  const parts = lawParts(operation)
  return parts.length === 0 ? [] : LAWS.map(({ law, from, to }) => resultOf(law, ways(operation.id, parts, from, to)))
})

function ways(id: string, parts: readonly LawPart[], from: Side, to: Side): readonly Way[] {
  return parts.flatMap((part, index) => {
    const random = seeded(`${id} ${index} ${from}`)
    return Array.from({ length: VALUES }, () => wayOf(part, from, to, () => part.make(from, random)))
  })
}

function wayOf({ part, at, declared, translate }: LawPart, from: Side, to: Side, make: () => unknown): Way {
  try {
    const before = make()
    const after = translate(to, translate(from, before))
    return compareWay(before, after, { part, side: from, at: at[from], declared })
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return { losses: [], broken: [{ part, path: at[from], says }] }
  }
}

function resultOf(law: LawResult['law'], ways: readonly Way[]): LawResult {
  const losses = firstOfEach(
    ways.flatMap((way) => way.losses),
    ({ part, path, why }) => `${part} ${path} ${why}`,
  ).toSorted(byPlace)
  const broken = firstOfEach(
    ways.flatMap((way) => way.broken),
    placeInWords,
  )
  return { law, values: ways.length, losses, broken, says: inWords(ways.length, losses, broken) }
}

const firstOfEach = <Found>(found: readonly Found[], keyOf: (one: Found) => string): readonly Found[] =>
  Array.from(Map.groupBy(found, keyOf).values(), ([first]) => first as Found)

/** The request comes first. */
const byPlace = (one: SeenLoss, other: SeenLoss): number =>
  other.part.localeCompare(one.part) || one.path.localeCompare(other.path)

const placeInWords = ({ part, path }: { readonly part: string; readonly path: string }): string =>
  `${part} ${path}`.trim()

function inWords(values: number, losses: readonly SeenLoss[], broken: readonly UndeclaredLoss[]): string {
  if (broken.length > 0) return `not: ${named(broken.map((place) => `${placeInWords(place)}: ${place.says}`))}`
  const holds = `holds for ${counted(values, 'made-up value')}`
  if (losses.length === 0) return holds
  const byReason = Map.groupBy(losses, ({ part, why }) => `${part} ${why}`)
  const reasons = Array.from(byReason.values(), (same) => {
    const [{ part, why } = { part: '', why: '' }] = same
    const paths = named(same.flatMap(({ path }) => (path === '' ? [] : [path])))
    return `${part}${paths === '' ? '' : ` ${paths}`} (${why})`
  })
  return `${holds}, but for the declared losses: ${reasons.join('; ')}`
}

/** The most places that are named; the others are counted. */
const MOST_NAMES = 5

const named = (places: readonly string[]): string => listedUpTo(MOST_NAMES, places)
