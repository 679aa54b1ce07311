import type { Operation } from '../../mapping/operation.ts'

/**
 * Finds what no constructor made: a text, a number or a function in place of one, or nothing. Node.js does not check types, so a mapping can
 * hold anything. Each line names the mapping's file and the member. The other checks need a mapping that has no such mistake.
 */
export function checkForm(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap((operation: unknown, index) => {
    if (!isObject(operation) || typeof operation.id !== 'string')
      return [`mappings/index.ts: entry ${index + 1} is ${described(operation)}; it must be operation('an-id', { … })`]
    return problemsOf(operation).map((problem) => `mappings/${String(operation.id)}: ${problem}`)
  })
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const REQUESTS = ['body', 'body-parameters', 'query-parameters', 'pass-through']
const RESPONSES = ['record', 'list', 'whole-list', 'page', 'no-content', 'pass-through']
const RULES = ['field', 'lost', 'context']
const VALUES = ['as-is', 'converted', 'object', 'list']

function problemsOf({ says, legacy, v1, request, response, effect, authorization }: Members): readonly string[] {
  return [
    ...(typeof says === 'string' ? [] : [`says: ${described(says)}; write a sentence in quotes`]),
    ...route('legacy', legacy),
    ...(v1 === undefined ? [] : route('v1', v1)),
    ...(hasKind(request, REQUESTS)
      ? inRequest(request)
      : [`request: ${described(request)}; write body(…), bodyParameters({ … }) or queryParameters({ … })`]),
    ...(hasKind(response, RESPONSES)
      ? inResponse(response)
      : [`response: ${described(response)}; write record(…), bareList(…), wholeList(…), page({ … }) or noContent(…)`]),
    ...(effect === undefined
      ? ["effect: is missing; write 'read', 'calculation' or 'write'; when in doubt, 'write'"]
      : []),
    ...(authorization === 'token' || authorization === 'none'
      ? []
      : [`authorization: ${described(authorization)}; write 'token' or 'none'`]),
  ]
}

const hasKind = (value: unknown, kinds: readonly string[]): value is Members =>
  isObject(value) && kinds.includes(String(value.kind))

const route = (side: string, value: unknown): readonly string[] =>
  isObject(value) && typeof value.method === 'string' && typeof value.path === 'string'
    ? []
    : [`${side}: ${described(value)}; write get('/path') or post('/path')`]

function inRequest({ shape, parameters }: Members): readonly string[] {
  if (!isObject(parameters)) return shape === undefined && parameters === undefined ? [] : inShape('request', shape)
  return Object.entries(parameters).flatMap(([name, parameter]) =>
    isObject(parameter) && typeof parameter.in === 'string' && isObject(parameter.reader)
      ? []
      : [`request, ${name}: ${described(parameter)}; write query(…) or segment(…)`],
  )
}

function inResponse({ kind, shape, rows, meta, answers }: Members): readonly string[] {
  if (kind === 'page') {
    return [rows, meta].flatMap((part) => inShape('response', isObject(part) ? part.shape : part))
  }
  if (kind === 'no-content') return []
  if (kind === 'pass-through') return answers === undefined ? [] : inShape('response', answers)
  return inShape('response', shape)
}

function inShape(field: string, shape: unknown, around: ReadonlySet<unknown> = new Set()): readonly string[] {
  if (!isObject(shape) || typeof shape.name !== 'string' || !isObject(shape.rules))
    return [
      `${field}: ${shape === undefined ? 'the shape is missing' : `${described(shape)} in place of a shape`}; write shape('Name', { … })`,
    ]
  if (around.has(shape)) return []
  const inside = new Set([...around, shape])
  return Object.entries(shape.rules).flatMap(([member, rule]) => {
    const at = `${field}: ${shape.name}, ${member}`
    if (!hasKind(rule, RULES)) return [`${at}: ${described(rule)}; ${remedyOf(rule)}`]
    if (rule.kind === 'lost') return []
    const { value } = rule
    if (!hasKind(value, VALUES)) return [`${at}: ${described(value)}; ${remedyOf(value)}`]
    if (value.kind === 'object' || value.kind === 'list') return inShape(at, value.shape, inside)
    const { v1, source } = rule
    if (isObject(source) && source.from === 'join' && !areParts(source.parts))
      return [`${at}: joined(…) takes a list of { path: '…' } and { text: '…' }`]
    if (rule.kind === 'field' && v1 !== undefined && typeof v1 !== 'string')
      return [`${at}: ${described(v1)} in place of the path in v1; write a text`]
    return []
  })
}

const areParts = (parts: unknown): boolean =>
  Array.isArray(parts) &&
  parts.every((part) => isObject(part) && (typeof part.text === 'string' || typeof part.path === 'string'))

function remedyOf(rule: unknown): string {
  if (typeof rule === 'string') return `write from(${JSON.stringify(rule)}) for a member that has this name in v1`
  if (typeof rule === 'function') return `call it: ${rule.name === '' ? 'same' : rule.name}(…)`
  return 'write a constructor such as same(), from(…) or timestamp()'
}

function described(value: unknown): string {
  if (value === undefined) return 'is missing'
  if (typeof value === 'string') return `the text ${JSON.stringify(value)} is no constructor`
  if (typeof value === 'function') return `the function ${value.name} itself is no constructor's result`
  if (Array.isArray(value)) return 'a list is no constructor'
  if (typeof value === 'object' && value !== null) return 'an object that no constructor made'
  return `${String(value)} is no constructor`
}
