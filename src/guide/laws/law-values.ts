import { type Converter, convert, type Type } from '../../mapping/converter.ts'
import type { Parameter } from '../../mapping/request.ts'
import type { Rule } from '../../mapping/shape.ts'
import type { Filling, Side } from '../examples/samples.ts'

/** Returns numbers from 0 to below 1, always the same for a seed. */
export type Random = () => number

/** Makes random numbers (mulberry32) that follow from a text. */
export function seeded(seed: string): Random {
  let state = 0
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    const result = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
    return ((result ^ (result >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The name of members that no line lists. */
export const UNLISTED = 'memberThatNoLineLists'

/** Generates values of the types of a shape, rows, and members that its lines do not list. */
export const fillingOf = (random: Random): Filling => ({
  scalar: (_, rule, side) => scalarOf(rule, side, random),
  rows: (row) => Array.from({ length: upTo(2, random) }, row),
  others: ({ v1Only }, side) => [
    [UNLISTED, anyOf(random)],
    ...(side === 'v1' ? Object.keys(v1Only).map((path) => [path, anyOf(random)] as const) : []),
  ],
})

function scalarOf(rule: Rule, side: Side, random: Random): unknown {
  if (rule.kind !== 'lost' && rule.value.kind === 'converted') return convertedOf(rule.value.by, side, random)
  return ofType(rule.type, random)
}

/** Generates a value that the reader of a parameter accepts, or that v1 removed. */
export function parameterOf({ reader, retired }: Parameter, random: Random): unknown {
  if (retired !== undefined && random() < 0.25) return pick(retired.values, random)
  const {
    accepts: { type, low, high, values },
    by,
  } = reader
  if (by !== undefined) return convertedOf(by, 'legacy', random)
  if (values !== undefined) return random() < 0.25 ? textOf(random) : pick(values, random)
  if (low !== undefined) return low + upTo(Math.min((high ?? low + MOST) - low, MOST), random)
  if (type === 'date') return pick([dateOf(random), timestampOf(random, '+00:00')], random)
  return ofType(type ?? 'string', random)
}

const MOST = 100_000
const upTo = (most: number, random: Random): number => Math.floor(random() * (most + 1))
const pick = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value

const TEXTS = ['A', 'Straße 7', 'İstanbul', 'a "b" \\ c\n', '{"x":[1]}', '0', 'true', 'null', '漢字', 'a.b', ' ']

const textOf = (random: Random): string => `${pick(TEXTS, random)}${upTo(MOST, random)}`
const numberOf = (random: Random): number => pick([0, 0.5, -1.25, upTo(MOST, random), upTo(MOST, random) / 100], random)

const secondsOf = (random: Random): string =>
  new Date(Math.floor(random() * 2 ** 31) * 1000).toISOString().slice(0, '2025-01-31T10:24:19'.length)
const timestampOf = (random: Random, end: string): string => `${secondsOf(random)}${end}`
const dateOf = (random: Random): string => secondsOf(random).slice(0, '2025-01-31'.length)

const anyOf = (random: Random): unknown =>
  pick([textOf(random), numberOf(random), true, null, [textOf(random)], { [UNLISTED]: numberOf(random) }], random)

function ofType(type: Type | undefined, random: Random): unknown {
  switch (type) {
    case undefined:
      return anyOf(random)
    case 'int':
      return pick([0, -1, 2 ** 53 - 1, upTo(MOST, random)], random)
    case 'number':
      return numberOf(random)
    case 'bool':
      return random() < 0.5
    case 'string':
      return textOf(random)
    case 'timestamp':
      return timestampOf(random, '+00:00')
    case 'object':
      return { [UNLISTED]: anyOf(random) }
    case 'array':
      return Array.from({ length: upTo(3, random) }, () => anyOf(random))
    case 'array of string':
      return Array.from({ length: upTo(3, random) }, () => textOf(random))
  }
}

/**
 * Generates a value for a converter: one of its samples, another of the same kind, or, if it cannot be undone, one that it makes of
 * v1's. A value that the other side uses as a name of something else is not among them.
 */
function convertedOf(by: Converter, side: Side, random: Random): unknown {
  if (side === 'legacy' && by.oneWay === true) {
    const v1 = JSON.stringify(convertedOf(by, 'v1', random))
    return JSON.parse(convert(by.toLegacy, v1) ?? v1)
  }
  const { samples, merged = [], shared = [] } = by
  const named = [...samples, ...(side === 'legacy' ? merged : shared)].map((sample) => sample[side])
  const sample = JSON.parse(pick(named, random))
  if (random() < 0.5) return sample
  const other = likeSample(sample, by, side, random)
  const elsewhere = [...samples, ...merged, ...shared].map((one) => one[side === 'legacy' ? 'v1' : 'legacy'])
  return elsewhere.includes(JSON.stringify(other)) ? sample : other
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

function likeSample(sample: unknown, by: Converter, side: Side, random: Random): unknown {
  if (typeof sample === 'number') return Number.isInteger(sample) ? upTo(MOST, random) : numberOf(random)
  if (typeof sample !== 'string') return sample
  if (TIMESTAMP.test(sample))
    return timestampOf(random, side === 'legacy' ? '+00:00' : `.${pick(['000', '123', '999'], random)}Z`)
  return by.legacy?.type === 'number' && Number.isFinite(Number(sample)) ? String(upTo(MOST, random)) : textOf(random)
}
