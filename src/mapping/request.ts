import { type Reader, text } from './reader.ts'
import { type Basis, documented, type Shape } from './shape.ts'

/** How to request v1's pages: the names of its parameters, and the most rows of a page. */
export interface Paging {
  readonly page: string
  readonly perPage: string
  readonly mostPerPage: number
}

/** A legacy value that becomes a parameter of the v1 call. Its key is its path in the body, or its name in the query. */
export interface Parameter {
  readonly in: 'query' | 'path'
  /** Its name in v1. Undefined if it is the legacy one. */
  readonly v1: string | undefined
  readonly reader: Reader
  /** Values that v1 removed. They match no row: v1 is called without the parameter, and the answer is an empty page. */
  readonly retired: { readonly values: readonly string[]; readonly reason: string } | undefined
  /** The kind of the value, if a service gave it in the answer to a write (`givenByService`). Undefined: it did not. */
  readonly givenByService?: string
  /** How v1 finds more rows by it than legacy did. Undefined: it does not. */
  readonly widened?: Widened
  readonly basis: Basis
}

/** A documented widening: by the same value of a parameter, v1 finds further rows of a whole list. */
export interface Widened {
  /** What v1 finds beyond legacy, for people. */
  readonly reason: string
  /** The member of a legacy row that contains the parameter's value, in any case, if v1 found the row for this reason. */
  readonly member: string
  /** The language of the answers that show it, `tr` or `en`; undefined: all do. */
  readonly language?: 'tr' | 'en'
}

export type Parameters = Readonly<Record<string, Parameter>>

/** How pages larger than v1's are stitched from v1's pages. */
export interface Stitching {
  /** How to request v1's pages. */
  readonly paging: Paging
  readonly defaultPerPage: number
  readonly basis: Basis
}

export type RequestMapping =
  /** The body stays a body. */
  | { readonly kind: 'body'; readonly shape: Shape; readonly nulls: 'sent' | 'not sent' }
  /** Members of the body become parameters. Others are not sent. */
  | {
      readonly kind: 'body-parameters'
      readonly parameters: Parameters
      readonly emptyBody: 'an empty object' | 'refused'
      readonly stitching: Stitching | undefined
    }
  /** Query parameters stay query parameters. Others are not sent. */
  | { readonly kind: 'query-parameters'; readonly parameters: Parameters }
  /** The request goes to the legacy service unchanged. There is no v1 call. */
  | { readonly kind: 'pass-through' }

/**
 * Sends a value as a v1 query parameter. `v1` is its name there, if different.
 *
 * @example
 * search: query(),                              // {"search":"A-1"} becomes ?search=A-1
 * isPayment: query(written('bool'), 'isPaid')   // {"isPayment":true} becomes ?isPaid=true
 */
export function query(reader: Reader = text, v1?: string): Parameter {
  return { in: 'query', v1, reader, retired: undefined, basis: documented }
}

/**
 * Sends a value as a segment of the v1 path, `{name}` in the route. `v1` is its name there, if different.
 *
 * @example
 * id: segment(positiveId),                  // {"id":17} fills {id}
 * importId: segment(positiveId, 'id')       // {"importId":17} fills {id}
 */
export function segment(reader: Reader, v1?: string): Parameter {
  return { in: 'path', v1, reader, retired: undefined, basis: documented }
}

/**
 * Adds values that v1 removed. No row can match them, so the answer is an empty page. The gateway still calls v1, without
 * the parameter.
 *
 * @example
 * statusId: retired(['4'], 'an empty page', query()),
 * kind: retired(['fax', 'telex'], 'an empty page', query(written('string'), 'type'))
 */
export function retired(values: readonly string[], reason: string, parameter: Parameter): Parameter {
  return { ...parameter, retired: { values, reason } }
}

/**
 * Declares that v1 finds further rows of a whole list by a parameter, as the contract says. `in` is the member of a row in which
 * the value is found, and `language` the language of the answers that show it, if not all do. Further rows that contain the value
 * there are no difference that counts; a row that legacy has and v1 lacks is one.
 *
 * @example
 * search: widened('v1 also searches Turkish names', { in: 'name', language: 'tr' }, query()),
 * tag: widened('v1 also finds parts of a tag', { in: 'tag' }, query(written('string'), 'label'))
 */
export function widened(
  reason: string,
  { in: member, language }: { readonly in: string; readonly language?: 'tr' | 'en' },
  parameter: Parameter,
): Parameter {
  return { ...parameter, widened: { reason, member, ...(language !== undefined && { language }) } }
}

/**
 * Sends the body as a body, rewritten by a shape. With `nulls: 'not sent'`, members that are null are left out at any depth.
 *
 * @example
 * request: body(packageRequest),
 * request: body(priceRequest, { nulls: 'not sent' })   // {"city":null,"piece":1} becomes {"piece":1}
 */
export function body(of: Shape, options: { readonly nulls?: 'sent' | 'not sent' } = {}): RequestMapping {
  return { kind: 'body', shape: of, nulls: options.nulls ?? 'sent' }
}

/**
 * Sends members of the body as v1 parameters. `emptyBody` says whether a missing body or an empty array counts as `{}`.
 * `stitching` says how pages larger than v1's are put together; an answer that is a page needs it.
 *
 * @example
 * request: bodyParameters({ id: segment(positiveId) }),
 * request: bodyParameters({ 'dateAtBetween.startAt': query(calendarDate(), 'dateFrom') }, { emptyBody: 'an empty object' })
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
 * Sends query parameters of the legacy call as v1 query parameters.
 *
 * @example
 * request: queryParameters({}),                               // sends none
 * request: queryParameters({ code: query(), lang: query(text, 'language') })
 */
export const queryParameters = (parameters: Parameters): RequestMapping => ({ kind: 'query-parameters', parameters })

/**
 * Stitches pages of any size from v1's pages.
 *
 * @example
 * const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
 * bodyParameters({ page: query(), perPage: query() }, { stitching: stitched({ paging, defaultPerPage: 25 }) })
 */
export function stitched(options: Omit<Stitching, 'basis'>): Stitching {
  return { ...options, basis: documented }
}
