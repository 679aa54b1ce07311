import type { Paging } from '../mapping/paging.ts'
import type { Parameter, Parameters, Stitching } from '../mapping/request.ts'
import type { LegacyValues } from './read-parameters.ts'

/** Something in a legacy request that is not sent: where, in the legacy style, and why (a key of `mappings/messages`). */
export interface Violation {
  readonly path: string
  readonly message: string
  readonly with?: Readonly<Record<string, string>>
}

/** What a legacy request's values become in v1. */
export interface V1Parameters {
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly path: ReadonlyMap<string, string>
  readonly violations: readonly Violation[]
  /** Whether a value was asked for that v1 removed: nothing can match. */
  readonly matchesNothing: boolean
}

/** A table of parameters, ready to be applied. */
export type ParameterTable = readonly (Parameter & { readonly legacyPath: string; readonly v1: string })[]

export function parameterTable(parameters: Parameters): ParameterTable {
  return Object.entries(parameters).map(([legacyPath, parameter]) => ({
    ...parameter,
    legacyPath,
    v1: parameter.v1 ?? legacyPath,
  }))
}

/**
 * Applies a table of parameters to a request's values. All violations are reported, not only the first. What a reader
 * leaves out is noted among the dropped names.
 */
export function translateParameters(table: ParameterTable, legacy: LegacyValues): V1Parameters {
  const query: [string, string][] = []
  const path = new Map<string, string>()
  const violations: Violation[] = [...legacy.notObjects].map((at) => ({ path: at, message: 'not-an-object' }))
  let matchesNothing = false
  for (const { legacyPath, in: place, v1, reader, retired } of table) {
    const value = legacy.values.get(legacyPath)
    if (value === undefined) {
      if (place === 'path') violations.push({ path: legacyPath, message: 'not-an-id' })
      continue
    }
    const reading = reader.read(value)
    if ('refuse' in reading) {
      violations.push({ path: legacyPath, message: reading.refuse, ...(reading.with && { with: reading.with }) })
    } else if ('leaveOut' in reading) {
      legacy.dropped.add(legacyPath)
    } else {
      if (retired?.values.some((gone) => isSame(gone, reading.send)) === true) matchesNothing = true
      else if (place === 'path') path.set(v1, reading.send)
      else query.push([v1, reading.send])
    }
  }
  return { query, path, violations, matchesNothing }
}

/** Whether two texts are the same, or the same number: 4.0 is 4. */
const isSame = (one: string, other: string): boolean =>
  one === other || (other.trim() !== '' && Number(one) === Number(other))

/** A page of any size, and what is asked of v1 besides. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
  readonly paging: Paging
}

/** Takes the page out of a v1 query. */
export function pageOf(query: V1Parameters['query'], { paging, defaultPerPage }: Stitching): PageRequest {
  const value = (name: string, otherwise: number): number => {
    const sent = query.find(([parameter]) => parameter === name)
    return sent === undefined ? otherwise : Number(sent[1])
  }
  return {
    page: value(paging.page, 1),
    perPage: value(paging.perPage, defaultPerPage),
    paging,
  }
}

/** A query as it is written in a URL; text that is no Unicode is made so. */
export function queryString(query: V1Parameters['query']): string {
  const encode = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text.toWellFormed()))
  return query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

/** What is the same encoded. */
const PLAIN = /^[\w.-]*$/
