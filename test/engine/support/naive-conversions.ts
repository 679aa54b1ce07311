import type { Direction } from '../../../src/engine/rewrite/rewrite-plan.ts'
import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../../../src/mapping/conversions.ts'
import { type Converter, timestampConverter } from '../../../src/mapping/converter.ts'
import { leaf, type Tree } from './json-tree.ts'

const SECONDS = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)'
const V1_TIME = new RegExp(`^"(${SECONDS})(?:\\.\\d+)?Z"$`)
const LEGACY_TIME = new RegExp(`^"(${SECONDS})\\+00:00"$`)

/** The expected conversion of one value. */
export function naiveConverted(by: Converter, direction: Direction, value: Tree): Tree {
  if (value.kind !== 'leaf') return value
  if (by === timestampConverter) {
    return leaf(
      direction === 'toLegacy'
        ? value.text.replace(V1_TIME, '"$1+00:00"')
        : value.text.replace(LEGACY_TIME, '"$1.000Z"'),
    )
  }
  const simple = SIMPLE.get(by)
  if (simple !== undefined) return leaf(simple(value.text, direction === 'toLegacy') ?? value.text)
  if (by.says.endsWith('any other value passes unchanged')) return leaf(renamed(by, direction, value.text))
  if (by.legacy?.format === 'decimal') return leaf(inOtherUnits(scaleOf(by), direction, value.text))
  throw new Error(`the tests have no second way to do this conversion: ${by.says}`)
}

/** Every value of an enum is a sample. Texts are equal if their letters are, numbers if they are written alike. */
function renamed({ samples, merged = [] }: Converter, direction: Direction, text: string): string {
  const [own, other] = direction === 'toLegacy' ? (['v1', 'legacy'] as const) : (['legacy', 'v1'] as const)
  const read = (json: string): unknown => (json.startsWith('"') ? JSON.parse(json) : { json })
  const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another)
  return [...samples, ...merged].find((sample) => isSame(read(sample[own]), read(text)))?.[other] ?? text
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

type Simple = (text: string, isToLegacy: boolean) => string | undefined

const isNumber = (text: unknown): text is string => typeof text === 'string' && /^[-\d]/.test(text) && isJson(text)
const isJson = (text: string): boolean => {
  try {
    return text.trim() === text && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
const read = (text: string): unknown => (text === 'null' ? undefined : JSON.parse(text))
const seconds = (text: unknown): number | undefined => {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(String(text))
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, ...number[]]
  const date = new Date(Date.UTC(year, (month ?? 0) - 1, day, hour, minute, second))
  date.setUTCFullYear(year)
  const isSame = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ]
  if (isSame.join() !== [month, day, hour, minute, second].join()) return undefined
  const zone =
    parts[7] === 'Z'
      ? 0
      : Number(`${parts[7]?.[0]}1`) * (Number(parts[7]?.slice(1, 3)) * 60 + Number(parts[7]?.slice(4)))
  return date.getTime() / 1000 - zone * 60
}

/** A second way to do the conversions without parameters. Undefined: the value stays as it is. */
const SIMPLE: ReadonlyMap<Converter, Simple> = new Map<Converter, Simple>([
  [
    asString,
    (text, isToLegacy) => {
      const value = read(text)
      if (isToLegacy) return text === 'null' || typeof value === 'string' ? undefined : `"${text}"`
      return isNumber(value) || value === 'true' || value === 'false' ? (value as string) : undefined
    },
  ],
  [
    asNumber,
    (text, isToLegacy) => {
      if (!isToLegacy) return isNumber(text) ? `"${text}"` : undefined
      const value = read(text)
      return isNumber(value) ? value : undefined
    },
  ],
  [
    asBit,
    (text, isToLegacy) => {
      const pairs = [
        ['1', 'true'],
        ['0', 'false'],
      ] as const
      return isToLegacy ? pairs.find(([, v1]) => v1 === text)?.[0] : pairs.find(([legacy]) => legacy === text)?.[1]
    },
  ],
  [
    asDate,
    (text, isToLegacy) => {
      const at = text.includes('\\') ? undefined : seconds(read(text))
      return isToLegacy && at !== undefined ? `"${new Date(at * 1000).toISOString().slice(0, 10)}"` : undefined
    },
  ],
  [
    asEpoch,
    (text, isToLegacy) => {
      if (isToLegacy) {
        const at = text.includes('\\') || !text.startsWith('"') ? undefined : seconds(read(text))
        return at === undefined ? undefined : String(at)
      }
      const isWhole = /^(0|-?[1-9]\d*)$/.test(text) && Math.abs(Number(text)) < 1e12
      const year = isWhole ? new Date(Number(text) * 1000).getUTCFullYear() : -1
      return year >= 0 && year <= 9999 ? JSON.stringify(new Date(Number(text) * 1000)) : undefined
    },
  ],
  [upper, (text, isToLegacy) => inLetters(text, isToLegacy, (value) => value.toUpperCase())],
  [lower, (text, isToLegacy) => inLetters(text, isToLegacy, (value) => value.toLowerCase())],
])

function inLetters(text: string, isToLegacy: boolean, change: (text: string) => string): string | undefined {
  const value = read(text)
  return isToLegacy && typeof value === 'string' && change(value) !== value ? JSON.stringify(change(value)) : undefined
}
