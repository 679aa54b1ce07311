import { readsBody } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { generalErrorLines, NOT_SERVED, ownErrorLines, REFUSED_BODIES, TOO_LARGE } from '../lines/explain-errors.ts'
import type { ExplainedLine } from '../lines/explained-line.ts'
import { jsonContent, type Schema } from './schema-book.ts'

/** Describes the error responses of an operation, by status, as references. */
export function referToErrors(operation: Operation): Schema {
  if (operation.v1 === undefined) {
    return Object.fromEntries([TOO_LARGE, ...NOT_SERVED].map(({ status }) => [status, referTo(status)]))
  }
  const general = generalErrorLines([operation])
  const own = ownErrorLines(operation)
  const refused = readsBody(operation.request) ? REFUSED_BODIES.map(({ status }) => String(status)) : []
  return Object.fromEntries(
    [...statusesOf(general), ...statusesOf(own), ...refused].map((status) => {
      const isOwn = own.some(({ legacy }) => legacy === status)
      return [
        status,
        { ...referTo(status), ...(isOwn ? { description: sayCauses(status, [...general, ...own]) } : {}) },
      ]
    }),
  )
}

const referTo = (status: string | number): Schema => ({ $ref: `#/components/responses/Error${status}` })

/** Describes all error responses, for `components.responses`. */
export function describeErrors(operations: readonly Operation[]): Schema {
  const general = generalErrorLines(operations)
  const own = operations.flatMap(ownErrorLines)
  return Object.fromEntries([
    ...[...statusesOf(own)].map((status) => describeError(status, sayCauses(status, own))),
    ...[...REFUSED_BODIES, ...NOT_SERVED].map(({ status, says }) => describeError(String(status), says)),
    ...[...statusesOf(general)].map((status) => describeError(status, sayAllCauses(status, general))),
  ])
}

/** Says what causes a status: v1's errors, and bodies that the gateway itself refuses. */
function sayAllCauses(status: string, lines: readonly ExplainedLine[]): string {
  const refused = REFUSED_BODIES.filter((each) => String(each.status) === status)
  return [sayCauses(status, lines), ...refused.map(({ says }) => says)].join('; ')
}

function describeError(status: string, description: string): readonly [name: string, response: Schema] {
  const headers = referToHeaders(
    'answer',
    'error',
    ...(status.startsWith('5') ? (['failure', 'brownout'] as const) : []),
  )
  return [`Error${status}`, { description, headers, content: jsonContent(schemaOfError(status)) }]
}

function statusesOf(lines: readonly ExplainedLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ change, legacy }) => (change === 'status' && legacy !== null ? [legacy] : [])))
}

const sayCauses = (status: string, lines: readonly ExplainedLine[]): string =>
  lines
    .filter(({ change, legacy }) => change === 'status' && legacy === status)
    .map(sayCause)
    .join('; ')

const sayCause = ({ v1, says }: ExplainedLine): string =>
  [...(v1 === null ? [] : [`v1’s ${v1}`]), ...(says === null ? [] : [says])].join(', ')

/** docs/decisions/0011: only validation has violations. */
const schemaOfError = (status: string): Schema => ({
  $ref: `#/components/schemas/${status === '400' ? 'MessageWithViolations' : 'Message'}`,
})

const message = { type: 'string', description: 'In the language that Accept-Language selects.' } as const
const params = { description: 'The values to choose from instead, as v1 sent them.' } as const

/** The bodies of errors, for `components.schemas`. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  Message: {
    type: 'object',
    properties: { message, params },
    required: ['message'],
    additionalProperties: false,
    examples: [{ message: 'Carrier is not found.' }],
  },
  MessageWithViolations: {
    type: 'object',
    properties: {
      message,
      violations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            propertyPath: { type: 'string', description: 'The legacy field. Empty for the whole body.' },
            message,
          },
          required: ['propertyPath', 'message'],
          additionalProperties: false,
        },
      },
      params,
    },
    required: ['message', 'violations'],
    additionalProperties: false,
    examples: [{ message: '…', violations: [{ propertyPath: 'recipientAddress.city', message: '…' }] }],
  },
}

interface Header {
  readonly on: 'answer' | 'error' | 'failure' | 'brownout' | 'list'
  readonly always: boolean
  readonly says: string
}

/**
 * The headers that the gateway adds to all legacy answers, to errors, to failures, to refusals in a brownout, or to whole lists
 * (docs/decisions/0031).
 */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    on: 'answer',
    always: true,
    says: 'the client’s own if it is a plain token of at most 128 characters, otherwise a new one; v1 gets it too',
  },
  Deprecation: { on: 'answer', always: true, says: 'marks the legacy interface as deprecated (RFC 9745)' },
  Sunset: { on: 'answer', always: false, says: 'when the legacy interface will be removed, if configured (RFC 8594)' },
  Link: {
    on: 'answer',
    always: false,
    says: 'the v1 address that replaces this one, as rel="successor-version"; if configured, the client’s own migration guide, as rel="deprecation"',
  },
  'X-Gateway-Dropped': {
    on: 'answer',
    always: false,
    says: 'members and parameters of the request that were not sent, because v1 does not list them',
  },
  'X-Gateway-Answered-By': {
    on: 'answer',
    always: false,
    says: 'who gave the answer, if configured or if the client chose it: v1, legacy, or gateway, if neither did and the answer says why',
  },
  'X-Gateway-Code': { on: 'error', always: false, says: 'v1’s error code, which v1 sends in the body' },
  'X-Gateway-Params-Left-Out': {
    on: 'error',
    always: false,
    says: 'the size in bytes of v1’s params, if they are missing because they have more than 2 MiB',
  },
  'X-Gateway-Violations-Left-Out': {
    on: 'error',
    always: false,
    says: 'how many of v1’s validation errors are not among the violations, because only the first 10,000 are',
  },
  'X-Gateway-Error': {
    on: 'failure',
    always: false,
    says: 'how v1, or the legacy service in its place, failed: unreachable, timeout, unavailable, malformed, too-large or overloaded; internal if the gateway itself failed',
  },
  'X-Gateway-Outcome': {
    on: 'failure',
    always: false,
    says: 'unknown: the call creates something, failed, and may have been carried out; look before you repeat it',
  },
  'X-Gateway-Brownout': {
    on: 'brownout',
    always: false,
    says: 'the number of the brownout that refused the call: nothing is wrong with the call, and no service was asked',
  },
  'Retry-After': {
    on: 'error',
    always: false,
    says: 'as v1 sent it; in a brownout, the seconds until it ends, at most 3,600',
  },
  'WWW-Authenticate': { on: 'error', always: false, says: 'as v1 sent it' },
  'Accept-Encoding': { on: 'error', always: false, says: 'with a 415: the content codings that a body may have' },
  ETag: { on: 'list', always: true, says: 'the list’s entity tag, for If-None-Match' },
  'Cache-Control': { on: 'list', always: true, says: 'private, no-cache: revalidate with If-None-Match' },
  'Content-Encoding': { on: 'list', always: false, says: 'gzip or br, if the client accepts it' },
  Vary: {
    on: 'answer',
    always: false,
    says: 'the request headers that the answer depends on, at least Accept-Language',
  },
}

/** Returns references to the headers of some kinds of answers. */
export function referToHeaders(...on: readonly Header['on'][]): Schema {
  const names = Object.entries(HEADERS).flatMap(([name, header]) => (on.includes(header.on) ? [name] : []))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Describes all headers, for `components.headers`. */
export function describeHeaders(): Schema {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, { always, says }]) => [
      name,
      { required: always, description: `${says}.`, schema: { type: 'string' } },
    ]),
  )
}
