import { isAscii } from 'node:buffer'
import type { Scalar } from '../mapping/reader.ts'
import type { Paging, Parameter, Parameters, Stitching } from '../mapping/request.ts'
import { leavesOf, type PathNode, type PathTree, pathTree, plant, segmentsOf } from './compile/shape-lines.ts'
import { bufferOf, scanValue, viewOf } from './json/scan-json.ts'
import { endOfText, startOfText, stringAt, textOf, typeAt, walkMembers } from './json/walk-json.ts'

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

/** The values of a legacy request that a table of parameters names. */
interface LegacyValues {
  /** By legacy path. Empty values are left out. */
  readonly values: Map<string, Scalar>
  /** Paths whose value should be an object and is not. */
  readonly notObjects: Set<string>
  /** Names that the table does not have. */
  readonly dropped: Set<string>
}

/** Builds the tree of a table's legacy paths, for reading them from a body. */
export function parameterTree(parameters: Parameters): PathTree<string> {
  const tree = pathTree<string>()
  for (const path of Object.keys(parameters)) plant(tree, segmentsOf(path), path)
  return tree
}

/**
 * Reads the values from a body, which must be a JSON object. Of a duplicate member, the last one counts.
 * @throws JsonError
 */
export function readBody(json: Uint8Array, tree: PathTree<string>): LegacyValues {
  const read: LegacyValues = { values: new Map(), notObjects: new Set(), dropped: new Set() }
  const body = { json, view: viewOf(json), texts: textsOf(json) }
  endOfText(json, readObject(body, startOfText(json), tree, '', read))
  return read
}

interface Body {
  readonly json: Uint8Array
  readonly view: DataView
  readonly texts: Texts
}

function readObject(body: Body, at: number, tree: PathTree<string>, prefix: string, read: LegacyValues): number {
  const { json, view, texts } = body
  return walkMembers(view, at, json.length, (keyAt, keyEnd, valueAt) => {
    const name = texts.string(keyAt, keyEnd)
    const node = tree.children.get(name)
    if (node !== undefined) forget(node, `${prefix}${name}`, read)
    if (node !== undefined && !('leaf' in node) && typeAt(json, valueAt) === 'object') {
      return readObject(body, valueAt, node, `${prefix}${name}.`, read)
    }
    const end = scanValue(view, valueAt, json.length)
    const value = scalarAt(body, valueAt, end)
    if (node === undefined) read.dropped.add(`${prefix}${name}`)
    else if ('leaf' in node) {
      if (!isEmpty(value)) read.values.set(node.leaf, value)
    } else if (!isEmpty(value)) read.notObjects.add(`${prefix}${name}`)
    return end
  })
}

/** Forgets the first of two members of the same name, whole. */
function forget(node: PathNode<string>, path: string, { values, notObjects }: LegacyValues): void {
  if (values.size > 0) for (const leaf of leavesOf(node)) values.delete(leaf)
  for (const other of notObjects) if (other === path || other.startsWith(`${path}.`)) notObjects.delete(other)
}

function scalarAt({ json, texts }: Body, start: number, end: number): Scalar {
  const type = typeAt(json, start)
  return { type, text: type === 'string' ? texts.string(start, end) : texts.text(start, end) }
}

/** Whether a value is null, an empty text, list or object. Some clients write an empty object as an empty list. */
function isEmpty({ type, text }: Scalar): boolean {
  return type === 'null' || text === '' || ((type === 'object' || type === 'array') && /^.\s*.$/.test(text))
}

/** Reads the values from a query. Of a duplicate parameter, the last one counts. */
export function readQuery(query: string, parameters: Parameters): LegacyValues {
  const read: LegacyValues = { values: new Map(), notObjects: new Set(), dropped: new Set() }
  // Most calls have none. Parsing it all the same took 1.5 % of the time of a call for a cached list.
  if (query === '') return read
  for (const [name, text] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) read.dropped.add(name)
    else if (text === '') read.values.delete(name)
    else read.values.set(name, { type: 'string', text })
  }
  return read
}

/** Decodes parts of a JSON text. */
interface Texts {
  /** Decodes `json[start, end)`. */
  text(start: number, end: number): string
  /** Returns the value of the string in `json[start, end)`, which includes its quotes. */
  string(start: number, end: number): string
}

/**
 * Prepares a JSON text for many look-ups. ASCII without escapes, as in most requests, is decoded once for all of them: without that, the
 * request of a list takes 1.3 times as long.
 */
function textsOf(json: Uint8Array): Texts {
  const letters = isAscii(json) ? bufferOf(json).toString('latin1') : '\\'
  if (!letters.includes('\\')) {
    return {
      text: (start, end) => letters.slice(start, end),
      string: (start, end) => letters.slice(start + 1, end - 1),
    }
  }
  return {
    text: (start, end) => textOf(json, start, end),
    string: (start, end) => stringAt(json, start, end),
  }
}
