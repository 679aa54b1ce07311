import { exchangeOfItem } from './postman-request.ts'
import { type Variables, within } from './postman-url.ts'
import type { BadEntry, RecordedExchange } from './recorded-exchange.ts'
import { RecordingError } from './recorded-exchange.ts'

/** The largest collection: it is parsed as a whole, so its size is limited. */
const MAX_BYTES = 64 * 1024 * 1024
const TEXT = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
/** Matches what may be the beginning of a collection: one of its typical members, preceded only by texts. */
const BEGINNING = new RegExp(
  String.raw`^\s*\{\s*(?:${TEXT}\s*:\s*(?:${TEXT}|null)\s*,\s*)*` +
    `"(?:info|item|variable|event|auth|collection|variables|events|order|folders_order|folders|requests)"` +
    String.raw`\s*:\s*[[{]`,
)

/** Whether a file that begins with `head` may be a Postman collection, of any version. */
export const mayBePostman = (head: string): boolean => BEGINNING.test(head)

/**
 * Reads the requests of a Postman collection 2.1, numbered from 1 in document order, without counting folders. Leaves out saved
 * examples: each repeats its request, which would count twice.
 * @throws RecordingError if the file has another version, is too large or is not a collection.
 */
export async function* readPostman(
  path: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<RecordedExchange | BadEntry> {
  const collection = collectionOf(path, parsed(path, await textOf(path, chunks)))
  let line = 0
  for (const { item, variables } of itemsOf(collection)) yield exchangeOfItem(++line, item, variables)
}

async function textOf(path: string, chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > MAX_BYTES) {
      const problem = `a Postman collection may have ${MAX_BYTES / 1024 / 1024} MiB at most; export its folders one by one`
      throw new RecordingError(`${path}: ${problem}`)
    }
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString()
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RecordingError(`${path}: not JSON: a Postman collection that is cut off or damaged`, { cause })
  }
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Postman's API wraps a collection in an object. */
function collectionOf(path: string, root: unknown): Node {
  const collection = isNode(root) && isNode(root.collection) ? root.collection : root
  const refused = (problem: string): RecordingError => new RecordingError(`${path}: ${problem}`)
  const version = (name: string): RecordingError =>
    refused(`a Postman collection of version ${name}; only 2.1 can be replayed: export it as Collection v2.1`)
  if (!isNode(collection)) throw refused('not a recording, a HAR or a Postman collection')
  const { info, requests } = collection
  if (!isNode(info)) throw Array.isArray(requests) ? version('1') : refused('a Postman collection without info')
  const [, named] = /\/collection\/v(\d+\.\d+)/.exec(String(info.schema)) ?? []
  if (named !== undefined && named !== '2.1') throw version(named)
  if (named === undefined && typeof info._postman_id !== 'string') {
    throw refused('a Postman collection whose info.schema names no version')
  }
  return collection
}

interface Found {
  readonly item: unknown
  /** The variables in scope, including those of the folders around it. */
  readonly variables: Variables
}

/** Yields the items that are not folders, depth first. Handles any depth without recursion. */
function* itemsOf(collection: Node): Generator<Found> {
  const root = { ...collection, item: Array.isArray(collection.item) ? collection.item : [] }
  const open: Found[] = [{ item: root, variables: new Map() }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { item } = next
    const variables = isNode(item) ? within(next.variables, item.variable) : next.variables
    if (isNode(item) && Array.isArray(item.item)) {
      for (const inner of item.item.toReversed()) open.push({ item: inner, variables })
    } else yield { item, variables }
  }
}
