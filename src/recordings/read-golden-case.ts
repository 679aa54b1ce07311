import { z } from 'zod'
import {
  aboutAnswer,
  type BadEntry,
  type ReadOptions,
  type RecordedExchange,
  recordedExchange,
  WrongKindError,
} from './recorded-exchange.ts'

/** How golden cases begin (docs/clients.md "What is written"). */
const BEGINNING = /^\s*\{\s*"says"\s*:/
export const isGoldenCase = (head: string): boolean => BEGINNING.test(head)

const MAX_BYTES = 64 * 1024 * 1024

/** A body as JSON, or as exact text where JSON would lose something. */
const body = { body: z.json().optional(), text: z.string().optional(), base64: z.undefined().optional() }

/** The parts of a golden case that are read. What v1 was asked when it was distilled does not matter. */
const goldenCase = z.object({
  legacy: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.unknown()).default({}),
    ...body,
  }),
  answer: z.object({ status: z.int().min(100).max(999), ...body }).optional(),
  recorded: z.object({ at: z.unknown(), key: z.unknown(), answeredBy: z.unknown() }).partial().default({}),
})

/** Reads the exchange of a golden case, with the legacy answer. @throws WrongKindError if it is none. */
export async function* readGoldenCase(
  path: string,
  chunks: AsyncIterable<Buffer>,
  { everything }: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > MAX_BYTES) throw notReadable(path, `longer than ${MAX_BYTES} bytes`)
    parts.push(chunk)
  }
  const value = parsed(Buffer.concat(parts).toString())
  if (value === undefined) throw notReadable(path, 'not JSON')
  const { data, error } = goldenCase.safeParse(value)
  if (data === undefined) {
    const members = error.issues.map((issue) => issue.path.join('.'))
    throw notReadable(path, `${members.join(', ')} is missing or malformed`)
  }
  const { legacy, answer, recorded } = data
  const exchange = recordedExchange(1, {
    ...{ at: recorded.at, method: legacy.method, path: legacy.path },
    headers: Object.entries(legacy.headers),
    body: bytesOf(legacy),
  })
  if ('problem' in exchange || everything !== true) yield exchange
  else {
    const content = answer && bytesOf(answer)
    yield {
      ...exchange,
      ...(answer !== undefined && { status: answer.status }),
      ...(content !== undefined && { answer: content }),
      ...aboutAnswer(recorded.key, recorded.answeredBy),
    }
  }
}

function bytesOf({ body, text }: { readonly body?: unknown; readonly text?: string | undefined }) {
  if (text !== undefined) return text === '' ? undefined : Buffer.from(text)
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const notReadable = (path: string, why: string): WrongKindError =>
  new WrongKindError(`${path}: a golden case that cannot be read: ${why}`)
