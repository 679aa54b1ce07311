import { CREDENTIAL_NAMES, PERSONAL_NAMES } from '../../exchange/redact.ts'
import { type Converter, convert } from '../../mapping/converter.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Scalar } from '../../mapping/reader.ts'
import type { Shape } from '../../mapping/shape.ts'
import { scalarOf } from '../evidence/coverage/sent-request.ts'
import type { JsonValue } from '../evidence/diff/json-value.ts'
import { itemsPath } from '../evidence/diff/path.ts'

/**
 * What the gateway does with a value that its mapping does not read: `refused` with a 400, `not sent` to v1, `sent as written`, which
 * v1 judges; or that of a timestamp whose day another zone has, `sent as another day`.
 */
export const FATES = ['refused', 'not sent', 'sent as written', 'sent as another day'] as const
export type Fate = (typeof FATES)[number]

/** A form of values of a member, and what happens to them. */
export interface ValueForm {
  readonly member: string
  readonly fate: Fate
  /** Every digit is 9, every letter is a: `99.99.9999`. Says nothing for a member with personal data. */
  readonly form: string
}

/** Longer forms are cut. */
const LONGEST = 32
const NOT_SHOWN = '(form not shown)'
const NAMELESS: ReadonlySet<string> = new Set([...PERSONAL_NAMES, ...CREDENTIAL_NAMES])

/** Returns the form of a value, which contains none of its digits and letters. The T and the Z of a timestamp stay. */
export function formOf({ type, text }: Scalar): string {
  if (type === 'object' || type === 'array' || type === 'boolean' || type === 'null') return `(${type})`
  const characters = Array.from(text.slice(0, LONGEST * 4))
  const form = characters.slice(0, LONGEST).map(formOfCharacter).join('')
  const whole = form.replace(/(?<=9)a(?=9\d:|9\d9\d)/g, 'T').replace(/(?<=:99(?:\.9+)?)a$/, 'Z')
  return `${whole}${characters.length > LONGEST ? '…' : ''}${type === 'number' ? ' (number)' : ''}`
}

function formOfCharacter(character: string): string {
  if (/\p{N}/u.test(character)) return '9'
  if (/[\p{L}\p{M}]/u.test(character)) return 'a'
  return /[ -~]/.test(character) ? character : '?'
}

/** Returns the text under which the form of a value is counted; undefined if the mapping reads the value. */
export type MarkForm = (path: string, value: JsonValue) => string | undefined

/** Returns a function that finds values that the mapping of an operation does not read. `path` is that of a mapping line. */
export function formMarker({ request }: Operation): MarkForm {
  const parameters = parametersOf(request)
  const converters = request.kind === 'body' ? convertersOf(request.shape) : new Map<string, Converter>()
  const fateOf = (path: string, value: Scalar): Fate | undefined => {
    const by = converters.get(path)
    if (by !== undefined) return fateInBody(by, value)
    const reader = Object.hasOwn(parameters, path) ? parameters[path]?.reader : undefined
    if (reader === undefined) return undefined
    const reading = reader.read(value)
    if ('refuse' in reading) return 'refused'
    if ('leaveOut' in reading) return 'not sent'
    const isDay = reader.accepts.type === 'date' && reading.send !== dayIn(value.text)
    return isDay ? 'sent as another day' : undefined
  }
  return (path, value) => {
    const scalar = scalarOf(value)
    const fate = fateOf(path, scalar)
    if (fate === undefined) return undefined
    const isHidden = path.split(/[.[\]]+/).some((name) => NAMELESS.has(name))
    return markOf({ member: path, fate, form: isHidden ? NOT_SHOWN : formOf(scalar) })
  }
}

/** The day that a timestamp is written with. */
const dayIn = (text: string): string =>
  /^\d{8}/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}` : text.slice(0, 10)

function fateInBody({ toV1 }: Converter, { type, text }: Scalar): Fate | undefined {
  if (type === 'object' || type === 'array' || type === 'null') return undefined
  return convert(toV1, type === 'string' ? JSON.stringify(text) : text) === undefined ? 'sent as written' : undefined
}

/** Returns the converters of a shape and its inner shapes, by the legacy path of their mapping lines. */
function convertersOf({ rules }: Shape, around = ''): ReadonlyMap<string, Converter> {
  return new Map(
    Object.entries(rules).flatMap(([name, rule]): (readonly [string, Converter])[] => {
      if (rule.kind !== 'field') return []
      const path = around === '' ? name : `${around}.${name}`
      if (rule.value.kind === 'converted') return [[path, rule.value.by]]
      if (!('shape' in rule.value)) return []
      return [...convertersOf(rule.value.shape, rule.value.kind === 'list' ? itemsPath(path) : path)]
    }),
  )
}

/** Between the parts of a mark. */
const BETWEEN = ': '

const markOf = ({ member, fate, form }: ValueForm): string => `${member}${BETWEEN}${fate}${BETWEEN}${form}`

/** Reads a mark; undefined for `OTHER`, which stands for all forms beyond the limit. */
export function readMark(mark: string): ValueForm | undefined {
  const [member, fate, ...form] = mark.split(BETWEEN)
  const known = FATES.find((one) => one === fate)
  return member === undefined || known === undefined ? undefined : { member, fate: known, form: form.join(BETWEEN) }
}
