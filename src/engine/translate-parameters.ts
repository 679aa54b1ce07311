import type { Paging } from '../mapping/paging.ts'
import type { Parameter, Parameters, Stitching } from '../mapping/request.ts'
import type { LegacyValues } from './read-parameters.ts'

/** A reason to refuse a legacy request: the path, in the legacy style, and a message (a key of `mappings/messages`). */
export interface Violation {
  readonly path: string
  readonly message: string
  readonly with?: Readonly<Record<string, string>>
}

/** The parameters of the v1 call. */
export interface V1Parameters {
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly path: ReadonlyMap<string, string>
  readonly violations: readonly Violation[]
  /** Whether the request asks for a value that v1 removed, which nothing can match. */
  readonly matchesNothing: boolean
}

/** A table of parameters, ready for use. */
export type ParameterTable = readonly (Parameter & { readonly legacyPath: string; readonly v1: string })[]

export function parameterTable(parameters: Parameters): ParameterTable {
  return Object.entries(parameters).map(([legacyPath, parameter]) => ({
    ...parameter,
    legacyPath,
    v1: parameter.v1 ?? legacyPath,
  }))
}

/**
 * Translates a request's values by a table of parameters. Reports all violations, not only the first. Adds what a
 * reader leaves out to `legacy.dropped`.
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

/** Whether two texts are equal, or the same number: 4.0 equals 4. */
const isSame = (one: string, other: string): boolean =>
  one === other || (other.trim() !== '' && Number(one) === Number(other))

/** A requested page of any size, and how v1 pages the list. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
  readonly paging: Paging
}

/** Reads the requested page from a v1 query. */
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

/** Encodes a query for a URL. Replaces lone surrogates, which cannot be encoded. */
export function queryString(query: V1Parameters['query']): string {
  const encode = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text.toWellFormed()))
  return query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

/** Texts that need no encoding. */
const PLAIN = /^[\w.-]*$/
