import { isUtf8 } from 'node:buffer'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { bufferOf } from '../../engine/json/scan-json.ts'
import { startOfText } from '../../engine/json/walk-json.ts'
import { memberText } from '../../engine/json-members.ts'
import { type CallToExplain, type Explainer, explainCall } from './explain-call.ts'

/** Larger requests are refused with 413. */
const MAX_BYTES = 1_048_576

/**
 * Serves `POST /explain` on the admin port: 200 with an ExplainedCall, even if the call would be refused; 400 with the
 * mistakes in an invalid request (`readCallToExplain` describes its format).
 */
export function serveExplain(explainer: Explainer): Hono {
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: (c) => c.json({ message: `The request is larger than ${MAX_BYTES} bytes.` }, 413),
  })
  app.post('/explain', limit, async (c) => {
    const call = readCallToExplain(new Uint8Array(await c.req.arrayBuffer()))
    return 'errors' in call
      ? c.json({ message: 'The request is not valid.', errors: call.errors }, 400)
      : c.json(explainCall(explainer, call))
  })
  return app
}

/** A mistake in a request to explain a call. The path separates names with dots, and is empty for the request itself. */
interface InputError {
  readonly path: string
  readonly message: string
}

const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error })

const order = z.strictObject(
  {
    method: text(/^[A-Za-z]+$/, 'must be a method, for instance POST'),
    path: text(/^(https?:\/\/[^\s/?#]+)?\/[^\s\p{Cc}]*$/iu, 'must be a path that starts with a slash, with its query'),
    headers: z
      .record(z.string(), text(/^\P{Cc}*$/u, 'must be text on one line'), { error: 'must be an object of strings' })
      .default({}),
    body: z.unknown().optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? 'is not known' : 'must be a JSON object') },
)

/**
 * Reads a request to explain a call: `{ "method", "path", "headers"?, "body"? }`. If `body` is a string, its value is
 * the call's body, JSON or not. Any other value is the call's body exactly as written in the request, so its numbers keep
 * their digits. Without `body`, the call has none.
 */
function readCallToExplain(json: Uint8Array): CallToExplain | { readonly errors: readonly InputError[] } {
  const value = parsed(json)
  if (value === undefined) return { errors: [{ path: '', message: 'must be JSON in UTF-8' }] }
  const { data, error } = order.safeParse(value)
  if (data === undefined) return { errors: (error?.issues ?? []).flatMap(errorsOf) }
  const { body, ...call } = data
  if (typeof body === 'string') return { ...call, body: Buffer.from(body) }
  return { ...call, body: memberText(json, startOfText(json), 'body') ?? new Uint8Array() }
}

function parsed(json: Uint8Array): unknown {
  if (!isUtf8(json)) return undefined
  try {
    return JSON.parse(bufferOf(json).toString())
  } catch {
    return undefined
  }
}

function errorsOf(issue: z.core.$ZodIssue): readonly InputError[] {
  const at = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path: at, message: issue.message }]
  return issue.keys.map((key) => ({ path: at === '' ? key : `${at}.${key}`, message: issue.message }))
}
