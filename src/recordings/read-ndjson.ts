import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { startOfText } from '../engine/json/walk-json.ts'
import { memberText } from '../engine/json-members.ts'
import { isJson, whyOmitted } from './record-line.ts'
import {
  aboutAnswer,
  type BadEntry,
  type ReadOptions,
  type RecordedExchange,
  recordedExchange,
  unplayable,
} from './recorded-exchange.ts'

const MAX_LINE = 64 * 1024 * 1024
const WHITE_SPACE = /^\s*$/

/** The parts of a line that replay needs; other members are ignored. */
const recorded = z.object({
  at: z.unknown().optional(),
  client: z.unknown().optional(),
  key: z.unknown().optional(),
  answeredBy: z.unknown().optional(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.unknown()).default({}),
    form: z.string().optional().catch(undefined),
    bodyOmitted: z.string().optional().catch(undefined),
  }),
  response: z
    .object({ status: z.int().min(100).max(999).optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

/** Reads the exchanges of a recording, one per line. Yields a problem for a line that cannot be used, and continues. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  for await (const { number, bytes, isOpen } of readLines(chunks, MAX_LINE)) {
    if (options.only?.has(number) === false) continue
    if (bytes === undefined) {
      yield { line: number, problem: `longer than ${MAX_LINE} bytes` }
      continue
    }
    const isText = isUtf8(bytes)
    const text = bytes.toString(isText ? 'utf8' : 'latin1')
    if (WHITE_SPACE.test(text)) continue
    const value = parsed(text)
    if (value === undefined) yield { line: number, problem: isOpen ? 'not JSON: it is cut off' : 'not JSON' }
    else if (isText) yield exchangeOf(number, value, bytes, options)
    else yield notUtf8(number, value)
  }
}

function exchangeOf(
  line: number,
  value: unknown,
  json: Buffer,
  { everything }: ReadOptions,
): RecordedExchange | BadEntry {
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined
  if (typeof version !== 'number') return { line, problem: 'not an exchange: it has no version number' }
  if (version !== 1) return { line, problem: `version ${version} is not supported, only version 1` }
  const { data, error } = recorded.safeParse(value)
  if (data === undefined) {
    return { line, problem: `${error.issues.map(({ path }) => path.join('.')).join(', ')} is missing or malformed` }
  }
  const { at, client, key, answeredBy, request, response } = data
  const { method, path, headers, form, bodyOmitted } = request
  const body = bodyIn(json, 'request') ?? (form === undefined || form === '' ? undefined : Buffer.from(form))
  if (body === undefined && form === undefined) {
    const why = bodyOmitted === undefined ? whyInDoubt(method, headers) : whyOmitted(bodyOmitted)
    if (why !== undefined) return unplayable(line, request, why)
  }
  const exchange = recordedExchange(line, { at, client, method, path, headers: Object.entries(headers), body })
  if ('problem' in exchange) return exchange
  const answer = bodyIn(json, 'response')
  return {
    ...exchange,
    ...(answer !== undefined && { answer }),
    ...(response?.status !== undefined && { status: response.status }),
    ...(everything === true && { ...aboutAnswer(key, answeredBy), source: json }),
  }
}

/** Returns the body that a line has of its request or its answer, as written. */
function bodyIn(json: Uint8Array, part: 'request' | 'response'): Uint8Array | undefined {
  const message = memberText(json, startOfText(json), part)
  return message && memberText(message, 0, 'body')
}

/** A line in another encoding. What is readable of it says at least which call it was. */
function notUtf8(line: number, value: unknown): BadEntry {
  const { data } = recorded.safeParse(value)
  return data === undefined ? { line, problem: 'not JSON' } : unplayable(line, data.request, 'its line is not UTF-8')
}

/**
 * Older recordings do not say when they left out a body that is not JSON, such as a form. Says so of a call that names such a body
 * and has none.
 */
function whyInDoubt(method: string, headers: Readonly<Record<string, unknown>>): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  if (typeof type !== 'string' || type === '' || isJson(type)) return undefined
  return 'its body is not in the recording, which is older and leaves out bodies that are not JSON'
}

/** Parses JSON; undefined: not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line of a text. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Without the line feed; undefined: the line is too long. */
  readonly bytes: Buffer | undefined
  /** Whether the line feed is missing, which is only possible in the last line. */
  readonly isOpen: boolean
}

const LINE_FEED = 0x0a

/** Reads the lines of a text. Keeps at most `maxBytes` of a line in memory. */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  /** The current line so far. */
  let parts: Buffer[] = []
  let length = 0
  let number = 0

  const add = (part: Buffer): void => {
    length += part.length
    if (length > maxBytes) parts = []
    else parts.push(part)
  }
  const take = (isOpen: boolean): Line => {
    const [first = Buffer.alloc(0), ...others] = parts
    const bytes = length > maxBytes ? undefined : others.length === 0 ? first : Buffer.concat(parts)
    parts = []
    length = 0
    number++
    return { number, bytes, isOpen }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end))
      yield take(false)
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take(true)
}
