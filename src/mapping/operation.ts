import type { Paging } from './paging.ts'
import type { Parameters, RequestMapping } from './request.ts'
import type { Shape } from './shape.ts'

export type Method = 'GET' | 'POST'

export interface Route {
  readonly method: Method
  /** Starts with a slash; `{name}` stands for a path parameter (v1 only). */
  readonly path: string
}

/** How v1's success envelope (docs/contract.md 2.4) becomes the legacy answer. `v1Status` is what v1 answers where the contract says so. */
export type ResponseMapping =
  /** `data` becomes the root. */
  | { readonly kind: 'record'; readonly shape: Shape; readonly status: number; readonly v1Status?: number }
  /** `items`, not paginated, becomes a root array. */
  | { readonly kind: 'list'; readonly shape: Shape; readonly status: number; readonly v1Status?: number }
  /** Every page of `items` is read and becomes one root array. */
  | { readonly kind: 'whole-list'; readonly shape: Shape; readonly status: number; readonly paging: Paging }
  /** `items` and `meta` become two members of the root. */
  | {
      readonly kind: 'page'
      readonly rows: { readonly at: string; readonly shape: Shape }
      readonly meta: { readonly at: string; readonly shape: Shape }
      readonly status: number
    }
  /** Only the status says that it was done. */
  | { readonly kind: 'no-content'; readonly status: number; readonly v1Status?: number }
  /** What the legacy service answers; `answers` is its body, for descriptions, where the contract shows it. */
  | { readonly kind: 'pass-through'; readonly answers?: Shape }

/** What is special about one v1 error code; what is not stated follows the general table of statuses. */
export interface ErrorRule {
  readonly status?: number
  /** The message of `mappings/messages` is answered in Turkish too, in place of v1's. */
  readonly ownMessage?: boolean
  readonly reason: string
  /** Absent: the contract says so. */
  readonly basis?: 'assumed'
}

/** An operation that hands out a token for the credentials in its body; all are members of the root. */
export interface Login {
  /** The request's member that says who logs in. */
  readonly client: string
  /** The request's member that proves it. */
  readonly secret: string
  /** The answer's member that is the token. */
  readonly token: string
}

/** A legacy call that succeeds, for descriptions. */
export interface Example {
  /** The members of its body, or its query parameters. */
  readonly request: Readonly<Record<string, unknown>>
  /** What it is answered, where the tables of members make no answer that shows much. */
  readonly answer?: unknown
}

export type Effect = 'read' | 'calculation' | 'write'

export interface OperationDetails {
  /** One sentence for whoever migrates a client: what differs. */
  readonly says: string
  readonly legacy: Route
  /** Undefined: v1 has no equivalent. */
  readonly v1: Route | undefined
  readonly request: RequestMapping
  readonly response: ResponseMapping
  readonly effect: Effect
  /** Whether v1 wants a token; without one the answer is the same for every caller. */
  readonly authorization: 'token' | 'none'
  readonly login?: Login
  readonly errors?: Readonly<Record<string, ErrorRule>>
  readonly example?: Example
}

/** A legacy operation: the whole of what differs between it and v1. Its id is the name of its file. */
export interface Operation extends OperationDetails {
  readonly id: string
}

/**
 * A mapping, whose id is the name of its file.
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
 * A route with the method GET.
 *
 * @example
 * legacy: get('/country/all'),
 * v1: get('/api/v1/public/shared/countries')
 */
export const get = (path: string): Route => ({ method: 'GET', path })
/**
 * A route with the method POST.
 *
 * @example
 * legacy: post('/api/single/point/import/complete'),
 * v1: post('/api/v1/shipment/single-point-imports/{id}/complete')
 */
export const post = (path: string): Route => ({ method: 'POST', path })

/**
 * `data` becomes the root. `v1Status`: what v1 answers, where the contract says so.
 *
 * @example
 * response: record(token),
 * response: record(packageShipment, { v1Status: 201 })
 */
export function record(shape: Shape, options: { readonly v1Status?: number } = {}): ResponseMapping {
  return { kind: 'record', shape, status: 200, ...options }
}

/**
 * `items` becomes a root array; v1 does not paginate it.
 *
 * @example
 * response: bareList(quote)     // v1's {"success":true,"items":[…]} is […]
 */
export const bareList = (shape: Shape): ResponseMapping => ({ kind: 'list', shape, status: 200 })

/**
 * Every page of v1 is read, the largest it gives, and answered as one root array.
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
 * One page: its rows at the member `rows[0]`, its counts at the member `meta[0]`. The request says how pages are stitched.
 *
 * @example
 * response: page({ rows: ['data', invoice], meta: ['pagination', pagination] })
 * // v1's {"success":true,"items":[…],"meta":{…}} is {"data":[…],"pagination":{…}}
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
 * No body: only the status says that it was done.
 *
 * @example
 * response: noContent(204),
 * response: noContent(204, { v1Status: 200 })
 */
export function noContent(status: number, options: { readonly v1Status?: number } = {}): ResponseMapping {
  return { kind: 'no-content', status, ...options }
}

/**
 * What the legacy service itself answers, untouched; the contract shows this body of a success.
 *
 * @example
 * request: { kind: 'pass-through' },
 * response: passedThrough(chargePage)
 */
export const passedThrough = (answers: Shape): ResponseMapping => ({ kind: 'pass-through', answers })

/** The request's table of parameters; empty where a body is sent as a body, or nothing is. */
export function parametersOf(request: RequestMapping): Parameters {
  return 'parameters' in request ? request.parameters : {}
}
