import { createHash } from 'node:crypto'
import { problemsOf } from './json-schema.ts'
import { type OpenapiDocument, operationAt, responseOf } from './openapi-document.ts'
import type { Answer, WrittenRequest } from './send-request.ts'

/** Headers of HTTP itself, and of the coding of a body. */
const GENERAL = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]
const ERROR_MEMBERS = ['message', 'violations', 'params']
/** The members of v1's envelope. Legacy shapes have none of them at their root. */
const ENVELOPE = ['success', 'items', 'meta', 'code', 'errors']

/** Longer answers, in characters, are whole lists and checked once each. */
const LONG = 5_000
const checked = new Set<string>()

/** Returns where an answer is not as a legacy client may expect it, one problem a line. */
export function checkAnswer(
  document: OpenapiDocument,
  { method, path }: WrittenRequest,
  answer: Answer,
): readonly string[] {
  const { status, headers, text } = answer
  const described = operationAt(document, method, path)
  const problems: string[] = []
  const check = (holds: boolean, otherwise: string): void => {
    if (!holds) problems.push(otherwise)
  }
  check(status < 500, `${status}, and nothing behind has failed`)
  for (const name of ['x-request-id', 'deprecation']) check(headers[name] !== undefined, `no ${name}`)
  check(headers['x-gateway-error'] === undefined, `x-gateway-error: ${headers['x-gateway-error']}`)

  const key = `${method} ${path} ${status} ${createHash('sha256').update(text).digest('base64')}`
  if (text.length > LONG && checked.has(key)) return problems
  checked.add(key)
  const body = bodyOf(text)
  if (body === 'not JSON') return [...problems, 'the body is not JSON']
  if (status >= 400) problems.push(...errorProblems(status, body))
  for (const name of ENVELOPE) check(!hasMember(body, name), `${name} of v1's envelope`)
  if (described === undefined) return problems

  const response = responseOf(described, status, document)
  if (response === undefined) return [...problems, `${status} is not described`]
  // The legacy service may answer passed-on calls with further statuses of its own.
  if (described.responses[status] === undefined) return problems
  const schema = response.content?.['application/json'].schema
  if (text !== '') problems.push(...(schema === undefined ? ['a body'] : problemsOf(body, schema, document)))
  check(text === '' || headers['content-type']?.startsWith('application/json') === true, 'another content type')
  check((text === '') === (schema === undefined), `a body of ${text.length} characters`)
  const names = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of Object.keys(headers))
    check([...names, ...GENERAL].includes(name), `the header ${name} is not described`)
  for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
    const isRequired = document.components.headers[$ref.split('/').at(-1) ?? '']?.required === true
    check(!isRequired || headers[name.toLowerCase()] !== undefined, `no ${name}`)
  }
  return problems
}

function bodyOf(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return 'not JSON'
  }
}

const hasMember = (body: unknown, name: string): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.hasOwn(body, name)

/** Errors have `message`, v1's `params`, and `violations` if a validation failed (docs/decisions/0011). */
function errorProblems(status: number, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return ['an error without a body']
  const { message, violations } = body as { readonly message?: unknown; readonly violations?: unknown }
  const others = Object.keys(body).filter((name) => !ERROR_MEMBERS.includes(name))
  return [
    ...(typeof message === 'string' && message.trim() !== '' ? [] : ['no message']),
    ...(others.length === 0 ? [] : [`an error with ${others.join(', ')}`]),
    ...(violations === undefined || (status === 400 && areViolations(violations))
      ? []
      : ['violations of another shape']),
  ]
}

const areViolations = (violations: unknown): boolean =>
  Array.isArray(violations) &&
  violations.every(
    (one: Readonly<Record<string, unknown>>) =>
      typeof one.propertyPath === 'string' && typeof one.message === 'string' && Object.keys(one).length === 2,
  )
