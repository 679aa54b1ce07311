import { z } from 'zod'

/** How legacy writes a value of v1 otherwise. At most one member is there. */
export interface Conversion {
  readonly as?: Form | undefined
  /** v1 has whole minor units of a decimal with so many places. */
  readonly scale?: number | undefined
  /** Pairs of names, legacy's first. */
  readonly names?: readonly (readonly [legacy: Scalar, v1: Scalar])[] | undefined
}

export type Scalar = string | number | boolean
export type Form = z.output<typeof form>

const form = z.enum(['string', 'number', '0/1', 'timestamp', 'date', 'epoch', 'upper', 'lower'])
const scalar = z.union([z.string(), z.number(), z.boolean()])

/** The members of a line that state a conversion. */
export const conversionMembers = {
  as: form.optional(),
  scale: z.int().min(1).max(9).optional(),
  enum: z
    .union(
      [
        z.record(z.string(), z.string()).transform((names): [Scalar, Scalar][] => Object.entries(names)),
        z.array(z.tuple([scalar, scalar])),
      ],
      'must be names, as {"open": "ACTIVE"}, or pairs, as [[1, "ACTIVE"]]; legacy comes first',
    )
    .refine((names) => names.length > 0, 'must have at least one name')
    .refine(
      (names) => isUnique(names.map(([legacy]) => legacy)) && isUnique(names.map(([, v1]) => v1)),
      'must have each name of legacy and of v1 once',
    )
    .optional(),
}

/** Says what is wrong with the members together; undefined: nothing. */
export const contradictionOf = (line: { as?: unknown; scale?: unknown; enum?: unknown }): string | undefined =>
  [line.as, line.scale, line.enum].filter((member) => member !== undefined).length > 1
    ? 'has more than one of as, scale and enum; keep one'
    : undefined

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

/** A timestamp of either interface (docs/contract.md 2.2). */
const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{3}Z|\+00:00)$/

/** Writes a timestamp in v1's form, to the second. Another value is returned unchanged. */
const v1Time = (value: unknown): unknown => (typeof value === 'string' ? value.replace(timestamp, '$1.000Z') : value)

/** Writes a timestamp in legacy's form. Another value is returned unchanged. */
export const legacyTime = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(timestamp, '$1+00:00') : value

/** Returns the value of legacy for one of v1. A value that the conversion does not concern passes unchanged. */
export function toLegacy({ as, scale, names }: Conversion, v1: unknown): unknown {
  if (names !== undefined) return names.find(([, name]) => name === v1)?.[0] ?? v1
  if (scale !== undefined) return typeof v1 === 'number' ? Number((v1 / 10 ** scale).toFixed(scale)) : v1
  switch (as) {
    case 'string':
      return typeof v1 === 'number' || typeof v1 === 'boolean' ? String(v1) : v1
    case 'number':
      return isNumeric(v1) ? Number(v1) : v1
    case '0/1':
      return typeof v1 === 'boolean' ? Number(v1) : v1
    case 'timestamp':
      return legacyTime(v1)
    case 'date':
      return isTime(v1) ? v1.slice(0, 'YYYY-MM-DD'.length) : v1
    case 'epoch':
      return isTime(v1) ? Math.floor(Date.parse(v1) / 1000) : v1
    case 'upper':
      return typeof v1 === 'string' ? v1.toUpperCase() : v1
    case 'lower':
      return typeof v1 === 'string' ? v1.toLowerCase() : v1
    default:
      return v1
  }
}

/**
 * Returns the value of v1 for one of the contract. Where it can, it returns one for which `toLegacy` returns the contract's again;
 * elsewhere legacy deviates too.
 */
export function toV1(conversion: Conversion, contract: unknown): unknown {
  const { as, scale, names } = conversion
  if (names !== undefined) return names.find(([legacy]) => legacy === contract)?.[1] ?? contract
  if (scale !== undefined) return typeof contract === 'number' ? Math.round(contract * 10 ** scale) : contract
  switch (as) {
    case 'string':
      if (contract === 'true' || contract === 'false') return contract === 'true'
      return isNumeric(contract) ? Number(contract) : contract
    case 'number':
      return typeof contract === 'number' ? String(contract) : contract
    case '0/1':
      return contract === 0 || contract === 1 ? contract === 1 : contract
    case 'timestamp':
    case 'date':
    case 'epoch':
      return v1Time(contract)
    case 'upper':
      return otherCase(conversion, contract, (text) => text.toLowerCase())
    case 'lower':
      return otherCase(conversion, contract, (text) => text.toUpperCase())
    default:
      return contract
  }
}

/** Whether it is a text of a number as JSON writes it: the number's text is this one again. */
const isNumeric = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) && String(Number(value)) === value

const isTime = (value: unknown): value is string => typeof value === 'string' && timestamp.test(value)

function otherCase(conversion: Conversion, contract: unknown, change: (text: string) => string): unknown {
  if (typeof contract !== 'string') return contract
  const changed = change(contract)
  return toLegacy(conversion, changed) === contract ? changed : contract
}

/** Makes up a value of v1 for a member that the contract does not have. The same seed makes the same value. */
export function makeUp({ as, scale, names }: Conversion, name: string, seed: string): unknown {
  const chance = hash(`${name} ${seed}`)
  if (names !== undefined) return names[chance % names.length]?.[1]
  if (scale !== undefined) return chance % 1_000_000
  const text = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${chance % 100_000}`
  switch (as) {
    case 'string':
      return chance % 100_000
    case 'number':
      return String(chance % 100_000)
    case '0/1':
      return chance % 2 === 1
    case 'timestamp':
    case 'date':
    case 'epoch':
      return new Date(Date.UTC(2025, 0, 1) + (chance % 31_536_000) * 1000).toISOString()
    default:
      return text
  }
}

/** Whether v1 has no value here, of a member that it may lack: in about one of three places. */
export const isAbsent = (seed: string): boolean => hash(seed) % 3 === 0

/** FNV-1a, to 32 bits. */
function hash(text: string): number {
  let hashed = 2_166_136_261
  for (const unit of Buffer.from(text)) hashed = Math.imul(hashed ^ unit, 16_777_619) >>> 0
  // The lowest bits of FNV alternate with the last character; the higher ones are well mixed.
  return (hashed ^ (hashed >>> 15)) >>> 0
}
