import type { Scalar } from '../mapping/reader.ts'
import type { Parameters } from '../mapping/request.ts'
import { leavesOf, type PathNode, type PathTree, pathTree, plant, segmentsOf } from './compile/shape-lines.ts'
import { viewOf } from './json/json-bytes.ts'
import { endOfText, startOfText, typeAt, walkMembers } from './json/json-walk.ts'
import { scanValue } from './json/scan.ts'
import { type Texts, textsOf } from './json/texts-of.ts'

/** The values of a legacy request that a table of parameters names. */
export interface LegacyValues {
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
