import { type Basis, documented } from './basis.ts'
import type { Paging } from './paging.ts'
import { type Reader, text } from './reader.ts'
import type { Shape } from './shape.ts'

/** A legacy value, by its path in the body or its name in the query, that becomes a parameter of the v1 call. */
export interface Parameter {
  readonly in: 'query' | 'path'
  /** Its name in v1; undefined: as in legacy. */
  readonly v1: string | undefined
  readonly reader: Reader
  /** Values that v1 removed: they match nothing, so v1 is asked without the parameter and the answer is an empty page. */
  readonly retired: { readonly values: readonly string[]; readonly reason: string } | undefined
  readonly basis: Basis
}

export type Parameters = Readonly<Record<string, Parameter>>

/** Lets a client ask for larger pages than v1 gives: they are put together from v1's. Names are of v1 query parameters. */
export interface Stitching {
  /** How v1's pages are asked for. */
  readonly paging: Paging
  readonly defaultPerPage: number
  readonly basis: Basis
}

export type RequestMapping =
  /** The body goes to v1 as a body. */
  | { readonly kind: 'body'; readonly shape: Shape; readonly nulls: 'sent' | 'not sent' }
  /** Members of the body become parameters; what the table does not name is not sent. */
  | {
      readonly kind: 'body-parameters'
      readonly parameters: Parameters
      readonly emptyBody: 'an empty object' | 'refused'
      readonly stitching: Stitching | undefined
    }
  /** Query parameters become query parameters; what the table does not name is not sent. */
  | { readonly kind: 'query-parameters'; readonly parameters: Parameters }
  /** There is no v1 call: the request goes to the legacy service as it is. */
  | { readonly kind: 'pass-through' }

/**
 * A query parameter of v1, under the same name unless told.
 *
 * @example
 * search: query(),
 * isPayment: query(written('bool'), 'isPaid')
 */
export function query(reader: Reader = text, v1?: string): Parameter {
  return { in: 'query', v1, reader, retired: undefined, basis: documented }
}

/**
 * A segment of the v1 path, `{name}` in its route, under the same name unless told.
 *
 * @example
 * id: segment(positiveId),                  // {id}
 * importId: segment(positiveId, 'id')       // {id} too
 */
export function segment(reader: Reader, v1?: string): Parameter {
  return { in: 'path', v1, reader, retired: undefined, basis: documented }
}

/**
 * Adds values that v1 removed: no row can match, so the answer is an empty page. v1 is asked all the same, without them.
 *
 * @example
 * statusId: retired(['4'], 'an empty page', query()),
 * kind: retired(['fax', 'telex'], 'an empty page', query(written('string'), 'type'))
 */
export function retired(values: readonly string[], reason: string, parameter: Parameter): Parameter {
  return { ...parameter, retired: { values, reason } }
}

/**
 * The body goes to v1 as a body, rewritten as the shape says.
 *
 * @example
 * request: body(packageRequest),
 * request: body(priceRequest, { nulls: 'not sent' })
 */
export function body(of: Shape, options: { readonly nulls?: 'sent' | 'not sent' } = {}): RequestMapping {
  return { kind: 'body', shape: of, nulls: options.nulls ?? 'sent' }
}

/**
 * Members of the body become v1 parameters. `emptyBody`: whether no body, or an empty array, counts as `{}`. `stitching`: how
 * pages larger than v1's are put together, where the answer is a page.
 *
 * @example
 * request: bodyParameters({ id: segment(positiveId) }),
 * request: bodyParameters({ 'dateAtBetween.startAt': query(calendarDate, 'dateFrom') }, { emptyBody: 'an empty object' })
 */
export function bodyParameters(
  parameters: Parameters,
  options: { readonly emptyBody?: 'an empty object' | 'refused'; readonly stitching?: Stitching } = {},
): RequestMapping {
  return {
    kind: 'body-parameters',
    parameters,
    emptyBody: options.emptyBody ?? 'refused',
    stitching: options.stitching,
  }
}

/**
 * Query parameters of the legacy call become v1 query parameters.
 *
 * @example
 * request: queryParameters({}),                               // nothing is sent
 * request: queryParameters({ code: query(), lang: query(text, 'language') })
 */
export const queryParameters = (parameters: Parameters): RequestMapping => ({ kind: 'query-parameters', parameters })

/**
 * Pages of any size, put together from v1's.
 *
 * @example
 * const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
 * bodyParameters({ page: query(), perPage: query() }, { stitching: stitched({ paging, defaultPerPage: 25 }) })
 */
export function stitched(options: Omit<Stitching, 'basis'>): Stitching {
  return { ...options, basis: documented }
}
