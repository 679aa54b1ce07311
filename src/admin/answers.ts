import type { Context, Handler } from 'hono'
import { inSlices } from '../observe/in-slices.ts'
import { StateError } from '../state/state-error.ts'

/** Answers with JSON. */
export const answerJson = async (c: Context, value: object): Promise<Response> =>
  c.body(await jsonInSlices(value), 200, { 'content-type': 'application/json' })

/** Answers requests with any other method than this. */
export const only =
  (method: 'GET' | 'POST'): Handler =>
  (c) =>
    c.json({ message: `Only ${method} is allowed here.` }, 405, { allow: method === 'GET' ? 'GET, HEAD' : method })

/** Waits for a read from the state; undefined if it cannot be read now. */
export async function unlessAway<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}

/** Lists are serialised item by item down to this depth: those of an object in the result. */
const DEEPEST = 2

/** Serialises an object as UTF-8, like `JSON.stringify`. In slices, because its lists may have megabytes. */
export async function jsonInSlices(value: object): Promise<Uint8Array<ArrayBuffer>> {
  let length = 0
  const written = await inSlices(pieces(value, 0), (piece) => {
    const bytes = Buffer.from(piece)
    length += bytes.length
    return bytes
  })
  // As `Buffer.concat`, which takes 50 ms for 50 MB.
  const whole = Buffer.allocUnsafe(length)
  let end = 0
  await inSlices(written, (bytes) => {
    end += bytes.copy(whole, end)
  })
  return whole
}

function* pieces(value: unknown, depth: number): Iterable<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || depth > DEEPEST) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    yield '['
    for (const [at, item] of value.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`
    yield ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* pieces(member, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
