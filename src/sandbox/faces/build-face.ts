import { Hono, type HonoRequest } from 'hono'
import { answerDeviating } from '../deviations/deviate-call.ts'
import type { Deviations } from '../deviations/deviation-file.ts'
import { type Call, type FaceName, type Language, languageOf, type Service } from '../service.ts'
import { type ErrorText, ServiceError, unauthorized, unexpectedMessage } from '../service-error.ts'
import { organizationOf } from '../store/access-tokens.ts'
import { parseObject, readText } from '../validation/read-object.ts'
import type { RequestForm } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'
import { operations } from './operations.ts'
import type { Endpoint, Operation, Outcome } from './service-operation.ts'

/** What one interface does in its own way with every call. */
export interface Face {
  readonly name: FaceName
  /** Whether a byte order mark before a JSON body is skipped. RFC 8259 section 8.1 allows both. */
  readonly skipsByteOrderMark: boolean
  /** The value of `Allow` for a path with this method. */
  allow(method: Endpoint['method']): string
  readQuery(parameters: URLSearchParams): object
  /** Reads the text of a JSON body that consists of filters. Undefined if it is no JSON object. */
  readFilters(text: string): object | undefined
  write(outcome: Outcome, message: string | undefined): Answer
  writeError(error: ErrorText, language: Language): object
  /** A document about the face. The real service does not have it. */
  readonly description?: { readonly path: string; make(): object }
}

export interface Answer {
  readonly status: number
  /** Undefined for a 204. */
  readonly body?: object
}

/** The operations of a face, in the order of the table. */
export function operationsOf(face: FaceName): readonly (Operation & Endpoint)[] {
  return operations.flatMap((operation) => {
    const endpoint = operation[face]
    return endpoint === undefined ? [] : [{ ...operation, ...endpoint }]
  })
}

/** Builds a face over a store. `deviations` say where it deviates from the contract. */
export function buildFace(face: Face, service: Service, deviations: Deviations = new Map()): Hono {
  const app = new Hono()
  const allowOnly = (path: string, allow: string) =>
    app.all(path, () => {
      throw new ServiceError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } })
    })
  for (const operation of operationsOf(face.name)) {
    // docs/contract.md writes a variable part as `{id}`, the router as `:id`.
    const route = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method, route, ({ req }) => answer(face, service, operation, req, deviations))
    allowOnly(route, face.allow(operation.method))
  }
  const { description } = face
  if (description !== undefined) {
    app.get(description.path, () => Response.json(description.make()))
    allowOnly(description.path, 'GET')
  }
  // RFC 9110 section 9.3.8. An unknown path has no methods, so `Allow` is empty.
  app.on('TRACE', '*', () => {
    throw new ServiceError('METHOD_NOT_ALLOWED', { headers: { Allow: '' } })
  })
  app.notFound(({ req }) => refuse(face, new ServiceError('NOT_FOUND'), languageIn(req)))
  app.onError((error, { req }) => {
    if (error instanceof ServiceError) return refuse(face, error, languageIn(req))
    // When a client disconnects halfway through its body, the service is not at fault and sends no answer.
    if (!req.raw.signal.aborted) console.error(`Sandbox ${face.name}:`, error)
    return refuse(face, new ServiceError('DEPENDENCY_UNAVAILABLE'), languageIn(req))
  })
  return app
}

async function answer(
  face: Face,
  service: Service,
  operation: Operation & Endpoint,
  request: HonoRequest,
  deviations: Deviations,
): Promise<Response> {
  // *Assumed*: authorization comes before validation, so that strangers learn nothing.
  const organizationId = operation.needsToken ? organizationOf(service, face.name, request.header('Authorization')) : 0
  if (organizationId === undefined) throw unauthorized()
  const call: Call = { ...service, face: face.name, organizationId, language: languageIn(request) }
  const sent = await readSent(face, call, operation.takes.place, request)
  const deviation = deviations.get(operation.id)
  const outcome =
    deviation === undefined ? operation.answer(call, sent) : answerDeviating(operation, call, sent, deviation)
  const { status, body } = face.write(outcome, operation.message)
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status })
}

/** Reads what a request contains at its place, still unchecked. A body is read regardless of the Content-Type. */
async function readSent(
  face: Face,
  { language }: Call,
  place: RequestForm<unknown>['place'],
  request: HonoRequest,
): Promise<object> {
  if (place === 'path') return request.param()
  if (place === 'query') return face.readQuery(new URL(request.url).searchParams)
  const text = await readText(request, face.skipsByteOrderMark)
  if (text === 'too large') throw new ServiceError('PAYLOAD_TOO_LARGE')
  const sent = text && (place === 'body' ? parseObject(text.utf8) : face.readFilters(text.utf8))
  // *Assumed*: if the fields of a body cannot be read, the body itself is the violation, at the empty path.
  const unreadable = { path: '', message: messages.jsonObject[language] }
  if (sent === undefined) throw new ServiceError('VALIDATION_FAILED', { violations: [unreadable] })
  return sent
}

const errorCodes = new Map([
  [401, unauthorized()],
  [404, new ServiceError('NOT_FOUND')],
  [429, new ServiceError('TOO_MANY_REQUESTS')],
  [503, new ServiceError('DEPENDENCY_UNAVAILABLE')],
])

/**
 * Builds the face's answer for a fault with this status (docs/sandbox.md "Faults on demand"), which the request did not
 * cause. *Assumed*: codes that are not in docs/contract.md 9.2.
 */
export function errorOfStatus(face: Face, status: number, request: Request): Response {
  const language = languageOf(request.headers.get('Accept-Language'))
  const unexpected = { code: `STATUS_${status}`, text: unexpectedMessage, details: {} }
  return respond(face, errorCodes.get(status) ?? unexpected, status, language)
}

function refuse(face: Face, error: ServiceError, language: Language): Response {
  return respond(face, error, error.status[face.name], language)
}

function respond(face: Face, error: ErrorText, status: number, language: Language): Response {
  const { headers } = error.details
  return Response.json(face.writeError(error, language), { status, ...(headers && { headers }) })
}

function languageIn(request: HonoRequest): Language {
  return languageOf(request.header('Accept-Language'))
}
