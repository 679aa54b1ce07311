import type { OperationCorrections } from './corrections/corrections.ts'
import type { Paging, Parameters, RequestMapping } from './request.ts'
import type { Shape } from './shape.ts'

export type Method = 'GET' | 'POST'

export interface Route {
  readonly method: Method
  /** Starts with a slash. `{name}` is a path parameter (v1 only). */
  readonly path: string
}

/**
 * How v1's success envelope (docs/contract.md 2.4) becomes the legacy answer. `status` is the legacy status, `v1Status` v1's,
 * if the contract states it.
 */
export type ResponseMapping =
  /** `data` becomes the root. */
  | { readonly kind: 'record'; readonly shape: Shape; readonly status: number; readonly v1Status?: number }
  /** An unpaginated `items` becomes the root array. */
  | { readonly kind: 'list'; readonly shape: Shape; readonly status: number; readonly v1Status?: number }
  /** `items` of all pages become one root array. */
  | { readonly kind: 'whole-list'; readonly shape: Shape; readonly status: number; readonly paging: Paging }
  /** `items` and `meta` become two members of the root. */
  | {
      readonly kind: 'page'
      readonly rows: { readonly at: string; readonly shape: Shape }
      readonly meta: { readonly at: string; readonly shape: Shape }
      readonly status: number
    }
  /** No body: only the status reports success. */
  | { readonly kind: 'no-content'; readonly status: number; readonly v1Status?: number }
  /** The legacy service's own answer. `answers` describes its body, if the contract shows it. */
  | { readonly kind: 'pass-through'; readonly answers?: Shape }

/** An exception for one v1 error code. Members that it leaves out follow the general table of statuses. */
export interface ErrorRule {
  readonly status?: number
  /** Use the message from `mappings/messages` instead of v1's, in Turkish too. */
  readonly ownMessage?: boolean
  readonly reason: string
  /** If absent, the contract says so. */
  readonly basis?: 'assumed'
}

/** Marks an operation that exchanges the credentials in its body for a token. Names members of the root. */
export interface Login {
  /** The request's member that identifies the client. */
  readonly client: string
  /** The request's member that holds the client's secret. */
  readonly secret: string
  /** The answer's member that holds the token. */
  readonly token: string
}

/** A successful legacy call, for descriptions. */
export interface Example {
  /** The members of the body, or the query parameters. */
  readonly request: Readonly<Record<string, unknown>>
  /** The answer's body, where one generated from the shape would show too little. */
  readonly answer?: unknown
}

/** What a call does. It decides what may be repeated and compared: a write is sent once. */
export type Effect = 'read' | 'calculation' | 'write'

export interface OperationDetails {
  /** What differs, in one sentence for people who migrate a client. */
  readonly says: string
  readonly legacy: Route
  /** Undefined if v1 has no equivalent. */
  readonly v1: Route | undefined
  readonly request: RequestMapping
  readonly response: ResponseMapping
  readonly effect: Effect
  /** Whether v1 requires a token. If not, the answer is the same for every client. */
  readonly authorization: 'token' | 'none'
  readonly login?: Login
  readonly errors?: Readonly<Record<string, ErrorRule>>
  readonly example?: Example
}

/** A legacy operation and everything that differs between it and v1. Its id is the name of its file. */
export interface Operation extends OperationDetails {
  readonly id: string
  /** What MAPPING_FILE has made of the shipped mapping; unset: it says nothing about the operation. */
  readonly corrections?: OperationCorrections
}

/**
 * States the mapping of one operation. The id is the name of the mapping's file.
 *
 * @example
 * export default operation('thing-close', { says: 'The id moves into the path.', legacy: post('/api/thing/close'),
 *   v1: post('/api/v1/things/{id}/close'), request: bodyParameters({ id: segment(positiveId) }), response: noContent(204),
 *   effect: 'write', authorization: 'token' })
 */
export function operation(id: string, details: OperationDetails): Operation {
  return { id, ...details }
}

/**
 * Names a route with the method GET.
 *
 * @example
 * legacy: get('/country/all'),
 * v1: get('/api/v1/public/shared/countries')
 */
export const get = (path: string): Route => ({ method: 'GET', path })

/**
 * Names a route with the method POST.
 *
 * @example
 * legacy: post('/api/single/point/import/complete'),
 * v1: post('/api/v1/shipment/single-point-imports/{id}/complete')
 */
export const post = (path: string): Route => ({ method: 'POST', path })

/**
 * Answers one record: v1's `data` becomes the root. `v1Status` is v1's status, if the contract states it.
 *
 * @example
 * response: record(token),                              // v1's {"success":true,"data":{…}} becomes {…}
 * response: record(packageShipment, { v1Status: 201 })  // the same; v1's 201 becomes 200
 */
export function record(shape: Shape, options: { readonly v1Status?: number } = {}): ResponseMapping {
  return { kind: 'record', shape, status: 200, ...options }
}

/**
 * Answers a list that v1 does not paginate: `items` becomes the root array.
 *
 * @example
 * response: bareList(quote)
 * // v1's {"success":true,"items":[…]} becomes […]
 */
export const bareList = (shape: Shape): ResponseMapping => ({ kind: 'list', shape, status: 200 })

/**
 * Answers a whole list: reads every page of v1, each as large as v1 allows, and joins them into one root array.
 *
 * @example
 * response: wholeList(country, v1Paging),
 * response: wholeList(unit, { page: 'page', perPage: 'perPage', mostPerPage: 200 })
 */
export const wholeList = (shape: Shape, paging: Paging): ResponseMapping => ({
  kind: 'whole-list',
  shape,
  status: 200,
  paging,
})

/**
 * Answers one page. `rows` and `meta` each name a legacy member and its shape: the rows, and the counts. The request states
 * how pages are stitched.
 *
 * @example
 * response: page({ rows: ['data', invoice], meta: ['pagination', pagination] })
 * // v1's {"success":true,"items":[…],"meta":{…}} becomes {"data":[…],"pagination":{…}}
 */
export function page(options: {
  readonly rows: readonly [at: string, shape: Shape]
  readonly meta: readonly [at: string, shape: Shape]
}): ResponseMapping {
  const [rowsAt, rowShape] = options.rows
  const [metaAt, metaShape] = options.meta
  return { kind: 'page', rows: { at: rowsAt, shape: rowShape }, meta: { at: metaAt, shape: metaShape }, status: 200 }
}

/**
 * Answers with a status and no body. `v1Status` is v1's status, if the contract states it.
 *
 * @example
 * response: noContent(204),
 * response: noContent(204, { v1Status: 200 })   // v1's 200 with {"success":true,…} becomes 204
 */
export function noContent(status: number, options: { readonly v1Status?: number } = {}): ResponseMapping {
  return { kind: 'no-content', status, ...options }
}

/**
 * Passes the legacy service's own answer through, untouched. `answers` is the body of a success, as the contract shows it.
 *
 * @example
 * request: { kind: 'pass-through' },
 * response: passedThrough(chargePage)
 */
export const passedThrough = (answers: Shape): ResponseMapping => ({ kind: 'pass-through', answers })

/**
 * Returns the request's table of parameters. It is empty if the body stays a body, or if the request is passed through.
 *
 * @example
 * parametersOf(queryParameters({ code: query() }))   // { code: … }
 * parametersOf(body(packageRequest))                 // {}
 */
export function parametersOf(request: RequestMapping): Parameters {
  return 'parameters' in request ? request.parameters : {}
}
