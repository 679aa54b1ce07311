import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../conversions.ts'
import { type Converter, timestampConverter } from '../converter.ts'
import { positiveId, type Reader, text } from '../reader.ts'
import type { Parameter } from '../request.ts'
import type { Basis, ContextRule, FieldRule, Rule, Shape } from '../shape.ts'

/** Writes a text as a literal of TypeScript. */
export const quoted = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Writes a name of a member as a key of TypeScript. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

const call = (name: string, ...parts: readonly (string | undefined)[]): string =>
  `${name}(${parts.filter((part) => part !== undefined).join(', ')})`

const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : quoted(value))

/** Marks a line by its basis: what the operators found is an assumption of the mapping, until the contract says it. */
const because = (basis: Basis, line: string): string => {
  const reason = basis.kind === 'assumed' ? basis.reason : basis.kind === 'corrected' ? basis.why : undefined
  return reason === undefined ? line : call('assumed', quoted(reason), line)
}

/** Writes a rule as the constructor call of a mapping file that makes it. */
export function sourceOfRule(rule: Rule): string {
  if (rule.kind === 'lost') return because(rule.basis, call('lost', quoted(rule.reason), optional(rule.type)))
  return because(rule.basis, rule.kind === 'field' ? sourceOfField(rule) : sourceOfContext(rule))
}

function sourceOfField(rule: FieldRule): string {
  const { promised, nullable, givenByService, absent, anchor } = rule
  let line = valueSource(rule)
  if (promised !== undefined) line = call('promised', quoted(promised), line)
  // ifAbsent('null', …) says it too.
  if (nullable && absent !== 'null') line = call('orNull', line)
  if (givenByService !== undefined) line = call('givenByService', quoted(givenByService), line)
  if (absent !== undefined) line = call('ifAbsent', quoted(absent), line)
  return anchor === undefined ? line : call('inRow', line, anchor === 0 ? undefined : String(anchor))
}

function valueSource({ value, v1, type }: FieldRule): string {
  const path = optional(v1)
  switch (value.kind) {
    case 'as-is':
      return path === undefined ? call('same', optional(type)) : call('from', path, optional(type))
    case 'converted':
      return sourceOfConverted(value.by, path)
    case 'object':
    case 'list':
      return call(value.kind, sourceOfShape(value.shape), path)
  }
}

const CONVERTERS: readonly (readonly [Converter, string])[] = [
  ...([
    [asString, 'asString'],
    [asNumber, 'asNumber'],
    [asBit, 'asBit'],
    [asDate, 'asDate'],
  ] as const),
  ...([
    [asEpoch, 'asEpoch'],
    [upper, 'upper'],
    [lower, 'lower'],
  ] as const),
]

function sourceOfConverted(by: Converter, path: string | undefined): string {
  if (by === timestampConverter) return call('timestamp', path)
  const [, name] = CONVERTERS.find(([converter]) => converter === by) ?? []
  if (name !== undefined) return call('converted', name, path)
  const scale = scaleOf(by)
  return scale === undefined ? call('enumOf', valuesOf(by), path) : call('decimal', String(scale), path)
}

const scaleOf = ({ legacy, samples: [first] }: Converter): number | undefined =>
  legacy?.format === 'decimal' ? first.legacy.length - first.legacy.indexOf('.') - 1 : undefined

/** Writes the values of an enum. */
function valuesOf({ samples, merged = [], shared = [] }: Converter): string {
  const pairs = [...samples, ...merged, ...shared].map(
    ({ legacy, v1 }) => [JSON.parse(legacy), JSON.parse(v1)] as const,
  )
  const isText = pairs.every((pair) => pair.every((value) => typeof value === 'string'))
  const isNamedOnce = new Set(pairs.map(([legacy]) => legacy)).size === pairs.length
  if (!isText || !isNamedOnce) return `[${pairs.map((pair) => `[${pair.map(literal).join(', ')}]`).join(', ')}]`
  return `{ ${pairs.map(([legacy, v1]) => `${keyOf(String(legacy))}: ${literal(v1)}`).join(', ')} }`
}

const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

function sourceOfContext({ source, value, type }: ContextRule): string {
  switch (source.from) {
    case 'join':
      return `joined([${source.parts.map(sourceOfPart).join(', ')}])`
    case 'constant':
      return call('constant', literal(JSON.parse(source.json)))
    case 'request-row':
      return call('fromRequestRow', quoted(source.list), quoted(source.take), optional(type))
    case 'reference': {
      const { list, match, sibling, take } = source
      const members = Object.entries({ list, match, sibling, take }).map(([name, text]) => `${name}: ${quoted(text)}`)
      const as =
        value.kind === 'converted' && value.by === timestampConverter ? '{ converted: timestampConverter }' : type
      return call('fromReference', `{ ${members.join(', ')} }`, as === type ? type && `{ type: ${quoted(type)} }` : as)
    }
  }
}

const sourceOfPart = (part: { readonly text: string } | { readonly path: string; readonly anchor?: number }): string =>
  'text' in part
    ? `{ text: ${quoted(part.text)} }`
    : `{ path: ${quoted(part.path)}${part.anchor === undefined ? '' : `, anchor: ${part.anchor}`} }`

/** Writes a shape as its constructor call, in one line. */
function sourceOfShape({ name, rules, closed, v1Only }: Shape): string {
  const lines = Object.entries(rules).map(([member, rule]) => `${keyOf(member)}: ${sourceOfRule(rule)}`)
  const left = Object.entries(v1Only).map(([member, why]) => `${keyOf(member)}: ${quoted(why)}`)
  const options = [...(closed ? ['closed: true'] : []), ...(left.length > 0 ? [`v1Only: { ${left.join(', ')} }`] : [])]
  return call('shape', quoted(name), objectOf(lines), options.length === 0 ? undefined : objectOf(options))
}

const objectOf = (members: readonly string[]): string => (members.length === 0 ? '{}' : `{ ${members.join(', ')} }`)

/** Writes a parameter as the constructor call of a mapping file that makes it. */
export function sourceOfParameter({
  in: place,
  v1,
  reader,
  retired,
  widened,
  givenByService,
  basis,
}: Parameter): string {
  let line = call(place === 'path' ? 'segment' : 'query', sourceOfReader(reader), optional(v1))
  if (retired !== undefined)
    line = call('retired', `[${retired.values.map(quoted).join(', ')}]`, quoted(retired.reason), line)
  if (widened !== undefined) {
    const { reason, member, language } = widened
    const where = `{ in: ${quoted(member)}${language === undefined ? '' : `, language: ${quoted(language)}`} }`
    line = call('widened', quoted(reason), where, line)
  }
  if (givenByService !== undefined) line = call('givenByService', quoted(givenByService), line)
  return because(basis, line)
}

function sourceOfReader(reader: Reader): string {
  const { accepts, renamed, by, zone } = reader
  if (reader === text) return 'text'
  if (reader === positiveId) return 'positiveId'
  if (by !== undefined) return call('convertedBy', sourceOfConverter(by))
  if (renamed !== undefined) {
    const names = (accepts.values ?? []).filter((value) => !Object.hasOwn(renamed, value))
    const others = Object.entries(renamed).map(([legacy, v1]) => `${keyOf(legacy)}: ${quoted(v1)}`)
    return call('oneOf', `[${names.map(quoted).join(', ')}]`, others.length === 0 ? undefined : objectOf(others))
  }
  if (accepts.low !== undefined) return call('integer', String(accepts.low), String(accepts.high))
  if (accepts.type === 'date') return call('calendarDate', zone === undefined ? undefined : `{ zone: ${quoted(zone)} }`)
  return accepts.type === undefined ? 'text' : call('written', quoted(accepts.type))
}

function sourceOfConverter(by: Converter): string {
  if (by === timestampConverter) return 'timestampConverter'
  const [, name] = CONVERTERS.find(([converter]) => converter === by) ?? []
  if (name !== undefined) return name
  const scale = scaleOf(by)
  return scale === undefined ? call('enumConverter', valuesOf(by)) : call('decimalConverter', String(scale))
}
